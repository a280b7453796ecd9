import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message } from '#shared/api/chat/chat.ts';
import type { ChatStatistics } from '#shared/api/office/chat-statistics.ts';
import type { OfficeHours } from '#shared/api/office/office.ts';
import { todayIn } from '#shared/domain/dates/dates.ts';
import { wallClockMs } from '#shared/domain/dates/time-zones.ts';
import { HOUR_MS, MINUTE_MS } from '#shared/durations.ts';
import { conversations, messages } from '#server/db/schema.ts';
import { buildChatApp, type ChatApp } from '#server/testing/chat/chat-app.ts';
import { buildAdmin, buildSession, buildTestUser, type SignedInUser, ownPassword } from '#server/testing/factories.ts';
import { writeNotice } from '#server/testing/chat/notices.ts';
import { testResources } from '#server/testing/open-test-database.ts';
import { queryPlans } from '#server/testing/query-plan.ts';
import { buildTestApp, type TestApp } from '#server/testing/test-app.ts';
import { queueQueries } from './queue-queries.ts';
import { readChatStatistics } from './statistics.ts';
import { itOnSqlite } from '#server/testing/on-sqlite.ts';
import { testServer } from '#server/testing/postgres/test-server.ts';

const URL = '/api/admin/chat-statistics';
const ZONE = 'Asia/Jakarta';

const WORKDAYS: OfficeHours = {
  days: [1, 2, 3, 4, 5, 6, 7].map((weekday) =>
    weekday < 6 ? { weekday, open: '08:00', close: '15:00' } : { weekday, open: null, close: null },
  ),
  holidays: [{ date: '2026-06-04', name: 'Libur' }],
  closed_today: false,
};

async function saveHours(test: TestApp, { token }: { token: string }, body = WORKDAYS): Promise<void> {
  expect((await test.call('PUT', '/api/admin/office-hours', { token, body })).status).toBe(200);
}

async function fetchStatistics(test: TestApp, { token }: { token: string }, query = ''): Promise<ChatStatistics> {
  const answer = await test.call('GET', `${URL}${query}`, { token });
  expect(answer).toMatchObject({ status: 200, body: { message: 'Layanan chat' } });
  return answer.body.data;
}

const act = async (
  { test }: ChatApp,
  admin: SignedInUser,
  method: string,
  userId: string,
  body?: unknown,
  what = 'dismiss',
) => {
  const answer = await test.call(method, `/api/admin/conversations/${userId}/${what}`, { token: admin.token, body });
  expect(answer.status).toBe(200);
};

