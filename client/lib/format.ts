import { formatDate, formatDateRange, formatDateShort, formatDateTime } from '#shared/domain/dates/date-labels.ts';
import { todayIn } from '#shared/domain/dates/dates.ts';
import { formatNumber, formatRupiah } from '#shared/domain/money/rupiah.ts';
import { DEFAULT_TIME_ZONE } from '#shared/limits.ts';

/** The server's time zone. Every date is shown in it, whatever the zone of the browser is (R-UI-8). */
export const SERVER_TIME_ZONE = document.documentElement.dataset['timeZone'] ?? DEFAULT_TIME_ZONE;

export { formatDateRange, formatNumber, formatRupiah };

/** '31 Januari 2025'; '-' when missing. */
export function showDate(dateOrIso: string | null | undefined): string {
  return formatDate(dateOrIso, SERVER_TIME_ZONE);
}

/** '31 Jan 2025'; '-' when missing. */
export function showDateShort(dateOrIso: string | null | undefined): string {
  return formatDateShort(dateOrIso, SERVER_TIME_ZONE);
}

/** '31 Januari 2025 pukul 14.05'. */
export function showDateTime(iso: string): string {
  return formatDateTime(iso, SERVER_TIME_ZONE);
}

/** Today's calendar date in the server's time zone, 'yyyy-mm-dd'. */
export function today(): string {
  return todayIn(SERVER_TIME_ZONE, Date.now());
}
