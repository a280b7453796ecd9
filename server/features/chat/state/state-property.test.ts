import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MINUTE_MS } from '#shared/durations.ts';
import type { DatabaseHandle } from '#server/db/sqlite/open.ts';
import { buildAdmin, buildTestUser, type SignedInUser } from '#server/testing/factories.ts';
import { buildInboxApp, type InboxApp } from '#server/testing/chat/inbox-app.ts';
import { InboxModel } from '#server/testing/chat/inbox-client-model.ts';
import { writeNotice } from '#server/testing/chat/notices.ts';
import { openTab, type Tab, waitForPendingEvents } from '#server/testing/sockets.ts';
import type { Answer, TestClock } from '#server/testing/test-app.ts';
import { type Expected, InboxOracle } from '#server/testing/chat/inbox-oracle.ts';

const CONVERSATIONS = 200;
const ADMINS = 3;

type OfAdmin = { adminIndex: number; userIndex: number };
/** The newest message on the screen of an admin: the last one, the last but the notices, or a wrong one. */
type Seen = 'newest' | 'newestChat' | 'wrong';
type StateStep =
  | ({ do: 'claim'; take: boolean } & OfAdmin)
  | ({ do: 'release' } & OfAdmin)
  | ({ do: 'undoDismiss' } & OfAdmin)
  | ({ do: 'undoSnooze' } & OfAdmin)
  | ({ do: 'dismiss'; seen: Seen } & OfAdmin)
  | ({ do: 'snooze'; seen: Seen; ms: number } & OfAdmin);
type Step =
  | StateStep
  | { do: 'message'; userIndex: number }
  | ({ do: 'notice'; isByUser: boolean } & OfAdmin)
  | ({ do: 'answer'; seenBack: number | null } & OfAdmin)
  | ({ do: 'clear' } & OfAdmin)
  | { do: 'advance'; ms: number }
  | { do: 'jump'; ms: number }
  | { do: 'leave'; adminIndex: number }
  | { do: 'return'; adminIndex: number }
  | { do: 'restart' };

const adminIndex = fc.nat({ max: ADMINS - 1 });
// Most steps meet at a few conversations, the others are spread over all.
const userIndex = fc.oneof(
  { weight: 4, arbitrary: fc.nat({ max: 2 }) },
  { weight: 1, arbitrary: fc.nat({ max: CONVERSATIONS - 1 }) },
);
const ofAdmin = { adminIndex, userIndex };
const seen = fc.nat({ max: 9 }).map((n): Seen => (n === 0 ? 'wrong' : n < 4 ? 'newestChat' : 'newest'));
const weighted = <T extends Step>(weight: number, arbitrary: fc.Arbitrary<T>) => ({ weight, arbitrary });

const step: fc.Arbitrary<Step> = fc.oneof(
  weighted(6, fc.record({ do: fc.constant('message'), userIndex })),
  weighted(4, fc.record({ do: fc.constant('notice'), isByUser: fc.boolean(), ...ofAdmin })),
  weighted(4, fc.record({ do: fc.constant('answer'), seenBack: fc.option(fc.nat({ max: 3 })), ...ofAdmin })),
  weighted(4, fc.record({ do: fc.constant('claim'), take: fc.boolean(), ...ofAdmin })),
  weighted(2, fc.record({ do: fc.constant('release'), ...ofAdmin })),
  weighted(2, fc.record({ do: fc.constant('undoDismiss'), ...ofAdmin })),
  weighted(1, fc.record({ do: fc.constant('undoSnooze'), ...ofAdmin })),
  weighted(1, fc.record({ do: fc.constant('clear'), ...ofAdmin })),
  weighted(3, fc.record({ do: fc.constant('dismiss'), seen, ...ofAdmin })),
  weighted(
    3,
    fc.record({ do: fc.constant('snooze'), seen, ms: fc.integer({ min: 1, max: 40 * MINUTE_MS }), ...ofAdmin }),
  ),
  weighted(
    6,
    fc.record({ do: fc.constant('advance'), ms: fc.constantFrom(1000, 31_000, 61_000, 4 * MINUTE_MS, 11 * MINUTE_MS) }),
  ),
  // To the millisecond, so that no two moments have the same time by chance.
  weighted(1, fc.record({ do: fc.constant('jump'), ms: fc.integer({ min: -2 * 3_600_000, max: 3_600_000 }) })),
  weighted(1, fc.record({ do: fc.constant('leave'), adminIndex })),
  weighted(1, fc.record({ do: fc.constant('return'), adminIndex })),
  weighted(1, fc.record({ do: fc.constant('restart') })),
);
const steps = fc.array(step, { minLength: 60, maxLength: 120, size: 'max' });

