import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { urlOf } from '#server/http/listen/listen.ts';
import { isSingleBinary } from '#server/files/resources.ts';
import type { Settings } from '#server/settings.ts';
import { parseOptions, printLine, type Command } from '../terminal/command.ts';
import { requireSettings } from '../data-folder/command-settings.ts';
import { CommandError, UsageError } from '../terminal/command-errors.ts';
import { formatAddressLines } from '../terminal/address-lines.ts';
import { usesPrivilegedPort } from '../data-folder/drop-privileges.ts';
import { isServerRunning } from '../data-folder/running-server.ts';
import type { ServicePlan } from './service-files.ts';
import { publicHints, requireOpenablePorts } from './public-ports.ts';
import { SETTINGS_FILE, settingsLines } from '../data-folder/settings-file.ts';
import {
  findInstalledService,
  createServiceManager,
  PLATFORMS,
  type HostSystem,
  type ServiceManager,
} from './service-managers.ts';

/** The longest wait for the server after the start of the service. */
const START_TIMEOUT_MS = 20_000;
const POLL_EVERY_MS = 250;

type Account = { name: string; uid: number; gid: number };

const thisHost: HostSystem = {
  platform: process.platform,
  uid: process.getuid?.() ?? null,
  get home() {
    return findHome();
  },
  root: '/',
  run(program, args) {
    const { status: code, error, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', windowsHide: true });
    return { ok: code === 0, output: error ? error.message : `${stdout}${stderr}` };
  },
};

/** @returns null for an account that has neither HOME nor an entry in the list of users */
function findHome(): string | null {
  try {
    return homedir();
  } catch {
    return null;
  }
}

/** Makes the server start with the computer and again after a crash (docs/requirements.md R-RUN-13). */
export const service: Command = async (args) => {
  const { values, positionals } = parseOptions(
    args,
    { data: { type: 'string' }, user: { type: 'string' }, for: { type: 'string' } },
    1,
  );
  const [action] = positionals;
  if (values.for !== undefined && action !== 'show') throw new UsageError('Pilihan "--for" hanya untuk service show.');
  const settings = requireSettings({ data: values.data, keepsRoot: () => true });
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

/** The command that starts this program: the single binary, or Node with the script. */
function programCommand(): string[] {
  return isSingleBinary() ? [process.execPath] : [process.execPath, resolve(process.argv[1] ?? '')];
}

function planFor(settings: Settings, host: HostSystem, user: string | null): ServicePlan {
  const isSystemWide = host.platform === 'win32' || host.uid === 0;
  return {
    program: [...programCommand(), 'serve', '--data', settings.dataDir],
    dataDir: settings.dataDir,
    extraWritableDirs: settings.backup.secondDir === null ? [] : [settings.backup.secondDir],
    isSystemWide,
    user: isSystemWide ? user : null,
    usesPrivilegedPort: usesPrivilegedPort(settings),
  };
}

function show(settings: Settings, user: string | undefined, name: string | undefined): number {
  const platform = name === undefined ? thisHost.platform : platformOf(name);
  // For another operating system the system-wide definition is shown.
  const host = platform === thisHost.platform ? thisHost : { ...thisHost, platform, uid: 0 };
  printLine(
    createServiceManager(host)
      .renderDefinition(planFor(settings, host, user ?? null))
      .trimEnd(),
  );
  return 0;
}

function platformOf(name: string): NodeJS.Platform {
  const found = Object.entries(PLATFORMS).find(([key]) => key === name);
  if (!found) throw new UsageError(`--for: nilai "${name}" tidak dikenal; yang diterima: linux, mac, windows`);
  return found[1];
}

async function install(settings: Settings, user: string | undefined): Promise<number> {
  const manager = createServiceManager(thisHost);
  if (findInstalledService(thisHost).requiresRoot) throw rootRequiredError();
  if (user !== undefined && thisHost.uid !== 0)
    throw new CommandError('Pilihan "--user" hanya dapat dipakai oleh root (sudo).');
  const account = thisHost.uid === 0 ? serviceAccount(settings.dataDir, user) : null;
  if (isServerRunning(settings.dataDir) && !manager.isActive()) {
    throw new CommandError(
      'Server sedang berjalan pada folder data ini di luar layanan; hentikan dulu (Ctrl+C), lalu ulangi.',
    );
  }
  if (thisHost.platform === 'linux' && thisHost.uid !== 0) await requireOpenablePorts(settings);
  prepareDataFolder(settings, account);
  runFirstAdminCommand(settings.dataDir, account);
  const warnings = manager.install(planFor(settings, thisHost, account?.name ?? null));
  const isUp = await waitUntil(() => isServerRunning(settings.dataDir));
  printLine(isUp ? 'Layanan terpasang dan berjalan.' : 'Layanan terpasang, tetapi server belum berjalan.');
  if (thisHost.uid === 0 && !account) {
    printLine('Server berjalan sebagai root. Lebih aman dengan pengguna biasa: service install --user NAMA');
  }
  if (isUp) printAddresses(settings);
  for (const hint of [...warnings, ...manager.hints, ...publicHints(settings, thisHost.platform)]) printLine(hint);
  return isUp ? 0 : 1;
}

/** The account of a system-wide service: `--user`, else the owner of the data folder; null: root. */
function serviceAccount(dataDir: string, user: string | undefined): Account | null {
  const owner = statSync(dataDir, { throwIfNoEntry: false })?.uid ?? 0;
  if (user === undefined && owner === 0) return null;
  const wantedUser = user ?? String(owner);
  const [uid, gid, name] = ['-u', '-g', '-un'].map((flag) => thisHost.run('id', [flag, wantedUser]).output.trim());
  if (!/^\d+$/.test(uid ?? '') || !/^\d+$/.test(gid ?? '') || !name) {
    throw new CommandError(`Pengguna "${wantedUser}" tidak ada di komputer ini.`);
  }
  const account = { name, uid: Number(uid), gid: Number(gid) };
  if (existsSync(dataDir) && owner !== account.uid) {
    throw new CommandError(`Folder data bukan milik ${name}. Jalankan dulu: chown -R ${name}: "${dataDir}"`);
  }
  return account;
}

function prepareDataFolder(settings: Settings, account: Account | null): void {
  const made: string[] = [];
  for (const folder of [settings.dataDir, join(settings.dataDir, 'logs')]) {
    if (existsSync(folder)) continue;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    made.push(folder);
  }
  const file = join(settings.dataDir, SETTINGS_FILE);
  const lines = settingsLines();
  if (existsSync(file)) printLine(`Setelan layanan: ${file} (yang sudah ada dipakai)`);
  else if (lines.length > 0) {
    writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 });
    made.push(file);
    printLine(`Setelan layanan disimpan: ${file}`);
  }
  if (account) for (const path of made) chownSync(path, account.uid, account.gid);
}

