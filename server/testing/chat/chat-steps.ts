import fc from 'fast-check';
import { expect } from 'vitest';
import type { Message } from '#shared/api/chat/chat.ts';
import { buildRecord, type SignedInUser } from '#server/testing/factories.ts';
import { openTab, type Tab, waitForPendingEvents } from '#server/testing/sockets.ts';
import { uploadFile } from './attachments.ts';
import type { ChatApp } from './chat-app.ts';
import { ClientModel } from './chat-client-model.ts';
import { writeNotice } from './notices.ts';

type Carried = 'text' | 'file' | 'card';
type Step =
  | { do: 'notice'; participantIndex: number; userIndex: number }
  | { do: 'send'; participantIndex: number; userIndex: number; clientId: string | null; carries: Carried }
  | { do: 'see' | 'deliver'; participantIndex: number; userIndex: number; upTo: number | null }
  | { do: 'clear'; participantIndex: number; userIndex: number }
  | { do: 'leave' | 'return'; participantIndex: number };

const anyParticipantIndex = fc.nat({ max: 3 });
const anyUserIndex = fc.nat({ max: 1 });
/** Any actions of two admins and two users. */
export const anySteps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constant('send'),
        participantIndex: anyParticipantIndex,
        userIndex: anyUserIndex,
        clientId: fc.option(fc.constantFrom('a', 'b', 'c', 'd')),
        carries: fc.constantFrom<Carried>('text', 'text', 'text', 'file', 'card'),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('notice'),
        participantIndex: anyParticipantIndex,
        userIndex: anyUserIndex,
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constantFrom('see', 'deliver'),
        participantIndex: anyParticipantIndex,
        userIndex: anyUserIndex,
        upTo: fc.option(fc.nat({ max: 25 })),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant('clear'),
        participantIndex: anyParticipantIndex,
        userIndex: anyUserIndex,
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constantFrom('leave', 'return'), participantIndex: anyParticipantIndex }),
    },
  ),
  { maxLength: 40 },
);

/** Any actions that begin together, a few times. */
export const anyRounds: fc.Arbitrary<Step[][]> = fc.array(anySteps, { minLength: 1, maxLength: 3 });

/** Sends a message with what it carries, unless the same `client_id` was sent before. @returns its id */
export async function sendStep(
  chat: ChatApp,
  [sender, receiver, owner]: [SignedInUser, SignedInUser, SignedInUser],
  { clientId, carries }: { clientId: string | null; carries: Carried },
): Promise<string> {
  const { test } = chat;
  const attachment_ids = carries === 'file' ? [(await uploadFile(test, sender)).id] : [];
  const record_id = carries === 'card' ? buildRecord(test, owner.id).id : null;
  const body = { to_user_id: receiver.id, content: 'Halo', client_id: clientId, attachment_ids, record_id };
  const answer = await chat.post(sender, body);
  expect(clientId === null ? [201] : [200, 201]).toContain(answer.status);
  return (answer.body.data as Message).id;
}

type Sides = { user: number; admin: number };
type OracleMessage = {
  id: number;
  sender: string;
  fromAdmin: boolean;
  clientId: string | null;
  at: string;
  kind: 'chat' | 'notice';
};

/** The rules R-CHAT-1, R-CHAT-2, R-CHAT-5 and R-CHAT-10 as simply as possible: lists, and counting their items. */
class Oracle {
  private nextId = 1;
  readonly sent = new Set<string>();
  readonly conversations = new Map<string, { messages: OracleMessage[]; seen: Sides; delivered: Sides }>();

  constructor(users: SignedInUser[]) {
    for (const { id } of users) {
      this.conversations.set(id, { messages: [], seen: { user: 0, admin: 0 }, delivered: { user: 0, admin: 0 } });
    }
  }

  conversation(userId: string) {
    return this.conversations.get(userId) as NonNullable<ReturnType<(typeof this.conversations)['get']>>;
  }