describe('GET /admin/chat-statistics', () => {
  it('answers 401 without a session and 403 to users, before it checks the range', async () => {
    const test = await buildTestApp();
    expect((await test.call('GET', `${URL}?range=x`)).status).toBe(401);
    expect((await test.call('GET', `${URL}?range=x`, { token: buildTestUser(test).token })).status).toBe(403);
  });

  it.each(['x', '', 'THIS_YEAR', 'this_year&range=last_year'])('refuses the range "%s"', async (range) => {
    const test = await buildTestApp();
    expect(await test.call('GET', `${URL}?range=${range}`, { token: buildAdmin(test).token })).toMatchObject({
      status: 422,
      body: { message: 'Periode laporan tidak valid', errors: { range: ['Periode laporan tidak valid'] } },
    });
  });

  it('lists every day up to today, also without any message', async () => {
    const test = await buildTestApp();
    const admin = buildAdmin(test);
    const none = { answered: 0, median_ms: null, p90_ms: null, longest_wait_ms: null, admins: [] };
    const { days, ...rest } = await fetchStatistics(test, admin);
    expect(days).toHaveLength(10);
    expect(days[0]).toEqual({ date: '2026-06-01', incoming: 0, ...none });
    expect(days.at(-1)?.date).toBe('2026-06-10');
    expect(rest).toEqual({
      period: { from: '2026-06-01', to: '2026-06-10' },
      total: { incoming: 0, answered: 0, median_ms: null, p90_ms: null },
      admins: [],
      left_out: { admins: 0, admins_by_day: false },
      longest_wait_ms: null,
      waiting: null,
    });
    expect((await fetchStatistics(test, admin, '?range=last_month')).days).toHaveLength(31);
    // 10 June 2026 is a Wednesday; days that have not come yet say nothing.
    for (const [range, from, to] of [
      ['this_week', '2026-06-08', '2026-06-10'],
      ['last_week', '2026-06-01', '2026-06-07'],
      ['last_7_days', '2026-06-04', '2026-06-10'],
    ]) {
      expect((await fetchStatistics(test, admin, `?range=${range}`)).period).toEqual({ from, to });
    }
    expect((await fetchStatistics(test, admin, '?range=last_year')).period).toEqual({
      from: '2025-01-01',
      to: '2025-12-31',
    });
  });

  it('says who waits now by the clock, whatever the range and the opening hours', async () => {
    const app = await buildChatApp();
    const { test } = app;
    const ratna = buildAdmin(test);
    const [budi, siti, wati] = [buildTestUser(test), buildTestUser(test), buildTestUser(test)];
    await saveHours(test, ratna);
    const fetchWaiting = async () => (await fetchStatistics(test, ratna, '?range=last_year')).waiting;
    // The inbox's own count of 'Belum dibalas'.
    const countInbox = async (): Promise<unknown> => {
      const answer = await test.call('GET', '/api/messages/conversations?state=waiting', { token: ratna.token });
      return answer.body['total'];
    };
    expect(await fetchWaiting()).toBeNull();
    await app.send(budi, ratna);
    test.clock.advance(50 * HOUR_MS);
    await app.send(budi, ratna);
    await app.send(siti, ratna);
    await app.send(wati, ratna);
    test.clock.advance(HOUR_MS);
    expect(await fetchWaiting()).toEqual({ count: 3, longest_ms: 51 * HOUR_MS });
    expect(await countInbox()).toBe(3);
    await app.send(ratna, budi);
    expect(await fetchWaiting()).toEqual({ count: 2, longest_ms: HOUR_MS });
    // A snoozed conversation waits again when its snooze ends.
    const history = await test.call('GET', `/api/messages/conversation/${siti.id}`, { token: ratna.token });
    const { messages: ofSiti }: { messages: Message[] } = history.body.data;
    const upTo = ofSiti.at(-1)?._id;
    const until = new Date(test.clock.now() + 2 * HOUR_MS).toISOString();
    const body = { until, up_to: upTo };
    expect(
      (await test.call('POST', `/api/admin/conversations/${siti.id}/snooze`, { token: ratna.token, body })).status,
    ).toBe(200);
    expect(await fetchWaiting()).toEqual({ count: 1, longest_ms: HOUR_MS });
    expect(await countInbox()).toBe(1);
    test.clock.advance(2 * HOUR_MS);
    expect(await fetchWaiting()).toEqual({ count: 2, longest_ms: 3 * HOUR_MS });
    await app.send(ratna, siti);
    await app.send(ratna, wati);
    expect(await fetchWaiting()).toBeNull();
  });

  it('counts a wait from its first message to the first answer, in opening hours, on the day of the answer', async () => {
    const app = await buildChatApp();
    const { test } = app;
    const [ratna, fitri] = [buildAdmin(test), buildAdmin(test, { name: 'Pak Fitri' })];
    const [budi, siti] = [buildTestUser(test), buildTestUser(test)];
    await saveHours(test, ratna);
    // Tuesday 14.50: ten minutes before the office closes; the answer comes on Wednesday, 08.05.
    test.clock.set('2026-06-16T07:50:00Z');
    await app.send(budi, ratna);
    test.clock.advance(5 * MINUTE_MS);
    await app.send(budi, ratna);
    await app.send(siti, ratna);
    test.clock.set('2026-06-17T01:05:00Z');
    await app.send(ratna, budi);
    await app.send(fitri, budi);
    test.clock.advance(MINUTE_MS);
    await app.send(fitri, siti);
    const { days, total, admins, longest_wait_ms } = await fetchStatistics(test, ratna);
    const waited = (minutes: number) => ({
      answered: 1,
      median_ms: minutes * MINUTE_MS,
      p90_ms: minutes * MINUTE_MS,
      longest_wait_ms: minutes * MINUTE_MS,
    });
    expect(days.find(({ date }) => date === '2026-06-16')).toMatchObject({ incoming: 3, answered: 0, admins: [] });
    expect(days.find(({ date }) => date === '2026-06-17')).toEqual({
      date: '2026-06-17',
      incoming: 0,
      answered: 2,
      median_ms: 13 * MINUTE_MS,
      p90_ms: 15 * MINUTE_MS,
      longest_wait_ms: 15 * MINUTE_MS,
      admins: [
        { id: ratna.id, name: 'Ibu Ratna', ...waited(15) },
        { id: fitri.id, name: 'Pak Fitri', ...waited(11) },
      ],
    });
    expect(total).toEqual({ incoming: 3, answered: 2, median_ms: 13 * MINUTE_MS, p90_ms: 15 * MINUTE_MS });
    expect(admins.map(({ name }) => name)).toEqual(['Ibu Ratna', 'Pak Fitri']);
    expect(longest_wait_ms).toBe(15 * MINUTE_MS);
  });

  it('stays below 50 kB for 600 admins who answer on every day of a year', async () => {
    const { test } = await buildChatApp();
    const admins = Array.from({ length: 600 }, (_, index) => buildAdmin(test, { name: `Admin Kecamatan ${index}` }));
    const user = buildTestUser(test);
    const insert = test.database.sqlite.prepare(
      `insert into messages (user_id, sender_id, sender_name, from_admin, content, side_ordinal, created_at, waited_since)
        values (?, ?, 'x', ?, 'x', ?, ?, ?)`,
    );
    const firstMs = Date.parse('2024-12-31T17:00:00Z');
    test.database.sqlite.transaction(() => {
      let ordinal = 0;
      for (let day = 0; day < 365; day += 1) {
        for (let turn = 0; turn < 12; turn += 1) {
          // Each admin answers on some days, the first ones on more.
          const admin = admins[Math.min((day * 12 + turn) % 700, 599)];
          const askedMs = firstMs + day * 24 * HOUR_MS + turn * HOUR_MS;
          ordinal += 1;
          insert.run(user.id, user.id, 0, ordinal, askedMs, null);
          insert.run(user.id, admin?.id, 1, ordinal, askedMs + 1_234_567 + turn, askedMs);
        }
      }
    })();
    const reader = buildAdmin(test);
    const answer = await test.call('GET', `${URL}?range=last_year`, { token: reader.token });
    expect(answer.status).toBe(200);
    expect(answer.raw.length).toBeLessThan(50_000);
    const statistics: ChatStatistics = answer.body.data;
    expect(statistics.days).toHaveLength(365);
    expect(statistics.days.every((day) => day.answered === 12 && day.admins.length === 0)).toBe(true);
    expect(statistics.admins.length).toBeGreaterThan(5);
    expect(statistics.left_out).toEqual({ admins: 600 - statistics.admins.length, admins_by_day: true });
    // The admins with the most answers are those that stay.
    const counts = statistics.admins.map(({ answered }) => answered);
    expect(counts).toEqual(counts.toSorted((a, b) => b - a));
    expect(statistics.total.answered).toBe(365 * 12);
  });

  it('leaves nothing out for an office of five admins in a month', async () => {
    const app = await buildChatApp();
    const { test } = app;
    const admins = Array.from({ length: 5 }, () => buildAdmin(test));
    const user = buildTestUser(test);
    test.clock.set('2026-06-01T02:00:00Z');
    for (let day = 0; day < 30; day += 1) {
      for (const admin of admins.map((one) => Object.assign(one, buildSession(test, one.id)))) {
        await app.send({ ...user, ...buildSession(test, user.id) }, admin);
        test.clock.advance(MINUTE_MS);
        await app.send(admin, user);
      }
      test.clock.advance(23 * HOUR_MS);
    }
    const { days, left_out } = await fetchStatistics(test, buildAdmin(test));
    expect(left_out).toEqual({ admins: 0, admins_by_day: false });
    expect(days.filter((day) => day.admins.length === 5).length).toBeGreaterThan(25);
  });

  it('counts a wait that began before the range, with all its time', async () => {
    const app = await buildChatApp();
    const { test } = app;
    test.clock.set('2026-06-30T10:00:00Z');
    const [ratna, budi] = [buildAdmin(test), buildTestUser(test)];
    await app.send(budi, ratna);
    await app.send(budi, ratna);
    test.clock.set('2026-07-01T10:00:00Z');
    await app.send(budi, ratna);
    await app.send(ratna, budi);
    expect(await fetchStatistics(test, ratna)).toMatchObject({
      total: { incoming: 1, answered: 1, median_ms: 24 * HOUR_MS },
    });
    expect(await fetchStatistics(test, ratna, '?range=last_month')).toMatchObject({
      total: { incoming: 2, answered: 0, median_ms: null },
    });
  });

  it('counts no dismissal as an answer, nor the time before it, also of dismissals before the last one', async () => {
    const app = await buildChatApp();
    const { test } = app;
    const [ratna, budi] = [buildAdmin(test), buildTestUser(test)];
    for (let round = 0; round < 3; round += 1) {
      const thanks = await app.send(budi, ratna, 'Terima kasih');
      await act(app, ratna, 'POST', budi.id, { up_to: thanks.id });
      test.clock.advance(2 * HOUR_MS);
      await app.send(budi, ratna, 'Satu lagi');
      test.clock.advance(MINUTE_MS);
      await app.send(ratna, budi);
    }
    const { total } = await fetchStatistics(test, ratna);
    expect(total).toEqual({ incoming: 6, answered: 3, median_ms: MINUTE_MS, p90_ms: MINUTE_MS });
  });

  it('names a deleted admin as in the messages, and leaves out accounts that are being deleted', async () => {
    const app = await buildChatApp();
    const { test } = app;
    const [ratna, fitri] = [buildAdmin(test), buildAdmin(test, { name: 'Pak Fitri' })];
    const [budi, siti] = [buildTestUser(test), buildTestUser(test)];
    for (const user of [budi, siti]) {
      await app.send(user, fitri);
      await app.send(fitri, user);
    }
    expect(
      (await test.call('DELETE', `/api/admin/users/${fitri.id}`, { token: ratna.token, body: ownPassword })).status,
    ).toBe(200);
    test.database.sqlite.prepare("insert into account_deletions values (?, 'a', 'Ratna', 1)").run(siti.id);
    expect(await fetchStatistics(test, ratna)).toMatchObject({
      total: { incoming: 1, answered: 1 },
      admins: [{ id: fitri.id, name: 'Pak Fitri', answered: 1 }],
    });
  });
});

