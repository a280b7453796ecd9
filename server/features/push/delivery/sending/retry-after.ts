/** The time that a push service asks for, in seconds or as a date (RFC 9110, 10.2.3). @returns null without a usable one */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  // `Date.parse` reads much that is no date of HTTP, such as '1.5'.
  const at = /^[A-Za-z]{3}, /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs);
}
