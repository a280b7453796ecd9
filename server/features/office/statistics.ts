import type { ChatStatistics } from '#shared/api/office/chat-statistics.ts';
import { addDays, type InstantRange, startOfDayMs } from '#shared/domain/dates/dates.ts';
import { createOfficeCalendar, type OfficeSchedule } from '#shared/domain/office/office-hours.ts';
import { CHAT_STATISTICS_MAX_BYTES, MEDIAN_ANSWERS_MIN } from '#shared/limits.ts';
import type { Connection } from '#server/db/engine.ts';
import { readWaits, readWaitsOfRange, type Wait } from './waits-queries.ts';

/** The part of the statistics that follows from the messages of a range. */
type WaitStatistics = Omit<ChatStatistics, 'waiting'>;

/** Without a schedule nobody set opening hours, and every hour counts. */
type Hours = { schedule: OfficeSchedule | null; timeZone: string };

/** @returns the wait (ms) of an answer in opening hours */
function createWaitTime({ schedule, timeZone }: Hours, waits: readonly Wait[]): (wait: Wait) => number {
  if (!schedule) return ({ sinceMs, answeredMs }) => Math.max(0, answeredMs - sinceMs);
  let [fromMs, toMs] = [Infinity, -Infinity];
  for (const { sinceMs, answeredMs } of waits) {
    fromMs = Math.min(fromMs, sinceMs);
    toMs = Math.max(toMs, answeredMs);
  }
  // After a clock was set back, an answer can be older than its question.
  if (fromMs >= toMs) return () => 0;
  const openingTime = createOfficeCalendar(schedule, timeZone).openingTime({ fromMs, toMs });
  return ({ sinceMs, answeredMs }) => openingTime(sinceMs, answeredMs);
}

/** @param sorted ascending @returns the middle one, of an even number the mean of the middle two in whole milliseconds; null of none */
function medianOf(sorted: ArrayLike<number>): number | null {
  const upper = sorted[sorted.length >> 1];
  const lower = sorted[(sorted.length - 1) >> 1];
  return upper === undefined || lower === undefined ? null : Math.round((lower + upper) / 2);
}

/** @param sorted ascending @returns the smallest one that at least nine of ten do not exceed; null of none */
function ninetiethOf(sorted: ArrayLike<number>): number | null {
  return sorted[Math.ceil(sorted.length * 0.9) - 1] ?? null;
}

function summarize(waitsMs: readonly number[]) {
  const sorted = Float64Array.from(waitsMs).toSorted();
  return {
    answered: sorted.length,
    median_ms: medianOf(sorted),
    p90_ms: ninetiethOf(sorted),
    longest_wait_ms: sorted[sorted.length - 1] ?? null,
  };
}

type Admins = {
  names: ReadonlyMap<string, string>;
  /** The place of each in the order of the names. */
  places: ReadonlyMap<string, number>;
};

/** The names are compared once: there is a list of admins for each day. */
function sortAdmins(names: ReadonlyMap<string, string>): Admins {
  const byName = new Intl.Collator('id');
  const sorted = [...names].toSorted(([a, nameA], [b, nameB]) => byName.compare(nameA, nameB) || (a < b ? -1 : 1));
  return { names, places: new Map(sorted.map(([id], place) => [id, place])) };
}

/** The waits of one day or of the range, together and by admin. */
function createSample(incoming: number) {
  const all: number[] = [];
  const byAdmin = new Map<string, number[]>();
  return {
    add(adminId: string, waitMs: number): void {
      all.push(waitMs);
      const ofAdmin = byAdmin.get(adminId);
      if (ofAdmin) ofAdmin.push(waitMs);
      else byAdmin.set(adminId, [waitMs]);
    },
    adminCount: (): number => byAdmin.size,
    present: () => ({ incoming, ...summarize(all) }),
    presentAdmins: ({ names, places }: Admins) =>
      [...byAdmin]
        .map(([id, waitsMs]) => Object.assign({ id, name: names.get(id) ?? '' }, summarize(waitsMs)))
        .toSorted((a, b) => b.answered - a.answered || (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0)),
  };
}

