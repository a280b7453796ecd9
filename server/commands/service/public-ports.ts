import { errorCode } from '#server/files/atomic.ts';
import { findPortError } from '#server/http/listen/free-port.ts';
import { listPorts } from '#server/http/listen/listen.ts';
import { UNPRIVILEGED_PORT_MIN } from '#server/http/listen/port-advice.ts';
import type { Settings } from '#server/settings.ts';
import { CommandError } from '../terminal/command-errors.ts';

/**
 * The manager of an account's services cannot grant the right to open ports below 1024; the manager of the computer can,
 * and the server still does not run as root (docs/requirements.md R-ACME-25).
 * @throws CommandError when this account may not open a port of the settings
 */
export async function requireOpenablePorts(
  settings: Pick<Settings, 'host' | 'port' | 'tls'>,
  findError: typeof findPortError = findPortError,
): Promise<void> {
  const refused: number[] = [];
  for (const port of listPorts(settings)) {
    if (port === 0 || port >= UNPRIVILEGED_PORT_MIN) continue;
    const error = await findError({ host: settings.host, port });
    if (error && errorCode(error) === 'EACCES') refused.push(port);
  }
  if (refused.length === 0) return;
  throw new CommandError(
    `Porta ${refused.join(' dan ')} hanya dapat dibuka layanan untuk seluruh komputer: ulangi perintah ini dengan sudo di depannya. ` +
      'Server tetap berjalan sebagai pemilik folder data, bukan root.',
  );
}

/** Lines after the installation of a service with a public name: where it is found, and what has to be open for it. */
export function publicHints({ port, tls }: Pick<Settings, 'port' | 'tls'>, platform: NodeJS.Platform): string[] {
  if (!tls.public) return [];
  const suffix = tls.port === 443 ? '' : `:${tls.port}`;
  const addresses = tls.public.domains.map((domain) => `https://${domain}${suffix}`);
  const ports = `${port},${tls.port}`;
  // A directory and people who type no https always come to port 80.
  const forwarded = port === 80 ? '80' : `80 ke porta ${port}`;
  return [
    `Dari luar kantor, sesudah sertifikatnya ada: ${addresses.join('  ')}`,
    `Firewall: ${firewallCommand(ports, platform)}. Di router: teruskan porta ${forwarded} dan ${tls.port} (TCP) ke komputer ini.`,
    'Apakah sudah aman dibuka ke internet: doctor --publik',
  ];
}

function firewallCommand(ports: string, platform: NodeJS.Platform): string {
  if (platform === 'win32')
    return `netsh advfirewall firewall add rule name="PBB Kita" dir=in action=allow protocol=TCP localport=${ports}`;
  if (platform === 'darwin') return 'izinkan program ini (Pengaturan Sistem → Jaringan → Firewall → Opsi)';
  return `bila dipakai (ufw): sudo ufw allow ${ports}/tcp`;
}