/* The oracle keeps books beside the app, and counts opening hours minute by minute. */

type Action = {
  user: number;
  admin: number;
  kind: 'ask' | 'answer' | 'dismiss' | 'undo' | 'clear' | 'snooze' | 'note' | 'noticeOfUser' | 'noticeOfAdmin';
  minutes: number;
};
type Book = { date: string; user: number; adminId: string; minutes: number };

const anyAction: fc.Arbitrary<Action> = fc.record({
  user: fc.nat({ max: 2 }),
  admin: fc.nat({ max: 1 }),
  kind: fc.oneof(
    { weight: 5, arbitrary: fc.constant('ask' as const) },
    { weight: 4, arbitrary: fc.constant('answer' as const) },
    { weight: 2, arbitrary: fc.constantFrom('dismiss' as const, 'undo' as const, 'clear' as const) },
    // The books know nothing of them.
    {
      weight: 3,
      arbitrary: fc.constantFrom('noticeOfUser' as const, 'noticeOfAdmin' as const, 'snooze' as const, 'note' as const),
    },
  ),
  minutes: fc.oneof(fc.nat({ max: 30 }), fc.nat({ max: 40 * 60 })),
});

const openByMinute = new Map<number, boolean>();

function isOpenAt(ms: number): boolean {
  const known = openByMinute.get(ms);
  if (known !== undefined) return known;
  const clock = new Date(wallClockMs(ZONE, ms)).toISOString();
  const [date, time] = [clock.slice(0, 10), clock.slice(11, 16)];
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay() || 7;
  const day = WORKDAYS.days.find((one) => one.weekday === weekday);
  const isHoliday = WORKDAYS.holidays.some((holiday) => holiday.date === date);
  const isOpen = !isHoliday && Boolean(day?.open && time >= day.open && day.close && time < day.close);
  openByMinute.set(ms, isOpen);
  return isOpen;
}

