import { formatNumber } from '#client/lib/format.ts';

const oneDecimal = new Intl.NumberFormat('id-ID', { maximumFractionDigits: 1 });
const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'];
/** The server's own messages count by the thousand too. */
const UNIT_STEP = 1000;

/** A size in bytes as people read it: '1,2 GB'. */
export function formatBytes(bytes: number): string {
  let size = Math.max(0, bytes);
  let unit = 0;
  // What rounds up to a thousand is one of the next unit.
  while (size >= UNIT_STEP - 0.05 && unit < UNITS.length - 1) {
    size /= UNIT_STEP;
    unit += 1;
  }
  return `${unit === 0 ? formatNumber(Math.round(size)) : oneDecimal.format(size)} ${UNITS[unit]}`;
}
