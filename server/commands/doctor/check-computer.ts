import { existsSync, statSync } from 'node:fs';
import { listPorts } from '#server/http/listen/listen.ts';
import { RUNTIME } from '#server/process/version.ts';
import type { Settings } from '#server/settings.ts';
import type { Finding, Installation } from './check.ts';
import type { Listener } from './listeners.ts';
import { publicAddressesOf, type ServerComputer } from './server-computer.ts';

const PLAUSIBLE_YEARS = { from: 2025, to: 2099 };
/** Services that are attacked as soon as they are reachable. */
const SERVICES = new Map([
  [21, 'FTP'],
  [22, 'SSH'],
  [23, 'Telnet'],
  [135, 'RPC Windows'],
  [139, 'berbagi berkas'],
  [445, 'berbagi berkas'],
  [1433, 'SQL Server'],
  [3306, 'MySQL'],
  [3389, 'Remote Desktop'],
  [5432, 'PostgreSQL'],
  [5900, 'VNC'],
  [6379, 'Redis'],
  [27017, 'MongoDB'],
]);
const LISTED_MAX = 12;

/** The last day on which each version of Node gets security fixes. */
const NODE_SUPPORTED_UNTIL = new Map([
  ['24', '2028-04-30'],
  ['26', '2029-04-30'],
]);

export function checkClock({ settings: { timeZone } }: Installation): Finding {
  const now = new Date();
  const year = now.getUTCFullYear();
  const shown = new Intl.DateTimeFormat('id-ID', { dateStyle: 'full', timeStyle: 'short', timeZone }).format(now);
  const what = `jam: ${shown} (${timeZone})`;
  if (year >= PLAUSIBLE_YEARS.from && year <= PLAUSIBLE_YEARS.to) return { what };
  return {
    what,
    advice: 'Tahunnya tidak masuk akal: perbaiki tanggal komputer, dan nyalakan penyetelan jam otomatis.',
  };
}

/** Lists the other programs of this computer that can be reached. */
export function checkOpenPorts({ settings, listeners, computer }: Installation): Finding {
  if (listeners === null) return { what: 'porta lain yang terbuka di komputer ini tidak dapat dibaca' };
  const own = new Set(listPorts(settings));
  const others = listeners.filter(({ port }) => !own.has(port));
  if (others.length === 0) return { what: 'tidak ada porta lain yang terbuka di komputer ini' };
  const more = others.length > LISTED_MAX ? `, dan ${others.length - LISTED_MAX} lagi` : '';
  const shown = others.slice(0, LISTED_MAX).map(describeListener).join(', ') + more;
  const ports = describePorts(settings);
  const direct = publicAddressesOf(computer);
  if (direct.length === 0) {
    return { what: `terbuka juga di jaringan kantor: ${shown}. Di router hanya porta ${ports} yang boleh diteruskan` };
  }
  return {
    what: `komputer ini langsung di internet (${direct.join(', ')}), dan terbuka juga: ${shown}`,
    advice: `Tutup dengan firewall semua selain ${ports}, atau matikan program itu.`,
  };
}

/** With port 0 only the running server knows its number. */
const describePorts = (settings: Settings): string =>
  listPorts(settings)
    .filter((port) => port !== 0)
    .join(' dan ') || 'PBB Kita';

function describeListener({ port, program }: Listener): string {
  const names = [SERVICES.get(port), program ?? undefined].filter((name) => name !== undefined);
  return names.length > 0 ? `${port} (${names.join(', ')})` : String(port);
}

export function checkFirewall({ settings, computer }: Installation): Finding {
  const ports = describePorts(settings);
  const state = readFirewall(computer);
  if (state === 'on') return { what: `firewall menyala; dari luar hanya porta ${ports} yang perlu dibuka` };
  const name = computer.platform === 'linux' ? 'ufw, firewalld, atau nftables' : 'firewall komputer ini';
  const what = state === 'off' ? `${name} tidak menyala` : 'keadaan firewall tidak dapat dibaca';
  const isProtected = publicAddressesOf(computer).length === 0 && computer.platform === 'linux';
  if (state === 'unknown' || isProtected) {
    return { what: `${what}; router melindungi komputer ini selama hanya porta ${ports} yang diteruskan` };
  }
  return { what, advice: `Nyalakan, dan izinkan dari luar hanya porta ${ports} (TCP).` };
}

function readFirewall(computer: ServerComputer): 'on' | 'off' | 'unknown' {
  switch (computer.platform) {
    case 'linux': {
      if (/^ENABLED=yes$/m.test(computer.readFile('/etc/ufw/ufw.conf') ?? '')) return 'on';
      const services = ['firewalld', 'nftables'];
      return services.some((name) => computer.run('systemctl', ['is-active', '--quiet', name]).ok) ? 'on' : 'off';
    }
    case 'win32': {
      const script =
        "if (@(Get-NetFirewallProfile | Where-Object { $_.Enabled -eq 'False' }).Count -eq 0) { 'on' } else { 'off' }";
      const { output } = computer.run('powershell', ['-NoProfile', '-NonInteractive', '-Command', script]);
      return /^(on|off)\s*$/.exec(output)?.[1] === 'on' ? 'on' : output.startsWith('off') ? 'off' : 'unknown';
    }
    case 'darwin': {
      const { output } = computer.run('/usr/libexec/ApplicationFirewall/socketfilterfw', ['--getglobalstate']);
      const [, state] = /State = (\d)/.exec(output) ?? [];
      return state === undefined ? 'unknown' : state === '0' ? 'off' : 'on';
    }
    default:
      return 'unknown';
  }
}

/** A server that runs as the owner of its folder can damage this folder only. */
export function checkRoot({ settings: { dataDir }, computer }: Installation): Finding | null {
  if (computer.platform === 'win32' || !existsSync(dataDir) || statSync(dataDir).uid !== 0) return null;
  return {
    what: 'folder data milik root, jadi server berjalan sebagai root',
    advice: `Buat pengguna biasa, misalnya pbb: chown -R pbb: "${dataDir}", lalu service install --user pbb.`,
  };
}

export function checkRuntime({ computer }: Installation): Finding {
  const [major = ''] = RUNTIME.node.split('.');
  const until = NODE_SUPPORTED_UNTIL.get(major);
  if (until === undefined || computer.now() <= Date.parse(until))
    return { what: `Node ${RUNTIME.node} masih diperbaiki pembuatnya` };
  return {
    what: `Node ${RUNTIME.node} di dalam program ini tidak diperbaiki lagi sejak ${until}`,
    advice: 'Pasang versi PBB Kita yang lebih baru.',
  };
}