function countMinutes(fromMs: number, toMs: number, isOpen: (ms: number) => boolean): number {
  let count = 0;
  for (let ms = fromMs; ms < toMs; ms += MINUTE_MS) if (isOpen(ms)) count += 1;
  return count;
}

/** By the definition: the middle of the sorted list, and the smallest value with nine of ten at or below it. */
function naiveSummary(minutes: readonly number[]) {
  const sorted = minutes.map((value) => value * MINUTE_MS).toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  const median = sorted.length % 2 === 1 ? sorted[half - 0.5] : ((sorted[half - 1] ?? 0) + (sorted[half] ?? 0)) / 2;
  return {
    answered: sorted.length,
    median_ms: sorted.length === 0 ? null : (median ?? null),
    p90_ms: sorted.find((value) => sorted.filter((other) => other <= value).length >= 0.9 * sorted.length) ?? null,
    longest_wait_ms: sorted.at(-1) ?? null,
  };
}

const readWaits = ({ database }: TestApp): unknown[] =>
  database.sqlite.prepare('select id, waited_since from messages order by id').all();

/** The waits that an older version would have had when it was migrated, from its messages alone. */
function readMigratedWaits(test: TestApp): unknown[] {
  const { sqlite } = test.database;
  const statements = testResources.read('migrations/0020_waits_of_answers.sql').toString('utf8').split('-->');
  const update = statements.find((statement) => statement.includes('UPDATE `messages`')) ?? '';
  sqlite.exec('begin; update messages set waited_since = null');
  sqlite.exec(update.slice(update.indexOf('--')));
  const migrated = readWaits(test);
  sqlite.exec('rollback');
  return migrated;
}