  send(
    sender: SignedInUser,
    userId: string,
    clientId: string | null,
    at: string,
    kind: 'chat' | 'notice' = 'chat',
  ): void {
    if (clientId !== null && this.sent.has(`${sender.id} ${clientId}`)) return;
    if (clientId !== null) this.sent.add(`${sender.id} ${clientId}`);
    this.conversation(userId).messages.push({
      id: this.nextId,
      sender: sender.id,
      fromAdmin: sender.isAdmin,
      clientId,
      at,
      kind,
    });
    this.nextId += 1;
  }

  move(kind: 'seen' | 'delivered', userId: string, side: keyof Sides, upTo: number | null): void {
    const conversation = this.conversation(userId);
    const newest = conversation.messages.at(-1)?.id ?? 0;
    const reach = Math.min(upTo ?? newest, newest);
    conversation[kind][side] = Math.max(conversation[kind][side], reach);
    if (kind === 'seen') this.move('delivered', userId, side, reach);
  }

  unread(userId: string, side: keyof Sides): number {
    const { messages, seen } = this.conversation(userId);
    return messages.filter(({ id, fromAdmin }) => fromAdmin === (side === 'user') && id > seen[side]).length;
  }

  /** Since when the user waits: the first of the user's messages without an answer after it; a notice is neither. */
  waitingSince(userId: string): string | null {
    const messages = this.conversation(userId).messages.filter(({ kind }) => kind === 'chat');
    const afterAnswer = messages.slice(messages.findLastIndex(({ fromAdmin }) => fromAdmin) + 1);
    return afterAnswer[0]?.at ?? null;
  }
}

/**
 * Does one action after the other, and compares answers and clients with the model.
 * @param chats the processes of the office, used in turns; the first made the participants
 * @param settle resolves when all processes have heard what the others told
 */
export async function runSteps(
  chats: readonly [ChatApp, ...ChatApp[]],
  participants: SignedInUser[],
  allSteps: Step[],
  settle: () => Promise<void> = async () => {},
): Promise<void> {
  const chatAt = (index: number): ChatApp => chats[index % chats.length] ?? chats[0];
  const { test } = chats[0];
  const [ratna, , ...users] = participants as [SignedInUser, SignedInUser, SignedInUser, SignedInUser];
  const oracle = new Oracle(users);
  const tabs: (Tab | null)[] = [];
  const models: ClientModel[] = [];
  const open = async (participantIndex: number): Promise<void> => {
    const currentUser = participants[participantIndex] as SignedInUser;
    const chat = chatAt(participantIndex);
    tabs[participantIndex] = await openTab(chat.test, currentUser);
    models[participantIndex] = await ClientModel.load(chat, currentUser, users, ratna);
  };
  for (const participantIndex of participants.keys()) await open(participantIndex);

  for (const [number, step] of allSteps.entries()) {
    await settle();
    for (const { test: process } of chats) process.clock.advance(1000);
    const chat = chatAt(number);
    const currentUser = participants[step.participantIndex] as SignedInUser;
    const tab = tabs[step.participantIndex] ?? null;
    if (!('userIndex' in step)) {
      if (step.do === 'leave') tab?.close();
      if (step.do === 'leave') tabs[step.participantIndex] = null;
      else if (!tab) await open(step.participantIndex);
      continue;
    }
    const conversationUser = currentUser.isAdmin ? (users[step.userIndex] as SignedInUser) : currentUser;
    const receiver = currentUser.isAdmin ? conversationUser : ratna;
    const side = currentUser.isAdmin ? 'admin' : 'user';
    if (step.do === 'send') {
      await sendStep(chat, [currentUser, receiver, conversationUser], step);
      oracle.send(currentUser, conversationUser.id, step.clientId, new Date(test.clock.now()).toISOString());
    } else if (step.do === 'notice') {
      await writeNotice(chat, currentUser, conversationUser);
      oracle.send(currentUser, conversationUser.id, null, new Date(test.clock.now()).toISOString(), 'notice');
    } else if (step.do === 'see') {
      const { unread_count } = await chat.see(
        currentUser,
        receiver.id,
        step.upTo === null ? undefined : { up_to: step.upTo },
      );
      oracle.move('seen', conversationUser.id, side, step.upTo);
      expect(unread_count).toBe(oracle.unread(conversationUser.id, side));
    } else if (step.do === 'deliver' && tab) {
      tab.socket.emit('delivered', { user_id: conversationUser.id, up_to: String(step.upTo ?? 99) });
      await waitForPendingEvents(chatAt(step.participantIndex).test, tab);
      oracle.move('delivered', conversationUser.id, side, step.upTo ?? 99);
    } else if (step.do === 'clear' && currentUser.isAdmin) {
      await chat.clear(currentUser, conversationUser.id);
      oracle.conversation(conversationUser.id).messages = [];
    }
  }

  await settle();
  for (const chat of chats) await expectMatchesOracle(chat, oracle, ratna, users);
  for (const [participantIndex, tab] of tabs.entries()) {
    if (!tab) continue;
    const chat = chatAt(participantIndex);
    await waitForPendingEvents(chat.test, tab);
    models[participantIndex]?.applyEvents(tab);
    const fresh = await ClientModel.load(chat, participants[participantIndex] as SignedInUser, users, ratna);
    expect(models[participantIndex]?.snapshot()).toEqual(fresh.snapshot());
    tab.close();
  }
}

