import { expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/durations.ts';
import type { PushPayload } from '#shared/push.ts';
import { openTestDatabase } from '#server/testing/open-test-database.ts';
import { buildChatApp } from '#server/testing/chat/chat-app.ts';
import { buildAdmin, buildSession, buildTestUser } from '#server/testing/factories.ts';
import { buildSubscriptionBody, pushSettings } from '#server/testing/push.ts';
import { TEST_NOW } from '#server/testing/test-app.ts';
import type { PushOutcome } from '../sending/push.ts';
import { QUEUE_LIMITS } from './delivery-queue.ts';
import type { PushRequest } from '../sending/push.ts';

/**
 * Messages, reading, sign-outs, restarts, clocks that are set, and push services that fail, in any order: in the end every device
 * was told of the newest unread message of each conversation last, and what was read is shown nowhere.
 */

const STEPS = 60;
/** Some of them once lost a message. */
const SEEDS = [2, 7, 31, 118, 202, 220, 390];

function createRandom(seed: number): () => number {
  let state = seed * 7919;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

async function passTurns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** A push service in the place of the thread that sends; it remembers what it accepted. */
function createFlakyService(pick: <T>(list: readonly T[]) => T) {
  const accepted: (PushPayload & { endpoint: string })[] = [];
  const held: (() => void)[] = [];
  let mode = 'ok';
  const answers: Record<string, () => PushOutcome> = {
    busy: () => ({ kind: 'busy', status: 429, retryAfterMs: pick([null, 1000, 90_000, HOUR_MS]) }),
    broken: () => ({ kind: 'busy', status: 500, retryAfterMs: null }),
    silent: () => ({ kind: 'unreachable', reason: 'ETIMEDOUT' }),
  };
  return {
    accepted,
    setMode: (next: string): void => void (mode = next),
    isHolding: (): boolean => held.length > 0,
    release: (): void => {
      for (const answer of held.splice(0)) answer();
    },
    close: async (): Promise<void> => undefined,
    async send({ text, target }: PushRequest): Promise<PushOutcome> {
      const how = mode === 'mixed' ? pick(['ok', 'ok', 'busy', 'broken', 'silent', 'held']) : mode;
      if (how === 'held') await new Promise<void>((resolve) => held.push(resolve));
      const refusal = answers[how]?.();
      if (refusal) return refusal;
      accepted.push({ ...(JSON.parse(text) as PushPayload), endpoint: target.endpoint });
      return { kind: 'sent' };
    },
  };
}

type Position = { user_ordinal: number; admin_ordinal: number; user_read_ordinal: number; admin_read_ordinal: number };

it.each(SEEDS)('every device is told of what is unread (seed %d)', async (seed) => {
  const random = createRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const transport = createFlakyService(pick);
  const database = openTestDatabase();
  const { sqlite } = database;
  const isSmall = random() < 0.5;
  const queueLimits = isSmall ? { ...QUEUE_LIMITS, jobsMax: 4, runningMax: 2 } : QUEUE_LIMITS;
  const clock = { wallMs: TEST_NOW, monotonicMs: 0 };
  const advance = (ms: number): void => {
    clock.wallMs += ms;
    clock.monotonicMs += ms;
  };
  const start = () =>
    buildChatApp({
      database,
      now: () => clock.wallMs,
      monotonicNow: () => clock.monotonicMs,
      settings: { ...pushSettings, rateLimits: false },
      push: { transport, queueLimits },
    });

  let app = await start();
  let hasRestarted = false;
  const admins = [buildAdmin(app.test), buildAdmin(app.test)];
  const users = [buildTestUser(app.test), buildTestUser(app.test), buildTestUser(app.test)];
  const people = [...admins, ...users];
  const [ratna] = admins;
  if (!ratna) throw new Error('an admin');
  const newestId = (where = 'true', ...values: unknown[]): number =>
    sqlite
      .prepare<unknown[], number>(`select coalesce(max(id), 0) from messages where ${where}`)
      .pluck()
      .get(...values) ?? 0;
  const devices: { token: string; personId: string; isAdmin: boolean; endpoint: string; since: number }[] = [];
  const subscribe = async (person: (typeof people)[number]): Promise<void> => {
    const { token } = buildSession(app.test, person.id);
    const body = buildSubscriptionBody();
    expect((await app.test.call('PUT', '/api/push/subscription', { token, body })).status).toBe(200);
    const { id: personId } = person;
    const isAdmin = admins.includes(person);
    devices.push({ token, personId, isAdmin, endpoint: body.endpoint, since: newestId() });
  };
  const restart = async (): Promise<void> => {
    hasRestarted = true;
    transport.release();
    await app.test.server.close();
    clock.monotonicMs = 0;
    app = await start();
    await app.test.pushes.tick();
  };
  const acts: [share: number, act: () => unknown][] = [
    [30, () => app.send(ratna, pick(users))],
    [20, () => app.send(pick(users), ratna)],
    [12, () => app.see(pick(users), ratna.id).catch(() => undefined)],
    [10, () => app.see(ratna, pick(users).id).catch(() => undefined)],
    [6, () => transport.setMode(pick(['ok', 'mixed', 'mixed', 'silent', 'broken']))],
    [4, () => transport.release()],
    [4, () => advance(pick([1000, 20_000, MINUTE_MS, 5 * MINUTE_MS]))],
    [2, () => (clock.wallMs += pick([-HOUR_MS, HOUR_MS, -3 * DAY_MS]))],
    [3, () => subscribe(pick(people))],
    [3, () => app.test.call('POST', '/api/auth/logout', { token: devices.splice(0, 1)[0]?.token })],
    [6, () => app.test.pushes.tick()],
    [4, () => passTurns(30)],
    [1, restart],
  ];
  const bag = acts.flatMap(([share, act]) => Array.from({ length: share }, () => act));

  for (const person of [...people, ...admins]) await subscribe(person);
  for (let step = 0; step < STEPS; step += 1) {
    await pick(bag)();
    await passTurns(pick([0, 1, 5]));
  }
  transport.setMode('ok');
  for (let round = 0; round < 60; round += 1) {
    transport.release();
    await passTurns(20);
    advance(5 * MINUTE_MS);
    await app.test.pushes.tick();
    if (!transport.isHolding()) await app.test.pushes.settled();
  }

  expect((await app.test.pushes.status()).waiting).toBe(0);
  expect(sqlite.prepare('select count(*) from push_subscriptions where owed_after_id is not null').pluck().get()).toBe(
    0,
  );
  for (const { endpoint, personId, isAdmin, since } of devices) {
    for (const { id: userId } of users.filter(({ id }) => isAdmin || id === personId)) {
      const found = sqlite.prepare<[string], Position>('select * from conversations where user_id = ?').get(userId);
      if (!found) continue;
      const unread = isAdmin
        ? found.user_ordinal - found.admin_read_ordinal
        : found.admin_ordinal - found.user_read_ordinal;
      const newest = newestId('user_id = ? and from_admin = ?', userId, isAdmin ? 0 : 1);
      const told = transport.accepted.findLast((push) => push.endpoint === endpoint && push.user_id === userId);
      const shown = told?.read ? null : (told?.message_id ?? null);
      if (unread > 0 && newest > since) expect(shown).toBe(String(newest));
      // Shown notifications are forgotten by a restart, and where the queue has no place.
      if (unread === 0 && !hasRestarted && !isSmall) expect(shown).toBeNull();
    }
  }
});