/** `from` and `to`: calendar dates that both belong to the answer. */
export type StatisticsRequest = Hours & { from: string; to: string };

/** Waits until messages were answered, by day. Runs in the query worker. */
export async function readChatStatistics(
  orm: Connection,
  { from, to, ...hours }: StatisticsRequest,
): Promise<WaitStatistics> {
  const dates: string[] = [];
  for (let date = from; date <= to; date = addDays(date, 1)) dates.push(date);
  const starts = [...dates, addDays(to, 1)].map((date) => startOfDayMs(date, hours.timeZone));
  const { waits, incoming, adminNames } = await readWaits(orm, starts);
  const waitTime = createWaitTime(hours, waits);
  const dayAt = createDayFinder(starts);
  const samples = incoming.map(createSample);
  const whole = createSample(incoming.reduce((sum, ofDay) => sum + ofDay, 0));
  for (const wait of waits) {
    const waitMs = waitTime(wait);
    samples[dayAt(wait.answeredMs)]?.add(wait.adminId, waitMs);
    whole.add(wait.adminId, waitMs);
  }
  const admins = sortAdmins(adminNames);
  const { longest_wait_ms, ...total } = whole.present();
  const adminsOfDays = samples.reduce((sum, sample) => sum + sample.adminCount(), 0);
  const hasAdminsByDay = adminsOfDays * ADMIN_MIN_BYTES <= CHAT_STATISTICS_MAX_BYTES;
  return cutToSize({
    period: { from, to },
    days: samples.map((sample, index) =>
      Object.assign({ date: dates[index] ?? '' }, sample.present(), {
        admins: hasAdminsByDay ? sample.presentAdmins(admins) : [],
      }),
    ),
    total,
    admins: whole.presentAdmins(admins),
    left_out: { admins: 0, admins_by_day: !hasAdminsByDay },
    longest_wait_ms,
  });
}

/** An admin of an answer takes more. Where their number alone is too much for it, those of the days are not computed. */
const ADMIN_MIN_BYTES = 80;

const byteLength = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/**
 * Without a limit the answer grows with days times admins, to megabytes. The admins of each day go first, then those with the
 * fewest answers in the whole range.
 */
function cutToSize(statistics: WaitStatistics): WaitStatistics {
  if (byteLength(statistics) <= CHAT_STATISTICS_MAX_BYTES) return statistics;
  const days = statistics.days.map((day) => Object.assign(day, { admins: [] }));
  const cut = { ...statistics, days, admins: [], left_out: { admins: statistics.admins.length, admins_by_day: true } };
  let freeBytes = CHAT_STATISTICS_MAX_BYTES - byteLength(cut);
  const admins = statistics.admins.filter((admin) => {
    freeBytes -= byteLength(admin) + 1;
    return freeBytes >= 0;
  });
  return { ...cut, admins, left_out: { ...cut.left_out, admins: statistics.admins.length - admins.length } };
}

/** @returns the index of the day of an instant; the next instant is mostly of the same day */
function createDayFinder(starts: readonly number[]): (ms: number) => number {
  let day = 0;
  return (ms) => {
    while (day > 0 && ms < (starts[day] ?? 0)) day -= 1;
    while (ms >= (starts[day + 1] ?? Infinity)) day += 1;
    return day;
  };
}

export type MedianRequest = Hours & InstantRange;

/** The usual wait (ms) of a range; null when too few answers tell it. Runs in the query worker. */
export async function readMedianWait(
  orm: Connection,
  { schedule, timeZone, ...range }: MedianRequest,
): Promise<number | null> {
  const waits = await readWaitsOfRange(orm, range);
  if (waits.length < MEDIAN_ANSWERS_MIN) return null;
  const waitTime = createWaitTime({ schedule, timeZone }, waits);
  return medianOf(Float64Array.from(waits, waitTime).toSorted());
}
