import { X509Certificate } from 'node:crypto';
import { constants, existsSync, readFileSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { readFileAges } from '#server/db/data-folder/installation-state.ts';
import { listOldCopies } from '#server/operations/installation/expired-copies.ts';
import { listBackups, type Backup } from '#server/operations/backups/archive-names.ts';
import { readStoredFailures } from '#server/operations/backups/status-file.ts';
import { hasAccess } from '#server/files/access.ts';
import { errorCode } from '#server/files/atomic.ts';
import { findPortError } from '#server/http/listen/free-port.ts';
import { isLoopback, lanAddresses } from '#server/http/listen/lan-addresses.ts';
import { listPorts, usesHttps } from '#server/http/listen/listen.ts';
import { adviseOnPort, UNPRIVILEGED_PORT_MIN } from '#server/http/listen/port-advice.ts';
import type { Settings } from '#server/settings.ts';
import { openUserCertificate } from '#server/operations/tls/user-certificate.ts';
import { isWiderThanNeeded } from '#server/operations/tls/certificates.ts';
import { usesPrivilegedPort } from '../data-folder/drop-privileges.ts';
import { CLOCK_TOLERANCE_MS, type Finding } from './finding.ts';
import { checkPublicCertificate } from './public/check-certificate.ts';
import { checkPush } from './public/check-push.ts';
import { thisHost, type PublicHost } from './public/public-host.ts';
import { blocksFolder, blocksPrivilegedPort, SYSTEM_UNIT } from '../service/service-files.ts';
import { DAY_MS, HOUR_MS } from '#shared/durations.ts';

/** A backup may be delayed by a start of the server or a busy disk. */
const OVERDUE_FACTOR = 2;
/** Without automatic backups, a manual one is expected this often. */
const MANUAL_BACKUP_EVERY_MS = 7 * DAY_MS;
const CERTIFICATE_WARNING_MS = 14 * DAY_MS;
const HEALTH_TIMEOUT_MS = 3000;
const LISTED_COPIES_MAX = 5;
const PLAUSIBLE_YEARS = { from: 2025, to: 2099 };

/** Checks the port, the clock, the backups, the certificates and the network. */
export async function* checkEnvironment(
  settings: Settings,
  isRunning: boolean,
  host: PublicHost = thisHost,
): AsyncGenerator<Finding> {
  yield await checkPort('PORT', settings, isRunning);
  yield checkClock(settings.timeZone);
  yield* checkBackups(settings);
  if (usesHttps(settings)) yield await checkPort('TLS_PORT', settings, isRunning);
  yield* checkServiceRights(settings);
  if (settings.tls.files || settings.tls.local) {
    yield checkCertificate(settings);
    if (!settings.tls.files) yield* checkAuthority(settings.dataDir);
  }
  yield* checkPublicCertificate(settings, host.now());
  yield checkNetwork(settings);
  yield* checkPush(settings, host);
}

async function checkPort(
  name: 'PORT' | 'TLS_PORT',
  { host, port, tls }: Settings,
  isRunning: boolean,
): Promise<Finding> {
  const number = name === 'PORT' ? port : tls.port;
  if (number === 0) return { what: `${name}=0: porta yang bebas diambil saat server dinyalakan` };
  const error = await findPortError({ host, port: number });
  const portError = error && (errorCode(error) ?? error.message);
  const isWaiting = name === 'TLS_PORT' && isRunning && tls.public !== null;
  const unopened = isWaiting ? 'dibuka begitu sertifikatnya ada' : 'server yang berjalan memakai porta lain';
  if (portError === null) return { what: `porta ${number} bebas${isRunning ? ` (${unopened})` : ''}` };
  // Linux refuses a small port to this account before it looks who has it.
  const isUsed = portError === 'EADDRINUSE' || (portError === 'EACCES' && (await isOpen(host, number)));
  const advice = adviseOnPort(portError, number);
  if (isUsed) {
    const isOurs = await isHealthy(host, port);
    if (isOurs && isRunning) return { what: `porta ${number} dipakai server PBB Kita yang sedang berjalan` };
    const another = number + (number < UNPRIVILEGED_PORT_MIN ? 8000 : 80);
    const stop = `Hentikan program itu, atau pilih porta lain, misalnya ${name}=${another}`;
    return {
      what: `porta ${number} dipakai ${isOurs ? 'server PBB Kita dari folder data lain' : 'program lain'}`,
      todo: advice === null || portError !== 'EADDRINUSE' ? `${stop}.` : `${stop}; ${advice}.`,
    };
  }
  if (portError !== 'EACCES') {
    return { what: `${host} porta ${number} tidak dapat dipakai (${portError})`, todo: 'Periksa setelan HOST.' };
  }
  if (isWaiting) return { what: `porta ${number} ${unopened}` };
  // The rights of the service are checked by themselves.
  if (isUnit(() => true)) return { what: `porta ${number} dibuka oleh layanan yang terpasang` };
  return {
    what: `${host} porta ${number} tidak dapat dipakai (${portError})`,
    todo: `Pilih porta 1024 sampai 65535${advice === null ? '' : `; ${advice}`}.`,
  };
}

/** Whether a program accepts connections there. */
function isOpen(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: localHost(host), port, timeout: HEALTH_TIMEOUT_MS });
    const answer = (result: boolean): void => {
      socket.destroy();
      resolve(result);
    };
    socket.once('connect', () => answer(true));
    for (const event of ['error', 'timeout']) socket.once(event, () => answer(false));
  });
}

