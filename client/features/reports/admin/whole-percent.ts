/** A part in whole percent (R-REPORT-7); 0 when the whole is 0. */
export function wholePercent(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 100);
}
