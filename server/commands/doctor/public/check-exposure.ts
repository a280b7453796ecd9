import { existsSync, statSync } from 'node:fs';
import { listPorts } from '#server/http/listen/listen.ts';
import type { Settings } from '#server/settings.ts';
import { RUNTIME } from '#server/process/version.ts';
import type { Finding } from '../finding.ts';
import type { Listener } from './listeners.ts';
import { publicAddressesOf, type PublicHost } from './public-host.ts';

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

/** Until when the makers of each version of Node mend it. */
const NODE_SUPPORTED_UNTIL = new Map([
  ['24', '2028-04-30'],
  ['26', '2029-04-30'],
]);

/** What else of this computer is open, and what protects it. */
export function* checkExposure(settings: Settings, host: PublicHost, listeners: Listener[] | null): Generator<Finding> {
  const direct = publicAddressesOf(host);
  yield checkOpenPorts(settings, listeners, direct);
  yield checkFirewall(settings, host, direct);
  yield* checkRoot(settings, host);
  yield checkRuntime(host.now());
}

function checkOpenPorts(settings: Settings, listeners: Listener[] | null, direct: string[]): Finding {
  if (listeners === null) return { what: 'porta lain yang terbuka di komputer ini tidak dapat dibaca' };
  const own = new Set(listPorts(settings));
  const others = listeners.filter(({ port }) => !own.has(port));
  if (others.length === 0) return { what: 'tidak ada porta lain yang terbuka di komputer ini' };
  const more = others.length > LISTED_MAX ? `, dan ${others.length - LISTED_MAX} lagi` : '';
  const shown = others.slice(0, LISTED_MAX).map(describeListener).join(', ') + more;
  const ports = describePorts(settings);
  if (direct.length === 0) {
    return { what: `terbuka juga di jaringan kantor: ${shown}. Di router hanya porta ${ports} yang boleh diteruskan` };
  }
  return {
    what: `komputer ini langsung di internet (${direct.join(', ')}), dan terbuka juga: ${shown}`,
    todo: `Tutup dengan firewall semua selain ${ports}, atau matikan program itu.`,
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

function checkFirewall(settings: Settings, host: PublicHost, direct: string[]): Finding {
  const ports = describePorts(settings);
  const state = readFirewall(host);
  if (state === 'on') return { what: `firewall menyala; dari luar hanya porta ${ports} yang perlu dibuka` };
  const name = host.platform === 'linux' ? 'ufw, firewalld, atau nftables' : 'firewall komputer ini';
  const what = state === 'off' ? `${name} tidak menyala` : 'keadaan firewall tidak dapat dibaca';
  const isProtected = direct.length === 0 && host.platform === 'linux';
  if (state === 'unknown' || isProtected) {
    return { what: `${what}; router melindungi komputer ini selama hanya porta ${ports} yang diteruskan` };
  }
  return { what, todo: `Nyalakan, dan izinkan dari luar hanya porta ${ports} (TCP).` };
}

function readFirewall(host: PublicHost): 'on' | 'off' | 'unknown' {
  switch (host.platform) {
    case 'linux': {
      if (/^ENABLED=yes$/m.test(host.readFile('/etc/ufw/ufw.conf') ?? '')) return 'on';
      const services = ['firewalld', 'nftables'];
      return services.some((name) => host.run('systemctl', ['is-active', '--quiet', name]).ok) ? 'on' : 'off';
    }
    case 'win32': {
      const script =
        "if (@(Get-NetFirewallProfile | Where-Object { $_.Enabled -eq 'False' }).Count -eq 0) { 'on' } else { 'off' }";
      const { output } = host.run('powershell', ['-NoProfile', '-NonInteractive', '-Command', script]);
      return /^(on|off)\s*$/.exec(output)?.[1] === 'on' ? 'on' : output.startsWith('off') ? 'off' : 'unknown';
    }
    case 'darwin': {
      const { output } = host.run('/usr/libexec/ApplicationFirewall/socketfilterfw', ['--getglobalstate']);
      const [, state] = /State = (\d)/.exec(output) ?? [];
      return state === undefined ? 'unknown' : state === '0' ? 'off' : 'on';
    }
    default:
      return 'unknown';
  }
}

/** A server that runs as the owner of its folder can damage this folder only. */
function* checkRoot({ dataDir }: Settings, { platform }: PublicHost): Generator<Finding> {
  if (platform === 'win32' || !existsSync(dataDir) || statSync(dataDir).uid !== 0) return;
  yield {
    what: 'folder data milik root, jadi server berjalan sebagai root',
    todo: `Buat pengguna biasa, misalnya pbb: chown -R pbb: "${dataDir}", lalu service install --user pbb.`,
  };
}

function checkRuntime(nowMs: number): Finding {
  const [major = ''] = RUNTIME.node.split('.');
  const until = NODE_SUPPORTED_UNTIL.get(major);
  if (until === undefined || nowMs <= Date.parse(until))
    return { what: `Node ${RUNTIME.node} masih diperbaiki pembuatnya` };
  return {
    what: `Node ${RUNTIME.node} di dalam program ini tidak diperbaiki lagi sejak ${until}`,
    todo: 'Pasang versi PBB Kita yang lebih baru.',
  };
}
