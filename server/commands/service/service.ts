import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { urlOf } from '#server/http/listen/listen.ts';
import { isSingleBinary } from '#server/files/resources.ts';
import type { Settings } from '#server/settings.ts';
import { parseOptions, requireSettings, say, type Command } from '../command.ts';
import { CommandError, UsageError } from '../fault.ts';
import { announcement } from '../announce.ts';
import { asksForLowPort } from '../low-port.ts';
import { isServerRunning } from '../running-server.ts';
import type { ServicePlan } from './service-files.ts';
import { settingsLines } from './service-settings.ts';
import { SETTINGS_FILE } from '../settings-file.ts';
import { installedSystem, serviceSystem, SYSTEMS, type Machine, type ServiceSystem } from './service-systems.ts';

/** How long a service may take to be there after it was started. */
const STARTS_WITHIN_MS = 20_000;
const LOOK_EVERY_MS = 250;

type Account = { name: string; uid: number; gid: number };

const thisMachine: Machine = {
  platform: process.platform,
  uid: process.getuid?.() ?? null,
  home: homedir(),
  root: '/',
  run(program, args) {
    const { status: code, error, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', windowsHide: true });
    return { ok: code === 0, output: error ? error.message : `${stdout}${stderr}` };
  },
};

/** Runs the server with the computer, from its start on and again after a crash. */
export const service: Command = async (args) => {
  const { values, positionals } = parseOptions(
    args,
    { data: { type: 'string' }, user: { type: 'string' }, for: { type: 'string' } },
    1,
  );
  const [action] = positionals;
  if (values.for !== undefined && action !== 'show') throw new UsageError('Pilihan "--for" hanya untuk service show.');
  const settings = requireSettings({ data: values.data, staysRoot: () => true });
  switch (action) {
    case 'show':
      return show(settings, values.user, values.for);
    case 'install':
      return install(settings, values.user);
    case 'uninstall':
      return uninstall();
    case 'start':
      return start(settings);
    case 'stop':
      return stop(settings);
    case 'status':
      return status(settings);
    case undefined:
      throw new UsageError('Sesudah "service": install, uninstall, start, stop, status, atau show.');
    default:
      throw new UsageError(
        `"service ${action}" tidak dikenal; yang ada: install, uninstall, start, stop, status, show.`,
      );
  }
};

/** This very program, as a service starts it: the file itself, or Node with the script. */
function ownProgram(): string[] {
  return isSingleBinary() ? [process.execPath] : [process.execPath, resolve(process.argv[1] ?? '')];
}

function planFor(settings: Settings, machine: Machine, user: string | null): ServicePlan {
  const isSystemWide = machine.platform === 'win32' || machine.uid === 0;
  return {
    program: [...ownProgram(), 'serve', '--data', settings.dataDir],
    dataDir: settings.dataDir,
    alsoWrites: settings.backup.secondDir === null ? [] : [settings.backup.secondDir],
    isSystemWide,
    user: isSystemWide ? user : null,
    hasLowPort: asksForLowPort(settings),
  };
}

function show(settings: Settings, user: string | undefined, name: string | undefined): number {
  const platform = name === undefined ? thisMachine.platform : platformOf(name);
  // For another system: as its administrator would install it.
  const machine = platform === thisMachine.platform ? thisMachine : { ...thisMachine, platform, uid: 0 };
  say(
    serviceSystem(machine)
      .text(planFor(settings, machine, user ?? null))
      .trimEnd(),
  );
  return 0;
}

function platformOf(name: string): NodeJS.Platform {
  const found = Object.entries(SYSTEMS).find(([key]) => key === name);
  if (!found) throw new UsageError(`--for: nilai "${name}" tidak dikenal; yang diterima: linux, mac, windows`);
  return found[1];
}

async function install(settings: Settings, user: string | undefined): Promise<number> {
  const system = serviceSystem(thisMachine);
  if (installedSystem(thisMachine).isOfRoot) throw needsRoot();
  if (user !== undefined && thisMachine.uid !== 0)
    throw new CommandError('Pilihan "--user" hanya dapat dipakai oleh root (sudo).');
  const account = thisMachine.uid === 0 ? serviceAccount(settings.dataDir, user) : null;
  if (isServerRunning(settings.dataDir) && !system.isActive()) {
    throw new CommandError(
      'Server sedang berjalan pada folder data ini di luar layanan; hentikan dulu (Ctrl+C), lalu ulangi.',
    );
  }
  prepareFolder(settings, account);
  makeFirstAdmin(settings.dataDir, account);
  const troubles = system.install(planFor(settings, thisMachine, account?.name ?? null));
  const isUp = await waitUntil(() => isServerRunning(settings.dataDir));
  say(isUp ? 'Layanan terpasang dan berjalan.' : 'Layanan terpasang, tetapi server belum berjalan.');
  if (thisMachine.uid === 0 && !account) {
    say('Server berjalan sebagai root. Lebih aman dengan pengguna biasa: service install --user NAMA');
  }
  if (isUp) sayAddresses(settings);
  for (const hint of [...troubles, ...system.hints]) say(hint);
  return isUp ? 0 : 1;
}

/** As whom a service of root's should run: whom it says, else whoever owns the data already; null: as root. */
function serviceAccount(dataDir: string, user: string | undefined): Account | null {
  const owner = statSync(dataDir, { throwIfNoEntry: false })?.uid ?? 0;
  if (user === undefined && owner === 0) return null;
  const asked = user ?? String(owner);
  const [uid, gid, name] = ['-u', '-g', '-un'].map((flag) => thisMachine.run('id', [flag, asked]).output.trim());
  if (!/^\d+$/.test(uid ?? '') || !/^\d+$/.test(gid ?? '') || !name) {
    throw new CommandError(`Pengguna "${asked}" tidak ada di komputer ini.`);
  }
  const account = { name, uid: Number(uid), gid: Number(gid) };
  if (existsSync(dataDir) && owner !== account.uid) {
    throw new CommandError(`Folder data bukan milik ${name}. Jalankan dulu: chown -R ${name}: "${dataDir}"`);
  }
  return account;
}

function prepareFolder(settings: Settings, account: Account | null): void {
  const made: string[] = [];
  for (const folder of [settings.dataDir, join(settings.dataDir, 'logs')]) {
    if (existsSync(folder)) continue;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    made.push(folder);
  }
  const file = join(settings.dataDir, SETTINGS_FILE);
  const lines = settingsLines(settings);
  if (existsSync(file)) say(`Setelan layanan: ${file} (yang sudah ada dipakai)`);
  else if (lines.length > 0) {
    writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 });
    made.push(file);
    say(`Setelan layanan disimpan: ${file}`);
  }
  if (account) for (const path of made) chownSync(path, account.uid, account.gid);
}

