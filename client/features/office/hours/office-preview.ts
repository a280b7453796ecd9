import { SERVER_TIME_ZONE } from '#client/lib/format.ts';
import type { OfficeHours } from '#shared/api/office.ts';
import { createOfficeCalendar } from '#shared/domain/office-hours.ts';
import { officeText } from '../display/office-text.ts';

/** What residents who do not wait would read now, with these hours and an admin online. @param medianMs the usual wait */
export function previewText(hours: OfficeHours, medianMs: number | null, nowMs: number): string {
  const schedule = { days: hours.days, holidays: hours.holidays, closedAt: hours.closed_today ? nowMs : null };
  const { open, untilMs, opensAtMs } = createOfficeCalendar(schedule, SERVER_TIME_ZONE).stateAt(nowMs);
  const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());
  const status = { open, until: iso(untilMs), opens_at: iso(opensAtMs) };
  const office = { ...status, median_ms: medianMs, ahead: null, admin_online: true, few_waiting: true };
  return officeText(office, nowMs, SERVER_TIME_ZONE) ?? '';
}
