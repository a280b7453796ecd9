const monthFormat = new Intl.DateTimeFormat('id-ID', { month: 'short', year: 'numeric', timeZone: 'UTC' });

/** 'Jan 2026' of '2026-01'. */
export function formatMonth(month: string): string {
  return monthFormat.format(Date.parse(`${month}-01T00:00:00Z`));
}