type Participants = { admins: SignedInUser[]; users: SignedInUser[] };

function pick(people: SignedInUser[], index: number): SignedInUser {
  const found = people[index];
  if (!found) throw new Error(`nobody has the number ${index}`);
  return found;
}

function buildParticipants({ test }: InboxApp): Participants {
  const admins = ['Ibu Ratna', 'Fitri', 'Joko'].map((name) => buildAdmin(test, { name }));
  return { admins, users: Array.from({ length: CONVERSATIONS }, () => buildTestUser(test)) };
}

/** The server, whatever restarts it had, with a tab of each admin who is connected. */
class Office {
  app: InboxApp;
  readonly clock: TestClock;
  private readonly database: DatabaseHandle;
  private readonly admins: SignedInUser[];
  private readonly tabs = new Map<SignedInUser, { tab: Tab; model: InboxModel }>();

  constructor(app: InboxApp, admins: SignedInUser[]) {
    this.app = app;
    this.clock = app.test.clock;
    this.database = app.test.database;
    this.admins = admins;
  }

  isOpen = (admin: SignedInUser): boolean => this.tabs.has(admin);

  /** Connects first and loads then, as a client does: no event is lost in between. */
  async open(admin: SignedInUser): Promise<void> {
    const tab = await openTab(this.app.test, admin);
    const model = await InboxModel.load(this.app, admin);
    this.tabs.set(admin, { tab, model });
  }

  async leave(admin: SignedInUser): Promise<void> {
    this.tabs.get(admin)?.tab.close();
    this.tabs.delete(admin);
    const { presence } = this.app.test.context;
    await expect.poll(() => presence.absentSince(admin.id), { interval: 5 }).not.toBeNull();
  }

  async restart(): Promise<void> {
    const opened = this.admins.filter((admin) => this.isOpen(admin));
    for (const { tab } of this.tabs.values()) tab.close();
    this.tabs.clear();
    await this.app.test.server.close();
    const { now, monotonicNow } = this.clock;
    const settings = { timeZone: 'Asia/Jakarta', corsOrigins: [], trustedProxies: null, rateLimits: false };
    this.app = await buildInboxApp({ settings, database: this.database, now, monotonicNow });
    for (const admin of opened) await this.open(admin);
  }

  /** Every connected client must show what a fresh load shows. */
  async expectClientsEqualFreshLoad(): Promise<void> {
    // Ends what is due, as the server does within a second; otherwise the load itself would make events.
    await this.app.list(pick(this.admins, 0), '?limit=1');
    await waitForPendingEvents(this.app.test, ...Array.from(this.tabs.values(), ({ tab }) => tab));
    for (const [admin, { tab, model }] of this.tabs) {
      model.applyEvents(tab);
      const fresh = await InboxModel.load(this.app, admin);
      expect(model.rowsById()).toEqual(fresh.rowsById());
      expect(model.countsOfRows()).toEqual(fresh.countsOfServer());
    }
  }

  async close(): Promise<void> {
    for (const { tab } of this.tabs.values()) tab.close();
    await this.app.test.server.close();
  }
}

async function expectAnswer(pending: Promise<Answer>, expected: Expected): Promise<Answer> {
  const answer = await pending;
  expect([answer.status, answer.body.message]).toEqual([expected.status, expected.message ?? answer.body.message]);
  return answer;
}

function findNewestId({ test }: InboxApp, user: SignedInUser): number {
  const newest = test.database.sqlite
    .prepare<[string], number>('select last_message_id from conversations where user_id = ?')
    .pluck();
  return newest.get(user.id) ?? 0;
}

function seenUpTo(oracle: InboxOracle, user: SignedInUser, seenBy: Seen): number {
  if (seenBy === 'newestChat') return oracle.newestChatId(user);
  return oracle.newestId(user) + (seenBy === 'wrong' ? 1 : 0);
}