/** The server's answers must equal the simple model's, for both sides. */
async function expectMatchesOracle(
  chat: ChatApp,
  oracle: Oracle,
  admin: SignedInUser,
  users: SignedInUser[],
): Promise<void> {
  const list = await chat.list(admin, '?limit=100');
  const nonEmpty = users.filter(({ id }) => oracle.conversation(id).messages.length > 0);
  const newest = (userId: string): number => oracle.conversation(userId).messages.at(-1)?.id ?? 0;
  expect(list.data.map((row) => [row.other_user.id, row.unread_count, row.unanswered_since])).toEqual(
    nonEmpty
      .toSorted((a, b) => newest(b.id) - newest(a.id))
      .map(({ id }) => [id, oracle.unread(id, 'admin'), oracle.waitingSince(id)]),
  );
  const sum = users.reduce((total, { id }) => total + oracle.unread(id, 'admin'), 0);
  expect([list.total, list.total_unread]).toEqual([nonEmpty.length, sum]);

  for (const currentUser of users) {
    const { messages, seen, delivered } = oracle.conversation(currentUser.id);
    const history = await chat.history(currentUser, admin.id, '?limit=200');
    expect(history.total).toBe(messages.length);
    expect(history.messages.map((m) => [m.id, m.prev_id, m.sender_id, m.client_id, m.kind])).toEqual(
      messages.map((m, at) => [
        String(m.id),
        at > 0 ? String(messages[at - 1]?.id) : null,
        m.sender,
        m.clientId,
        m.kind,
      ]),
    );
    const { user_seen_id, admin_seen_id, user_delivered_id, admin_delivered_id } = history;
    expect([user_seen_id, admin_seen_id, user_delivered_id, admin_delivered_id].map(Number)).toEqual([
      seen.user,
      seen.admin,
      delivered.user,
      delivered.admin,
    ]);
    expect((await chat.list(currentUser)).total_unread).toBe(oracle.unread(currentUser.id, 'user'));
  }
}

type Sent = { participantIndex: number; clientId: string | null; id: string };

/**
 * Starts many actions at once, in turns at each process, and when all have settled compares every client with a fresh load, and
 * the messages with those that were acknowledged. The order of what is done at once is not known, so no model does it.
 */
