import { renderUnicodeCompact } from 'uqr';
import { isLoopback, lanAddresses } from '#server/http/listen/lan-addresses.ts';
import type { Settings } from '#server/settings.ts';

/** Black on white in every terminal: cameras do not recognise an inverted QR code. */
const QR_CODE_COLORS = '\u001B[97;40m';
const RESET_COLORS = '\u001B[0m';

/**
 * Lines with the addresses at which other devices reach the server.
 * @param port the port on which it listens, never 0
 * @param withQrCode adds a QR code for phones; makes sense on a terminal only
 */
export function formatAddressLines({ host }: Pick<Settings, 'host'>, port: number, withQrCode: boolean): string[] {
  if (isLoopback(host)) {
    return ['Hanya komputer ini yang dapat membukanya (HOST). Untuk seluruh kantor: HOST=0.0.0.0'];
  }
  const addresses = lanAddresses(host, port);
  const [best] = addresses;
  if (best === undefined)
    return ['Komputer ini tidak tersambung ke jaringan; hanya komputer ini yang dapat membukanya.'];
  const lines = ['Dari komputer dan HP lain di jaringan kantor:', ...addresses.map((address) => `  ${address}`)];
  return withQrCode ? [...lines, ...qrCodeLines(best)] : lines;
}

function qrCodeLines(address: string): string[] {
  const rows = renderUnicodeCompact(address, { border: 2 }).split('\n');
  return [
    '',
    ...rows.map((row) => `  ${QR_CODE_COLORS}${row}${RESET_COLORS}`),
    '  Arahkan kamera HP ke kotak ini.',
    '',
  ];
}
