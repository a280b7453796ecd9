const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'];
const UNIT_STEP = 1000;
const integerFormat = new Intl.NumberFormat('id-ID');
const oneDecimalFormat = new Intl.NumberFormat('id-ID', { maximumFractionDigits: 1 });

/** A size in bytes as users read it, in decimal units: `1,2 GB`. Negative sizes count as 0. */
export function formatBytes(bytes: number): string {
  let size = Math.max(0, bytes);
  let unit = 0;
  // A size that would be rounded up to 1000 is written in the next unit.
  while (size >= UNIT_STEP - 0.05 && unit < UNITS.length - 1) {
    size /= UNIT_STEP;
    unit += 1;
  }
  return `${unit === 0 ? integerFormat.format(Math.round(size)) : oneDecimalFormat.format(size)} ${UNITS[unit]}`;
}