export async function runStepsAtOnce(
  chats: readonly [ChatApp, ...ChatApp[]],
  participants: SignedInUser[],
  rounds: readonly (readonly Step[])[],
  settle: () => Promise<void>,
): Promise<void> {
  const chatAt = (index: number): ChatApp => chats[index % chats.length] ?? chats[0];
  const [ratna, , ...users] = participants as [SignedInUser, SignedInUser, SignedInUser, SignedInUser];
  const clients = await Promise.all(
    participants.map(async (currentUser, index) => {
      const chat = chatAt(index);
      const tab = await openTab(chat.test, currentUser);
      return { chat, currentUser, tab, model: await ClientModel.load(chat, currentUser, users, ratna) };
    }),
  );
  const sent: Sent[] = [];

  async function act(step: Step, index: number): Promise<void> {
    const client = clients[step.participantIndex];
    if (!client || !('userIndex' in step)) return;
    const { currentUser, tab } = client;
    const chat = chatAt(index);
    const conversationUser = currentUser.isAdmin ? (users[step.userIndex] as SignedInUser) : currentUser;
    const receiver = currentUser.isAdmin ? conversationUser : ratna;
    if (step.do === 'send') {
      const id = await sendStep(chat, [currentUser, receiver, conversationUser], step);
      sent.push({ participantIndex: step.participantIndex, clientId: step.clientId, id });
    }
    if (step.do === 'notice') await writeNotice(chat, currentUser, conversationUser);
    if (step.do === 'see') await chat.see(currentUser, receiver.id, step.upTo === null ? {} : { up_to: step.upTo });
    if (step.do === 'deliver')
      tab.socket.emit('delivered', { user_id: conversationUser.id, up_to: String(step.upTo ?? 99) });
    if (step.do === 'clear' && currentUser.isAdmin) await chat.clear(currentUser, conversationUser.id);
  }
  const isDeletion = (step: Step): boolean =>
    step.do === 'clear' && participants[step.participantIndex]?.isAdmin === true;

  for (const steps of rounds) {
    await Promise.all(steps.map(act));
    await Promise.all(clients.map(({ chat, tab }) => waitForPendingEvents(chat.test, tab)));
    await settle();
    for (const client of clients) {
      const { chat, currentUser, tab, model } = client;
      await waitForPendingEvents(chat.test, tab);
      model.applyEvents(tab);
      const fresh = await ClientModel.load(chat, currentUser, users, ratna);
      expect(model.counts()).toEqual(fresh.counts());
      // A client loads again after a deletion, because messages of before may arrive after it.
      if (steps.some(isDeletion)) client.model = fresh.continueAfter(tab);
      else expect(model.snapshot()).toEqual(fresh.snapshot());
    }
  }
  await expectAllStoredOnce(chats[0], sent, [ratna, users], rounds.flat().some(isDeletion));
  for (const { tab } of clients) {
    const ids = tab.payloadsOf('message:new').map(({ id }) => id);
    expect(ids).toHaveLength(new Set(ids).size);
    tab.close();
  }
}

/**
 * Every acknowledged message is stored, a repeated one once, without a gap between them, and the unread ones are counted.
 * @param hasDeletions then some are gone
 */
async function expectAllStoredOnce(
  chat: ChatApp,
  sent: readonly Sent[],
  [admin, users]: [SignedInUser, readonly SignedInUser[]],
  hasDeletions: boolean,
): Promise<void> {
  const stored: string[] = [];
  const { data } = await chat.list(admin, '?limit=100');
  for (const user of users) {
    const { messages, total, admin_seen_id } = await chat.history(admin, user.id, '?limit=200');
    expect(total).toBe(messages.length);
    expect(messages.map(({ prev_id }) => prev_id)).toEqual([null, ...messages.map(({ id }) => id)].slice(0, total));
    stored.push(...messages.flatMap(({ id, kind }) => (kind === 'notice' ? [] : [id])));
    const unread = messages.filter(({ id, sender_id }) => sender_id === user.id && Number(id) > Number(admin_seen_id));
    const row = data.find(({ other_user }) => other_user.id === user.id);
    expect(row?.unread_count ?? 0).toBe(unread.length);
  }
  const ofRepeats = Map.groupBy(sent, ({ participantIndex, clientId, id }) =>
    clientId === null ? id : `${participantIndex} ${clientId}`,
  );
  const acknowledged = Array.from(ofRepeats.values(), (repeats) => {
    expect(new Set(repeats.map(({ id }) => id)).size).toBe(1);
    return repeats[0]?.id ?? '';
  });
  if (hasDeletions) expect(acknowledged).toEqual(expect.arrayContaining(stored));
  else expect(stored.toSorted()).toEqual(acknowledged.toSorted());
}
