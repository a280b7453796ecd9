import type { Office, OfficeStatus, PublicOffice } from '#shared/api/office/office.ts';
import { formatTime, weekdayAndDate } from '#shared/domain/dates/date-labels.ts';
import { addDays, todayIn } from '#shared/domain/dates/dates.ts';
import { type OfficeDay, WEEKDAY_NAMES } from '#shared/domain/office/office-days.ts';
import { HOUR_MS, MINUTE_MS } from '#shared/durations.ts';
import { FEW_WAITING_MAX } from '#shared/limits.ts';

/** From here on a wait is told in hours. */
const HOURS_FROM_MS = 90 * MINUTE_MS;

/** 'Senin 08.00', 'hari ini 13.00', or from a week on 'Senin, 4 Januari pukul 08.00'. */
function openingLabel(opensAt: string, nowMs: number, timeZone: string): string {
  const at = Date.parse(opensAt);
  const time = formatTime(opensAt, timeZone);
  const [day, today] = [todayIn(timeZone, at), todayIn(timeZone, nowMs)];
  if (day === today) return `hari ini ${time}`;
  const { weekday, date } = weekdayAndDate(at, timeZone);
  return day < addDays(today, 7) ? `${weekday} ${time}` : `${weekday}, ${date} pukul ${time}`;
}

/** 'kurang dari 1 menit', '4 menit', '2 jam kerja'. */
function waitLabel(ms: number, isInOpeningHours: boolean): string {
  if (ms < MINUTE_MS) return 'kurang dari 1 menit';
  if (ms < HOURS_FROM_MS) return `${Math.round(ms / MINUTE_MS)} menit`;
  return `${Math.round(ms / HOUR_MS)} jam${isInOpeningHours ? ' kerja' : ''}`;
}

const sameHours = (one: OfficeDay, other: OfficeDay): boolean => one.open === other.open && one.close === other.close;

/** 'Senin–Kamis 08.00–15.00, Jumat 08.00–11.30'; days that follow each other with the same hours stand together. */
function weekText(days: readonly OfficeDay[]): string {
  const groups: { from: OfficeDay; to: OfficeDay }[] = [];
  for (const day of days) {
    const last = groups.at(-1);
    if (last && sameHours(last.from, day)) last.to = day;
    else groups.push({ from: day, to: day });
  }
  return groups
    .filter(({ from }) => from.open !== null)
    .map(({ from, to }) => {
      const names = [...new Set([from, to])].map(({ weekday }) => WEEKDAY_NAMES[weekday - 1]).join('–');
      return `${names} ${`${from.open}–${from.close}`.replaceAll(':', '.')}`;
    })
    .join(', ');
}

/**
 * The hours for everybody, as on a door (docs/requirements.md R-AUTH-26); empty when none were set.
 * @returns the week, and what is true now
 */
export function publicHoursTexts(office: PublicOffice, nowMs: number, timeZone: string): string[] {
  const { days, open, until, opens_at: opensAt } = office;
  const week = days ? weekText(days) : '';
  if (week === '') return [];
  const opening = opensAt === null ? '' : `, buka ${openingLabel(opensAt, nowMs, timeZone)}`;
  const state = open ? `buka${until === null ? '' : ` s.d. ${formatTime(until, timeZone)}`}` : `tutup${opening}`;
  return [`Jam layanan kantor: ${week}.`, `Sekarang ${state}.`];
}

/** The line of a closed office. */
function closedText({ opens_at }: OfficeStatus, nowMs: number, timeZone: string): string {
  const opening = opens_at === null ? '' : ` Buka ${openingLabel(opens_at, nowMs, timeZone)}.`;
  return `Kantor tutup.${opening} Pesan Anda tetap tersimpan.`;
}

/** The part of the state of the office that the chat shows. */
type ChatOffice = Omit<Office, 'user_years'>;

/** When the office will answer: 'hari ini sebelum 15.00', 'Senin 08.00', or without hours 'secepatnya'. */
function answerLabel({ until, opens_at: opensAt }: OfficeStatus, nowMs: number, timeZone: string): string {
  if (until !== null) return `hari ini sebelum ${formatTime(until, timeZone)}`;
  return opensAt === null ? 'secepatnya' : openingLabel(opensAt, nowMs, timeZone);
}

/** Whether an admin is there, and if not, when a message will be answered (docs/requirements.md R-CHAT-60). */
export function presenceText(office: ChatOffice, nowMs: number, timeZone: string): string {
  if (office.admin_online) return 'Admin sedang aktif';
  return `Admin sedang tidak aktif. Pesan Anda tersimpan dan dibalas ${answerLabel(office, nowMs, timeZone)}.`;
}

/** The usual time until an answer; null while that cannot be promised. */
function promisedWait(office: ChatOffice): string | null {
  const { open, until, median_ms: medianMs, ahead } = office;
  const areFewBefore = ahead === null ? office.few_waiting : ahead <= FEW_WAITING_MAX;
  if (!open || !office.admin_online || !areFewBefore || medianMs === null) return null;
  return `biasanya dibalas dalam ${waitLabel(medianMs, until !== null)}`;
}

/**
 * The line under the head of a resident's chat (docs/requirements.md R-OFFICE-7); null when there is nothing to promise.
 * @param nowMs decides whether an opening is today
 */
export function officeText(office: ChatOffice, nowMs: number, timeZone: string): string | null {
  const { open, until, ahead } = office;
  const place = ahead === null ? null : `Antrean Anda: ke-${ahead + 1}`;
  // The words about an absent admin say already when the office answers.
  if (!office.admin_online) return place;
  if (!open) return [place, closedText(office, nowMs, timeZone)].filter((part) => part !== null).join(' · ');
  const hours = until === null ? null : `Kantor buka s.d. ${formatTime(until, timeZone)}`;
  const text = [place ?? hours, promisedWait(office)].filter((part) => part !== null).join(' · ');
  return text === '' ? null : text.charAt(0).toUpperCase() + text.slice(1);
}