/** The address at which this computer reaches a server that listens on the host. */
const localHost = (host: string): string => (host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host);

/** The service was installed before the settings named a port below 1024. */
function* checkServiceRights(settings: Settings): Generator<Finding> {
  if (!usesPrivilegedPort(settings) || !isUnit(blocksPrivilegedPort)) return;
  yield {
    what: `layanan yang terpasang tidak berhak membuka porta ${listPorts(settings).join(' dan ')}`,
    todo: 'Ulangi: sudo … service install',
  };
}

async function isHealthy(host: string, port: number): Promise<boolean> {
  const local = localHost(host);
  const name = local.includes(':') ? `[${local}]` : local;
  try {
    const answer = await fetch(`http://${name}:${port}/healthz`, { signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS) });
    return answer.ok && (await answer.text()) === '{"status":"ok"}';
  } catch {
    return false;
  }
}

function checkClock(timeZone: string): Finding {
  const now = new Date();
  const year = now.getUTCFullYear();
  const shown = new Intl.DateTimeFormat('id-ID', { dateStyle: 'full', timeStyle: 'short', timeZone }).format(now);
  const what = `jam: ${shown} (${timeZone})`;
  if (year >= PLAUSIBLE_YEARS.from && year <= PLAUSIBLE_YEARS.to) return { what };
  return { what, todo: 'Tahunnya tidak masuk akal: perbaiki tanggal komputer, dan nyalakan penyetelan jam otomatis.' };
}

async function* checkBackups({ dataDir, timeZone, backup }: Settings): AsyncGenerator<Finding> {
  const folder = join(dataDir, 'backups');
  const database = statSync(join(dataDir, 'pbb.sqlite'), { throwIfNoEntry: false });
  if (database) {
    const all = await listBackups(folder, timeZone);
    // A backup dated in the future got its name from a wrong clock, so it is not the last one.
    const newest = all.find(({ createdAtMs }) => createdAtMs <= Date.now() + CLOCK_TOLERANCE_MS);
    yield* checkFutureBackups(all);
    const allowedMs = backup.everyHours > 0 ? backup.everyHours * HOUR_MS * OVERDUE_FACTOR : MANUAL_BACKUP_EVERY_MS;
    const off = backup.everyHours > 0 ? '' : '; cadangan otomatis dimatikan (BACKUP_EVERY_HOURS=0)';
    // The last change counts, not the present time: while the computer was off nothing was written.
    const changedMs = Math.max(database.mtimeMs, mtimeOf(join(dataDir, 'pbb.sqlite-wal')));
    const since = newest?.createdAtMs ?? database.birthtimeMs;
    const last = findLastKnown(dataDir, all);
    const shown = last?.isAhead ? last.ageMs : newest && Date.now() - newest.createdAtMs;
    const what = shown === undefined ? `belum ada cadangan${off}` : `cadangan terakhir ${formatAge(shown)}${off}`;
    const isOldByClock = changedMs - since > allowedMs;
    // The clock may have been set: an old backup is old by operating time too, where the server has measured it.
    const isOld = last ? last.ageMs > allowedMs && (isOldByClock || last.isAhead) : isOldByClock;
    yield isOld
      ? { what, todo: 'Buat cadangan sekarang: backup. Biarkan server berjalan agar cadangan otomatis dibuat.' }
      : { what, ...(shown === undefined ? { hint: firstBackupHint(backup.everyHours) } : {}) };
  }
  const copies = listOldCopies({ dataDir, backupsDir: folder });
  if (copies.length > 0) {
    const some = copies.slice(0, LISTED_COPIES_MAX).join(', ') + (copies.length > LISTED_COPIES_MAX ? ', …' : '');
    yield { what: `salinan data lama, dihapus sendiri sesudah 30 atau 90 hari kecuali yang terbaru: ${some}` };
  }
  const { failure, second } = readStoredFailures(folder);
  if (failure) yield { what: `pencadangan terakhir gagal (${failure.at})`, todo: failure.message };
  if (backup.secondDir === null) return;
  yield checkSecondFolder(backup.secondDir, dataDir);
  if (second?.failure) yield { what: 'cadangan terakhir tidak tersalin ke folder kedua', todo: second.failure };
}

/** A new installation has no backup yet, which is no problem but should not read as a passed check. */
const firstBackupHint = (everyHours: number): string =>
  everyHours > 0
    ? 'Server membuat yang pertama sendiri; untuk membuatnya sekarang: backup.'
    : 'Buat yang pertama: backup.';