it('equals books that were kept beside it, for any questions, answers, dismissals and deletions', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyAction, { minLength: 10, maxLength: 40 }),
      fc.boolean(),
      fc.boolean(),
      async (actions, hasHours, hasDeletion) => {
        const app = await buildChatApp();
        const { test } = app;
        test.clock.set('2026-06-01T00:00:00Z');
        const admins = [buildAdmin(test), buildAdmin(test, { name: 'Pak Fitri' })];
        const users = [buildTestUser(test), buildTestUser(test), buildTestUser(test)];
        if (hasHours) await saveHours(test, admins[0] ?? { token: '' });
        const state = users.map(() => ({ since: null as number | null, newest: '0', undo: null as number | null }));
        let books: Book[] = [];
        let incoming: Pick<Book, 'date' | 'user'>[] = [];
        for (const { user: at, admin: by, kind, minutes } of actions) {
          test.clock.advance(minutes * MINUTE_MS);
          const known = state[at];
          // New sessions, because old ones end while nobody uses them.
          const [user, admin] = [users[at], admins[by]].map(
            (one) => one && Object.assign(one, buildSession(test, one.id)),
          );
          if (!user || !admin || !known) throw new Error('no such account');
          const now = test.clock.now();
          const date = todayIn(ZONE, now);
          if (kind === 'ask') {
            known.newest = (await app.send(user, admin)).id;
            known.since ??= now;
            known.undo = null;
            incoming.push({ date, user: at });
          } else if (kind === 'answer') {
            known.newest = (await app.send(admin, user)).id;
            if (known.since !== null) {
              books.push({
                date,
                user: at,
                adminId: admin.id,
                minutes: countMinutes(known.since, now, hasHours ? isOpenAt : () => true),
              });
            }
            known.since = known.undo = null;
          } else if (kind === 'dismiss' && known.since !== null) {
            await act(app, admin, 'POST', user.id, { up_to: known.newest });
            known.undo = known.since;
            known.since = null;
          } else if (kind === 'undo' && known.undo !== null) {
            await act(app, admin, 'DELETE', user.id);
            known.since = known.undo;
            known.undo = null;
          } else if (kind === 'noticeOfUser' || kind === 'noticeOfAdmin') {
            await writeNotice(app, kind === 'noticeOfUser' ? user : admin, user);
          } else if (kind === 'snooze' && known.since !== null) {
            const until = new Date(now + HOUR_MS).toISOString();
            await act(app, admin, 'POST', user.id, { until, up_to: known.newest }, 'snooze');
          } else if (kind === 'note') {
            const body = { content: 'Sudah ditelepon', client_id: crypto.randomUUID() };
            const path = `/api/admin/conversations/${user.id}/notes`;
            expect((await test.call('POST', path, { token: admin.token, body })).status).toBe(201);
          } else if (kind === 'clear') {
            await app.clear(admin, user.id);
            Object.assign(known, { since: null, newest: '0', undo: null });
          }
        }
        // The first version on PostgreSQL has these columns already.
        if (testServer === '') expect(readMigratedWaits(test)).toEqual(readWaits(test));
        const reader = buildAdmin(test);
        const deletedId = users[0]?.id;
        if (hasDeletion) {
          const answer = await test.call('DELETE', `/api/admin/users/${deletedId}`, {
            token: reader.token,
            body: ownPassword,
          });
          expect(answer.status).toBe(200);
          books = books.filter(({ user }) => user !== 0);
          incoming = incoming.filter(({ user }) => user !== 0);
        }
        const statistics = await fetchStatistics(test, reader, '?range=this_year');
        for (const day of statistics.days) {
          const ofDay = books.filter(({ date }) => date === day.date);
          expect(day).toMatchObject({
            incoming: incoming.filter(({ date }) => date === day.date).length,
            ...naiveSummary(ofDay.map(({ minutes }) => minutes)),
          });
          for (const admin of admins) {
            const ofAdmin = ofDay.filter(({ adminId }) => adminId === admin.id).map(({ minutes }) => minutes);
            const shown = day.admins.find(({ id }) => id === admin.id);
            if (ofAdmin.length === 0) expect(shown).toBeUndefined();
            else expect(shown).toEqual({ id: admin.id, name: admin.name, ...naiveSummary(ofAdmin) });
          }
        }
        const all = naiveSummary(books.map(({ minutes }) => minutes));
        expect({ ...statistics.total, longest_wait_ms: statistics.longest_wait_ms }).toMatchObject(all);
      },
    ),
    { numRuns: 12 },
  );
});