/** Does one step, and compares the answer with the oracle. */
async function runStep(office: Office, oracle: InboxOracle, { admins, users }: Participants, one: Step): Promise<void> {
  const { app, clock } = office;
  if (one.do === 'restart') {
    const connected = admins.filter((admin) => office.isOpen(admin));
    await office.restart();
    oracle.restart();
    for (const admin of connected) oracle.connect(admin);
    oracle.look();
    return;
  }
  if (one.do === 'advance' || one.do === 'jump') {
    clock[one.do](one.ms);
    oracle.look();
    // Somebody looks; otherwise the server would notice within a second.
    await app.list(pick(admins, 0), '?limit=1');
    return;
  }
  if (one.do === 'message') {
    const user = pick(users, one.userIndex);
    oracle.message(user, Number((await app.send(user, pick(admins, 0))).id));
    oracle.look();
    return;
  }
  const admin = pick(admins, one.adminIndex);
  if (one.do === 'leave' || one.do === 'return') {
    if (office.isOpen(admin) !== (one.do === 'leave')) return;
    if (one.do === 'leave') {
      await office.leave(admin);
      oracle.disconnect(admin);
    } else {
      await office.open(admin);
      oracle.connect(admin);
    }
    return;
  }
  const user = pick(users, one.userIndex);
  if (one.do === 'notice') {
    const actor = one.isByUser ? user : admin;
    await writeNotice(app, actor, user);
    oracle.notice(actor, user, findNewestId(app, user));
    oracle.look();
    return;
  }
  if (one.do === 'answer') {
    const seenId = one.seenBack === null ? undefined : (oracle.of(user).messages.at(-1 - one.seenBack)?.id ?? 0);
    const body = { to_user_id: user.id, content: 'Baik', ...(seenId === undefined ? {} : { seen_id: String(seenId) }) };
    const answer = await expectAnswer(app.post(admin, body), oracle.expectAnswer(admin, user, seenId));
    if (answer.status === 201) oracle.answer(admin, user, Number((answer.body.data as { id: string }).id));
    return;
  }
  if (one.do === 'clear') {
    await app.clear(admin, user.id);
    oracle.clear(user);
    return;
  }
  const answer = await runStateCall(app, oracle, admin, user, one);
  // The end of a snooze and the undo of a dismissal bring back a wait that may be too long for the claim already.
  oracle.look();
  if (answer.status === 200) expect(answer.body.data).toEqual(oracle.stateOf(user));
}

async function runStateCall(
  app: InboxApp,
  oracle: InboxOracle,
  admin: SignedInUser,
  user: SignedInUser,
  one: StateStep,
): Promise<Answer> {
  switch (one.do) {
    case 'claim':
      return expectAnswer(app.claim(admin, user, { take: one.take }), oracle.claim(admin, user, one.take));
    case 'release':
      return expectAnswer(app.release(admin, user), oracle.release(admin, user));
    case 'undoDismiss':
      return expectAnswer(app.undoDismiss(admin, user), oracle.undoDismiss(user));
    case 'undoSnooze':
      return expectAnswer(app.undoSnooze(admin, user), oracle.undoSnooze(user));
    case 'dismiss': {
      const upTo = seenUpTo(oracle, user, one.seen);
      return expectAnswer(app.dismiss(admin, user, { up_to: String(upTo) }), oracle.dismiss(admin, user, upTo));
    }
    case 'snooze': {
      const upTo = seenUpTo(oracle, user, one.seen);
      const untilMs = app.test.context.now() + one.ms;
      const body = { until: new Date(untilMs).toISOString(), up_to: String(upTo) };
      return expectAnswer(app.snooze(admin, user, body), oracle.snooze(user, untilMs, upTo));
    }
  }
}

/** State, order and counts of the server must be those that the histories give. */
async function expectMatchesOracle(app: InboxApp, oracle: InboxOracle, { admins, users }: Participants): Promise<void> {
  for (const admin of admins) {
    const rows = (await InboxModel.load(app, admin)).rowsById();
    const states = users.map((user) => {
      const { state, claimed_by, snoozed_until, unanswered_since } = rows[user.id] ?? {};
      return { user_id: user.id, state, claimed_by, snoozed_until, unanswered_since };
    });
    expect(states).toEqual(users.map((user) => oracle.stateOf(user)));
    expect(await app.countsOf(admin)).toMatchObject(oracle.countsFor(admin));
    expect(await app.listIds(admin, 'waiting', '&sort=waiting')).toEqual(oracle.waiting());
    const idsWhere = (matches: (state: ReturnType<InboxOracle['stateOf']>) => boolean): string[] =>
      users
        .filter((user) => matches(oracle.stateOf(user)))
        .map(({ id }) => id)
        .toSorted();
    expect((await app.listIds(admin, 'mine')).toSorted()).toEqual(
      idsWhere(({ claimed_by }) => claimed_by?.id === admin.id),
    );
    expect((await app.listIds(admin, 'snoozed')).toSorted()).toEqual(idsWhere(({ state }) => state === 'snoozed'));
    expect((await app.listIds(admin, 'unclaimed')).toSorted()).toEqual(
      idsWhere(({ state, claimed_by }) => state === 'waiting' && claimed_by === null),
    );
  }
}