/** The backup that was made last, by operating time; undefined where no server has measured it. */
function findLastKnown(dataDir: string, all: Backup[]): { ageMs: number; isAhead: boolean } | undefined {
  const ages = readFileAges(dataDir, 'backups');
  const known = all.flatMap(({ name, createdAtMs }) => {
    const ageMs = ages[name];
    return ageMs === undefined ? [] : [{ ageMs, isAhead: createdAtMs > Date.now() + CLOCK_TOLERANCE_MS }];
  });
  return known.toSorted((a, b) => a.ageMs - b.ageMs)[0];
}

function* checkFutureBackups(all: Backup[]): Generator<Finding> {
  const ahead = all.filter(({ createdAtMs }) => createdAtMs > Date.now() + CLOCK_TOLERANCE_MS);
  const [first] = ahead;
  if (!first) return;
  yield {
    what: `${ahead.length} cadangan bertanggal masa depan, misalnya ${first.name}`,
    todo: 'Periksa tanggal komputer. Bila tanggalnya benar, pindahkan cadangan itu ke folder lain: namanya salah.',
  };
}

const mtimeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

function formatAge(ms: number): string {
  if (ms < HOUR_MS) return `${Math.max(0, Math.floor(ms / 60_000))} menit lalu`;
  return ms < 2 * DAY_MS ? `${Math.floor(ms / HOUR_MS)} jam lalu` : `${Math.floor(ms / DAY_MS)} hari lalu`;
}

function checkSecondFolder(secondDir: string, dataDir: string): Finding {
  const what = `folder cadangan kedua "${secondDir}"`;
  if (!existsSync(secondDir)) {
    return {
      what: `${what} tidak ada`,
      todo: 'Pasang disk USB atau sambungkan folder jaringan itu, atau ubah BACKUP_SECOND_DIR.',
    };
  }
  if (!hasAccess(secondDir, constants.W_OK | constants.X_OK)) {
    return { what: `${what} tidak dapat ditulis`, todo: 'Perbaiki haknya untuk pengguna yang menjalankan server.' };
  }
  if (isUnit((unit) => blocksFolder(unit, secondDir))) {
    return { what: `${what} tertutup bagi layanan yang terpasang`, todo: 'Ulangi: sudo … service install' };
  }
  const isSameDisk = existsSync(dataDir) && statSync(secondDir).dev === statSync(dataDir).dev;
  if (!isSameDisk) return { what: `${what} dapat ditulis` };
  return {
    what: `${what} ada pada disk yang sama dengan data`,
    todo: 'Pilih disk lain: bila disk ini rusak, keduanya hilang.',
  };
}

/** Whether the installed unit is so; false when there is none. */
function isUnit(test: (unit: string) => boolean): boolean {
  try {
    return test(readFileSync(SYSTEM_UNIT, 'utf8'));
  } catch {
    return false;
  }
}

function checkCertificate({ tls, dataDir }: Settings): Finding {
  const file = tls.files?.cert ?? join(dataDir, 'tls', 'server.crt');
  if (!tls.files && !existsSync(file)) return { what: 'sertifikat https belum ada; dibuat saat server dinyalakan' };
  try {
    // The same check as at the start of the server.
    if (tls.files) openUserCertificate(tls.files, Date.now);
    const { validToDate } = new X509Certificate(readFileSync(file));
    const what = `sertifikat https berlaku sampai ${validToDate.toISOString().slice(0, 10)}`;
    // The server renews its own certificate automatically.
    const isEnding = tls.files !== null && validToDate.getTime() - Date.now() < CERTIFICATE_WARNING_MS;
    return isEnding ? { what, todo: 'Perbarui sertifikat itu sebelum habis.' } : { what };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { what: `sertifikat https tidak dapat dipakai: ${reason}`, todo: 'Perbaiki atau ganti berkasnya.' };
  }
}

/**
 * Reports an authority of version 1.0.0, which vouches for more than it needs. This is no problem to mend at once: a
 * new authority has to be trusted again on every device, so the operator chooses when.
 */
function* checkAuthority(dataDir: string): Generator<Finding> {
  const file = join(dataDir, 'tls', 'ca.crt');
  try {
    if (!existsSync(file) || !isWiderThanNeeded(new X509Certificate(readFileSync(file)))) return;
  } catch {
    // The start of the server reports a certificate that cannot be read, and so does the line before this one.
    return;
  }
  yield {
    what:
      'sertifikat induk https dibuat versi lama dan menjamin lebih banyak daripada yang perlu; tetap dapat dipakai. ' +
      'Menggantinya: lihat "Sertifikat induk dari versi lama" di panduan (help panduan)',
  };
}

function checkNetwork({ host, port }: Settings): Finding {
  if (isLoopback(host)) return { what: `HOST=${host}: hanya komputer ini yang dapat membukanya` };
  const addresses = lanAddresses(host, port || 3000);
  if (addresses.length > 0) return { what: `alamat di jaringan kantor: ${addresses.join('  ')}` };
  return { what: 'komputer ini tidak tersambung ke jaringan kantor', todo: 'Sambungkan kabel LAN atau Wi-Fi.' };
}
