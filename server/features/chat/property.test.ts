import fc from 'fast-check';
import { expect, it } from 'vitest';
import { buildAdmin, buildPerson, type Person } from '#server/testing/factories.ts';
import { openTab, settle, type Tab } from '#server/testing/sockets.ts';
import { Reader } from './testing/reader.ts';
import { openChat, type Chat } from './testing/chat.ts';

type Step =
  | { do: 'send'; who: number; about: number; clientId: string | null }
  | { do: 'see' | 'deliver'; who: number; about: number; upTo: number | null }
  | { do: 'clear'; who: number; about: number }
  | { do: 'leave' | 'return'; who: number };

const person = fc.nat({ max: 3 });
const resident = fc.nat({ max: 1 });
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constant('send'),
        who: person,
        about: resident,
        clientId: fc.option(fc.constantFrom('a', 'b', 'c', 'd')),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constantFrom('see', 'deliver'),
        who: person,
        about: resident,
        upTo: fc.option(fc.nat({ max: 25 })),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('clear'), who: person, about: resident }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('leave', 'return'), who: person }) },
  ),
  { maxLength: 40 },
);

type Sides = { user: number; admin: number };
type Told = { id: number; sender: string; fromAdmin: boolean; clientId: string | null; at: string };

/** The rules of contract 5, told as plainly as possible: lists, and counting what is in them. */
class Oracle {
  private next = 1;
  readonly sent = new Set<string>();
  readonly rooms = new Map<string, { messages: Told[]; seen: Sides; delivered: Sides }>();

  constructor(residents: Person[]) {
    for (const { id } of residents) {
      this.rooms.set(id, { messages: [], seen: { user: 0, admin: 0 }, delivered: { user: 0, admin: 0 } });
    }
  }

  room(userId: string) {
    return this.rooms.get(userId) as NonNullable<ReturnType<(typeof this.rooms)['get']>>;
  }

  send(sender: Person, userId: string, clientId: string | null, at: string): void {
    if (clientId !== null && this.sent.has(`${sender.id} ${clientId}`)) return;
    if (clientId !== null) this.sent.add(`${sender.id} ${clientId}`);
    this.room(userId).messages.push({ id: this.next, sender: sender.id, fromAdmin: sender.isAdmin, clientId, at });
    this.next += 1;
  }

  move(kind: 'seen' | 'delivered', userId: string, side: keyof Sides, upTo: number | null): void {
    const room = this.room(userId);
    const newest = room.messages.at(-1)?.id ?? 0;
    const reach = Math.min(upTo ?? newest, newest);
    room[kind][side] = Math.max(room[kind][side], reach);
    if (kind === 'seen') this.move('delivered', userId, side, reach);
  }

  unread(userId: string, side: keyof Sides): number {
    const { messages, seen } = this.room(userId);
    return messages.filter(({ id, fromAdmin }) => fromAdmin === (side === 'user') && id > seen[side]).length;
  }

  /** Since when the resident waits: the first of their messages that no answer follows. */
  waitingSince(userId: string): string | null {
    const { messages } = this.room(userId);
    const afterAnswer = messages.slice(messages.findLastIndex(({ fromAdmin }) => fromAdmin) + 1);
    return afterAnswer[0]?.at ?? null;
  }
}

async function play(chat: Chat, people: Person[], all: Step[]): Promise<void> {
  const { test } = chat;
  const [ratna, , ...residents] = people as [Person, Person, Person, Person];
  const oracle = new Oracle(residents);
  const tabs: (Tab | null)[] = [];
  const readers: Reader[] = [];
  const open = async (who: number): Promise<void> => {
    const viewer = people[who] as Person;
    tabs[who] = await openTab(test, viewer);
    readers[who] = await Reader.load(chat, viewer, residents, ratna);
  };
  for (const who of people.keys()) await open(who);

  for (const step of all) {
    test.clock.advance(1000);
    const actor = people[step.who] as Person;
    const tab = tabs[step.who] ?? null;
    if (!('about' in step)) {
      if (step.do === 'leave') tab?.close();
      if (step.do === 'leave') tabs[step.who] = null;
      else if (!tab) await open(step.who);
      continue;
    }
    const about = actor.isAdmin ? (residents[step.about] as Person) : actor;
    const receiver = actor.isAdmin ? about : ratna;
    const side = actor.isAdmin ? 'admin' : 'user';
    if (step.do === 'send') {
      await chat.send(actor, receiver, 'Halo', step.clientId);
      oracle.send(actor, about.id, step.clientId, new Date(test.clock.now()).toISOString());
    } else if (step.do === 'see') {
      const { unread_count } = await chat.see(
        actor,
        receiver.id,
        step.upTo === null ? undefined : { up_to: step.upTo },
      );
      oracle.move('seen', about.id, side, step.upTo);
      expect(unread_count).toBe(oracle.unread(about.id, side));
    } else if (step.do === 'deliver' && tab) {
      tab.socket.emit('delivered', { user_id: about.id, up_to: String(step.upTo ?? 99) });
      await settle(test, tab);
      oracle.move('delivered', about.id, side, step.upTo ?? 99);
    } else if (step.do === 'clear' && actor.isAdmin) {
      await chat.clear(actor, about.id);
      oracle.room(about.id).messages = [];
    }
  }

  await expectLike(chat, oracle, ratna, residents);
  await settle(test, ...tabs.filter((tab) => tab !== null));
  for (const [who, tab] of tabs.entries()) {
    if (!tab) continue;
    readers[who]?.fold(tab);
    const fresh = await Reader.load(chat, people[who] as Person, residents, ratna);
    expect(readers[who]?.shown()).toEqual(fresh.shown());
    tab.close();
  }
}

