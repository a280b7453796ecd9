import { renderUnicodeCompact } from 'uqr';
import { isLoopback, lanAddresses } from '#server/http/listen/lan-addresses.ts';
import type { Settings } from '#server/settings.ts';

/** Black on white whatever the terminal's own colours are: a camera reads no negative. */
const QR_CODE_COLORS = '\u001B[97;40m';
const RESET_COLORS = '\u001B[0m';

/**
 * Where the office can reach the server, for whoever started it.
 * @param port what it listens on in the end
 * @param withQrCode whether to draw the code that a phone's camera reads: on a terminal only
 * @returns lines
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