/** Here and not at the service's own start, which would write the generated password into the system's journal. */
function makeFirstAdmin(dataDir: string, account: Account | null): void {
  const [program = '', ...words] = ownProgram();
  const { status: code } = spawnSync(program, [...words, 'admin', 'first', '--data', dataDir], {
    stdio: 'inherit',
    windowsHide: true,
    ...(account ? { uid: account.uid, gid: account.gid } : {}),
  });
  if (code !== 0) throw new CommandError('Layanan tidak dipasang.');
}

/** Where a browser finds what was just started; a port that was left to chance is in the log. */
function sayAddresses(settings: Settings): void {
  if (settings.port === 0) return;
  say(`Di komputer ini: ${urlOf('http', settings.host, settings.port)}`);
  for (const line of announcement(settings, settings.port, false)) say(line);
}

const needsRoot = (): CommandError =>
  new CommandError('Layanan ini terpasang untuk seluruh komputer; ulangi perintah ini dengan sudo di depannya.');

/** @throws CommandError where there is none, or it is not this account's */
function requireInstalled(): ServiceSystem {
  const { system, isOfRoot } = installedSystem(thisMachine);
  if (isOfRoot) throw needsRoot();
  if (!system.isInstalled()) throw new CommandError('Layanan tidak terpasang. Untuk memasangnya: service install');
  return system;
}

async function start(settings: Settings): Promise<number> {
  const system = requireInstalled();
  if (!system.isActive()) system.start();
  const isUp = await waitUntil(() => system.isActive() && isServerRunning(settings.dataDir));
  say(isUp ? 'Layanan berjalan.' : 'Layanan dijalankan, tetapi server belum berjalan. Sebabnya: doctor');
  if (isUp) sayAddresses(settings);
  return isUp ? 0 : 1;
}

async function stop({ dataDir }: Settings): Promise<number> {
  requireInstalled().stop();
  const isDown = await waitUntil(() => !isServerRunning(dataDir));
  say(
    isDown ? 'Layanan dihentikan. Untuk menjalankannya lagi: service start' : `Server pada ${dataDir} masih berjalan.`,
  );
  return isDown ? 0 : 1;
}

function uninstall(): number {
  const { system, isOfRoot } = installedSystem(thisMachine);
  if (isOfRoot) throw needsRoot();
  if (!system.isInstalled()) {
    say('Layanan tidak terpasang.');
    return 0;
  }
  system.uninstall();
  say('Layanan dihentikan dan dilepas; data tidak disentuh.');
  return 0;
}

function status({ dataDir }: Settings): number {
  const { system, isOfRoot } = installedSystem(thisMachine);
  const isActive = system.isActive();
  const presence = system.isInstalled() ? `terpasang${isOfRoot ? ' (untuk seluruh komputer)' : ''}` : 'tidak terpasang';
  say(`Layanan: ${presence}, ${isActive ? 'berjalan' : 'tidak berjalan'}`);
  say(`Server pada ${dataDir}: ${isServerRunning(dataDir) ? 'berjalan' : 'tidak berjalan'}`);
  return isActive ? 0 : 1;
}

async function waitUntil(isSo: () => boolean): Promise<boolean> {
  const deadline = performance.now() + STARTS_WITHIN_MS;
  while (!isSo()) {
    if (performance.now() > deadline) return false;
    await pause(LOOK_EVERY_MS);
  }
  return true;
}