const settings = { timeZone: 'Asia/Jakarta', corsOrigins: [], trustedProxies: null, rateLimits: false };

it('keeps state, order and counts as the histories say, and every client equal to a fresh load, after any actions', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const app = await buildInboxApp({ settings });
      const participants = buildParticipants(app);
      const office = new Office(app, participants.admins);
      const oracle = new InboxOracle(app.test.clock, participants.users, participants.admins);
      for (const admin of participants.admins.slice(0, 2)) {
        await office.open(admin);
        oracle.connect(admin);
      }
      for (const one of all) await runStep(office, oracle, participants, one);
      await expectMatchesOracle(office.app, oracle, participants);
      await office.expectClientsEqualFreshLoad();
      await office.close();
    }),
    // Each run has about ninety steps. Making a counterexample smaller would take longer than reading it.
    { numRuns: 6, endOnFailure: true },
  );
});

/** Does a step whatever the others do meanwhile; a refusal is a right answer then. */
async function runBesideOthers(office: Office, { admins, users }: Participants, one: Step): Promise<void> {
  const { app } = office;
  if (!('userIndex' in one)) return;
  const user = pick(users, one.userIndex);
  const upTo = String(findNewestId(app, user));
  if (one.do === 'message') {
    await app.send(user, pick(admins, 0));
    return;
  }
  const admin = pick(admins, one.adminIndex);
  if (one.do === 'notice') {
    await writeNotice(app, one.isByUser ? user : admin, user);
    return;
  }
  const calls: Record<Exclude<typeof one.do, 'message' | 'notice'>, () => Promise<Answer | void>> = {
    answer: () => app.post(admin, { to_user_id: user.id, content: 'Baik', seen_id: upTo }),
    clear: () => app.clear(admin, user.id),
    claim: () => app.claim(admin, user, { take: one.do === 'claim' && one.take }),
    release: () => app.release(admin, user),
    dismiss: () => app.dismiss(admin, user, { up_to: upTo }),
    undoDismiss: () => app.undoDismiss(admin, user),
    snooze: () =>
      app.snooze(admin, user, { until: new Date(office.clock.now() + MINUTE_MS).toISOString(), up_to: upTo }),
    undoSnooze: () => app.undoSnooze(admin, user),
  };
  const answer = await calls[one.do]();
  if (answer) expect([200, 201, 409]).toContain(answer.status);
}

/** Since when each user waits, read from all messages. */
function expectWaitsAsMessagesSay({ test }: InboxApp): void {
  const waits = test.database.sqlite.prepare(
    `select user_id, unanswered_since, (
        select created_at from messages m where m.user_id = c.user_id and id > max(c.dismissed_id, c.cleared_id)
          and kind = 'chat' and id > coalesce((
            select max(id) from messages a where a.user_id = c.user_id and a.from_admin = 1 and a.kind = 'chat'), 0)
        order by id limit 1
      ) as told from conversations c`,
  ) as { all: () => { user_id: string; unanswered_since: number | null; told: number | null }[] };
  const all = waits.all();
  expect(all.map(({ user_id, unanswered_since }) => [user_id, unanswered_since])).toEqual(
    all.map(({ user_id, told }) => [user_id, told]),
  );
}

it('keeps every wait as the messages say, and every client equal to a fresh load, after actions at the same time', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const app = await buildInboxApp({ settings });
      const participants = buildParticipants(app);
      const office = new Office(app, participants.admins);
      for (const admin of participants.admins) await office.open(admin);
      for (let at = 0; at < all.length; at += 10) {
        office.clock.advance(MINUTE_MS);
        await Promise.all(all.slice(at, at + 10).map(async (one) => runBesideOthers(office, participants, one)));
      }
      expectWaitsAsMessagesSay(app);
      await office.expectClientsEqualFreshLoad();
      await office.close();
    }),
    { numRuns: 6, endOnFailure: true },
  );
});
