import { connect } from 'node:net';
import { errorTexts } from '#shared/texts.ts';
import { isPublicAddress } from '#server/features/push/endpoints/public-addresses.ts';
import { errorCode } from '#server/files/atomic.ts';
import { findPortError } from '#server/http/listen/free-port.ts';
import { isLoopback, lanAddresses } from '#server/http/listen/lan-addresses.ts';
import { listPorts } from '#server/http/listen/listen.ts';
import { adviseOnPort, UNPRIVILEGED_PORT_MIN } from '#server/http/listen/port-advice.ts';
import { usesPrivilegedPort } from '../data-folder/drop-privileges.ts';
import { blocksPrivilegedPort, isInstalledUnit } from '../service/service-files.ts';
import { listPushOrigins } from './account-queries.ts';
import { inspectDatabase } from './check-database.ts';
import type { Finding, Installation } from './check.ts';

const HEALTH_TIMEOUT_MS = 3000;
/** A server whose database is lost answers with 503 within five seconds. */
const OWN_HEALTH_TIMEOUT_MS = 6000;
const PUSH_ORIGINS_MAX = 5;

export async function checkPort(name: 'PORT' | 'TLS_PORT', { settings, isRunning }: Installation): Promise<Finding> {
  const { host, port, tls } = settings;
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
    const isOurs = await isServer(host, port, isRunning ? OWN_HEALTH_TIMEOUT_MS : HEALTH_TIMEOUT_MS);
    if (isOurs && isRunning) return { what: `porta ${number} dipakai server PBB Kita yang sedang berjalan` };
    const another = number + (number < UNPRIVILEGED_PORT_MIN ? 8000 : 80);
    const stop = `Hentikan program itu, atau pilih porta lain, misalnya ${name}=${another}`;
    return {
      what: `porta ${number} dipakai ${isOurs ? 'server PBB Kita dari folder data lain' : 'program lain'}`,
      advice: advice === null || portError !== 'EADDRINUSE' ? `${stop}.` : `${stop}; ${advice}.`,
    };
  }
  if (portError !== 'EACCES') {
    return { what: `${host} porta ${number} tidak dapat dipakai (${portError})`, advice: 'Periksa setelan HOST.' };
  }
  if (isWaiting) return { what: `porta ${number} ${unopened}` };
  // The rights of the service are checked by themselves.
  if (isInstalledUnit(() => true)) return { what: `porta ${number} dibuka oleh layanan yang terpasang` };
  return {
    what: `${host} porta ${number} tidak dapat dipakai (${portError})`,
    advice: `Pilih porta 1024 sampai 65535${advice === null ? '' : `; ${advice}`}.`,
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

/** Whether a server of this program answers there, also one that waits for its database. */
async function isServer(host: string, port: number, timeoutMs: number): Promise<boolean> {
  const local = localHost(host);
  const name = local.includes(':') ? `[${local}]` : local;
  try {
    const answer = await fetch(`http://${name}:${port}/healthz`, { signal: AbortSignal.timeout(timeoutMs) });
    const text = await answer.text();
    return answer.ok ? text === '{"status":"ok"}' : answer.status === 503 && text.includes(errorTexts.busy);
  } catch {
    return false;
  }
}

/** The service was installed before the settings named a port below 1024. */
export function checkServiceRights({ settings }: Installation): Finding | null {
  if (!usesPrivilegedPort(settings) || !isInstalledUnit(blocksPrivilegedPort)) return null;
  return {
    what: `layanan yang terpasang tidak berhak membuka porta ${listPorts(settings).join(' dan ')}`,
    advice: 'Ulangi: sudo … service install',
  };
}

export function checkNetwork({ settings: { host, port } }: Installation): Finding {
  if (isLoopback(host)) return { what: `HOST=${host}: hanya komputer ini yang dapat membukanya` };
  const addresses = lanAddresses(host, port || 3000);
  if (addresses.length > 0) return { what: `alamat di jaringan kantor: ${addresses.join('  ')}` };
  return { what: 'komputer ini tidak tersambung ke jaringan kantor', advice: 'Sambungkan kabel LAN atau Wi-Fi.' };
}

/** Without the internet notifications wait; messages do not (docs/requirements.md R-ACME-34). */
export function checkPush(installation: Installation): AsyncGenerator<Finding> {
  return inspectDatabase(installation, async function* (orm) {
    const origins = await listPushOrigins(orm, PUSH_ORIGINS_MAX);
    const isAnswered = await Promise.all(origins.map((origin) => answers(origin, installation)));
    const silent = origins.filter((_, at) => isAnswered[at] === false).map((origin) => new URL(origin).hostname);
    if (origins.length === 0) return;
    // A user may name a push service that does not exist; one that answers shows that pushes get out.
    const exceptions = silent.length > 0 ? `, kecuali ${silent.join(', ')}` : '';
    yield silent.length < origins.length
      ? { what: `layanan notifikasi terjangkau${exceptions}` }
      : {
          what: `notifikasi tidak keluar: ${silent.join(', ')} tidak menjawab`,
          advice:
            'Periksa sambungan internet komputer ini. Pesan tidak hilang: terbaca di aplikasi, dan notifikasinya dikirim kemudian.',
        };
  });
}

/** Users named these origins, so only public addresses are asked. */
async function answers(origin: string, { settings, computer }: Installation): Promise<boolean> {
  if (!settings.pushAllow.includes(origin)) {
    const addresses = (await computer.resolve(new URL(origin).hostname)) ?? [];
    if (addresses.length === 0 || !addresses.every(isPublicAddress)) return false;
  }
  return (await computer.fetchStatus(origin)) !== null;
}