/** Not left to the start of the service: that would write the generated password into the system journal. */
function runFirstAdminCommand(dataDir: string, account: Account | null): void {
  const [program = '', ...words] = programCommand();
  const { status: code } = spawnSync(program, [...words, 'admin', 'first', '--data', dataDir], {
    stdio: 'inherit',
    windowsHide: true,
    ...(account ? { uid: account.uid, gid: account.gid } : {}),
  });
  if (code !== 0) throw new CommandError('Layanan tidak dipasang.');
}

/** Prints the addresses of the started server. With PORT=0 only its log knows the port. */
function printAddresses(settings: Settings): void {
  if (settings.port === 0) return;
  printLine(`Di komputer ini: ${urlOf('http', settings.host, settings.port)}`);
  for (const line of formatAddressLines(settings, settings.port, false)) printLine(line);
}

const rootRequiredError = (): CommandError =>
  new CommandError('Layanan ini terpasang untuk seluruh komputer; ulangi perintah ini dengan sudo di depannya.');

/** @throws CommandError when no service is installed, or when only root may change it */
function requireInstalled(): ServiceManager {
  const { manager, requiresRoot } = findInstalledService(thisHost);
  if (requiresRoot) throw rootRequiredError();
  if (!manager.isInstalled()) throw new CommandError('Layanan tidak terpasang. Untuk memasangnya: service install');
  return manager;
}

async function start(settings: Settings): Promise<number> {
  const manager = requireInstalled();
  if (!manager.isActive()) manager.start();
  const isUp = await waitUntil(() => manager.isActive() && isServerRunning(settings.dataDir));
  printLine(isUp ? 'Layanan berjalan.' : 'Layanan dijalankan, tetapi server belum berjalan. Sebabnya: doctor');
  if (isUp) printAddresses(settings);
  return isUp ? 0 : 1;
}

async function stop({ dataDir }: Settings): Promise<number> {
  requireInstalled().stop();
  const isDown = await waitUntil(() => !isServerRunning(dataDir));
  printLine(
    isDown ? 'Layanan dihentikan. Untuk menjalankannya lagi: service start' : `Server pada ${dataDir} masih berjalan.`,
  );
  return isDown ? 0 : 1;
}

function uninstall(): number {
  const { manager, requiresRoot } = findInstalledService(thisHost);
  if (requiresRoot) throw rootRequiredError();
  if (!manager.isInstalled()) {
    printLine('Layanan tidak terpasang.');
    return 0;
  }
  manager.uninstall();
  printLine('Layanan dihentikan dan dilepas; data tidak disentuh.');
  return 0;
}

function status({ dataDir }: Settings): number {
  const { manager, requiresRoot } = findInstalledService(thisHost);
  const isActive = manager.isActive();
  const presence = manager.isInstalled()
    ? `terpasang${requiresRoot ? ' (untuk seluruh komputer)' : ''}`
    : 'tidak terpasang';
  printLine(`Layanan: ${presence}, ${isActive ? 'berjalan' : 'tidak berjalan'}`);
  printLine(`Server pada ${dataDir}: ${isServerRunning(dataDir) ? 'berjalan' : 'tidak berjalan'}`);
  return isActive ? 0 : 1;
}

async function waitUntil(condition: () => boolean): Promise<boolean> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (!condition()) {
    if (performance.now() > deadline) return false;
    await pause(POLL_EVERY_MS);
  }
  return true;
}