/** What the server answers equals what the oracle says, for both sides. */
async function expectLike(chat: Chat, oracle: Oracle, admin: Person, residents: Person[]): Promise<void> {
  const list = await chat.list(admin, '?limit=100');
  const alive = residents.filter(({ id }) => oracle.room(id).messages.length > 0);
  const newest = (userId: string): number => oracle.room(userId).messages.at(-1)?.id ?? 0;
  expect(list.data.map((row) => [row.other_user.id, row.unread_count, row.unanswered_since])).toEqual(
    alive
      .toSorted((a, b) => newest(b.id) - newest(a.id))
      .map(({ id }) => [id, oracle.unread(id, 'admin'), oracle.waitingSince(id)]),
  );
  const sum = residents.reduce((total, { id }) => total + oracle.unread(id, 'admin'), 0);
  expect([list.total, list.total_unread]).toEqual([alive.length, sum]);

  for (const viewer of residents) {
    const { messages, seen, delivered } = oracle.room(viewer.id);
    const history = await chat.history(viewer, admin.id, '?limit=200');
    expect(history.total).toBe(messages.length);
    expect(history.messages.map((m) => [m.id, m.prev_id, m.sender_id, m.client_id])).toEqual(
      messages.map((m, at) => [String(m.id), at > 0 ? String(messages[at - 1]?.id) : null, m.sender, m.clientId]),
    );
    const { user_seen_id, admin_seen_id, user_delivered_id, admin_delivered_id } = history;
    expect([user_seen_id, admin_seen_id, user_delivered_id, admin_delivered_id].map(Number)).toEqual([
      seen.user,
      seen.admin,
      delivered.user,
      delivered.admin,
    ]);
    expect((await chat.list(viewer)).total_unread).toBe(oracle.unread(viewer.id, 'user'));
  }
}

it('whatever people do, counts, cursors and order are right, and every screen equals a fresh load', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const chat = await openChat();
      const { test } = chat;
      const people = [buildAdmin(test), buildAdmin(test), buildPerson(test), buildPerson(test)];
      await play(chat, people, all);
    }),
    { numRuns: 40 },
  );
}, 60_000);

it('whatever people do at the same moment, every screen equals a fresh load', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const chat = await openChat();
      const people = [buildAdmin(chat.test), buildAdmin(chat.test), buildPerson(chat.test), buildPerson(chat.test)];
      const [ratna, , ...residents] = people as [Person, Person, Person, Person];
      const tabs = await Promise.all(people.map(async (viewer) => openTab(chat.test, viewer)));
      const readers = await Promise.all(people.map(async (viewer) => Reader.load(chat, viewer, residents, ratna)));
      for (let at = 0; at < all.length; at += 8) {
        await Promise.all(
          all.slice(at, at + 8).map(async (step) => {
            const actor = people[step.who] as Person;
            if (!('about' in step)) return;
            const about = actor.isAdmin ? (residents[step.about] as Person) : actor;
            const receiver = actor.isAdmin ? about : ratna;
            if (step.do === 'send') await chat.send(actor, receiver, 'Halo', step.clientId);
            else if (step.do === 'see') await chat.see(actor, receiver.id);
            else if (step.do === 'clear' && actor.isAdmin) await chat.clear(actor, about.id);
            else
              tabs[step.who]?.socket.emit('delivered', {
                user_id: about.id,
                up_to: String(step.do === 'deliver' ? (step.upTo ?? 99) : 0),
              });
          }),
        );
      }
      await settle(chat.test, ...tabs);
      for (const [who, viewer] of people.entries()) {
        readers[who]?.fold(tabs[who] as Tab);
        const fresh = await Reader.load(chat, viewer, residents, ratna);
        expect(readers[who]?.shown()).toEqual(fresh.shown());
        tabs[who]?.close();
      }
    }),
    { numRuns: 25 },
  );
}, 60_000);