itOnSqlite('reads the queue from the covering index', async () => {
  const test = await buildTestApp();
  const { id } = buildTestUser(test);
  test.database.sqlite.exec('update conversations set unanswered_since = 1');
  const plans = await queryPlans(test, async (orm) => {
    const queries = queueQueries(orm);
    await queries.listWaiting(0);
    await queries.countAhead(id, 0);
    await queries.findWaiting(0);
    await queries.areFewWaiting(1, 0);
  });
  expect(plans).toHaveLength(5);
  expect(plans[0]).toMatch(/^SEARCH conversations USING COVERING INDEX conversations_waiting /);
  expect(plans[1]).toMatch(/^SEARCH conversations USING INDEX \S+ \(user_id=\?\)/);
  expect(plans[2]).toMatch(/^SEARCH conversations USING COVERING INDEX conversations_waiting/);
  expect(plans.join()).not.toContain('TEMP B-TREE');
});

itOnSqlite('reads answers and counts from covering indexes', async () => {
  const test = await buildTestApp();
  const request = { from: '2026-06-01', to: '2026-06-01', schedule: null, timeZone: ZONE };
  const plans = (await queryPlans(test, (orm) => readChatStatistics(orm, request))).join('\n');
  expect(plans).toMatch(/SEARCH messages USING COVERING INDEX messages_answers \(created_at>\? AND created_at<\?\)/);
  expect(plans).toMatch(/SEARCH messages USING COVERING INDEX messages_incoming \(created_at>\? AND created_at<\?\)/);
  expect(plans).not.toMatch(/SCAN messages/);
});

describe('the usual wait', () => {
  const median = async (test: TestApp, { token }: { token: string }): Promise<number | null> =>
    (await test.call('GET', '/api/office', { token })).body.data['median_ms'];

  it('appears from 20 answers of the last seven days on', async () => {
    const app = await buildChatApp();
    const { test } = app;
    const [ratna, budi] = [buildAdmin(test), buildTestUser(test)];
    test.clock.set('2026-06-08T02:00:00Z');
    for (let index = 1; index <= 19; index += 1) {
      await app.send(budi, ratna);
      test.clock.advance(index * 1000);
      await app.send(ratna, budi);
    }
    expect(await median(test, budi)).toBeNull();
    test.clock.advance(60_000);
    await app.send(budi, ratna);
    test.clock.advance(20_000);
    await app.send(ratna, budi);
    await expect.poll(() => median(test, budi)).toBe(10_500);
    // The first of them is older than seven days.
    test.clock.set('2026-06-15T02:00:01.500Z');
    await expect.poll(() => median(test, budi)).toBeNull();
  });

  it('counts the opening hours, and is counted anew when they change', async () => {
    const app = await buildChatApp();
    const { test } = app;
    const [ratna, budi] = [buildAdmin(test), buildTestUser(test)];
    test.clock.set('2026-06-09T07:50:00Z');
    const users = Array.from({ length: 20 }, () => buildTestUser(test));
    for (const user of users) await app.send(user, ratna);
    test.clock.set('2026-06-10T01:10:00Z');
    for (const user of users) await app.send(ratna, user);
    expect(await median(test, budi)).toBe(17 * HOUR_MS + 20 * MINUTE_MS);
    await saveHours(test, ratna);
    await expect.poll(() => median(test, budi)).toBe(20 * MINUTE_MS);
  });

  it('ignores messages that an admin only added to an answer', async () => {
    const app = await buildChatApp();
    const [ratna, budi] = [buildAdmin(app.test), buildTestUser(app.test)];
    await app.send(ratna, budi);
    await app.send(ratna, budi);
    expect((await fetchStatistics(app.test, ratna)).total).toMatchObject({ incoming: 0, answered: 0 });
    expect(app.test.database.direct.select().from(messages).all()).toHaveLength(2);
    expect(app.test.database.direct.select().from(conversations).all()[0]?.unansweredSince ?? null).toBeNull();
  });
});
