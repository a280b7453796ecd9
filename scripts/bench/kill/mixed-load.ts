import { io, type Socket } from 'socket.io-client';
import type { Message } from '#shared/api/chat/chat.ts';
import { REALTIME_NAMESPACE, type ServerToClientEvents } from '#shared/events.ts';
import type { SeededRandom } from '../../seed/seeded-random.ts';
import type { BenchUser } from '../seed-data.ts';
import { callApi } from './api-call.ts';
import { createConversationView, type ConversationView } from './conversation-view.ts';
import { runFileWriter } from './file-writers.ts';
import { countOutcome, createLedger, type Lane, type Ledger, type SentMessage } from './ledger.ts';
import { createLoadClock, type LoadClock } from './load-clock.ts';
import { runRecordWriter } from './record-writers.ts';

/** Mean pauses of one client between two actions of a kind. */
export type LoadPauses = { messageMs: number; recordMs: number; fileMs: number; seenMs: number; reconnectMs: number };
export type MixedLoadOptions = {
  url: string;
  admin: BenchUser;
  users: BenchUser[];
  /** Their conversations have files, and are deleted now and then. */
  fileUsers: BenchUser[];
  random: SeededRandom;
  pauses: LoadPauses;
};
export type MixedLoad = {
  ledger: Ledger;
  /** The messages that each client has of each conversation, by `user:<id>` and `admin:<id>`. */
  views: Map<string, ConversationView>;
  reconnects: () => number;
  /** Ends the load. Resolves when everything that was begun is acknowledged or given up. */
  end: () => Promise<void>;
};
type ChatSocket = Socket<ServerToClientEvents, Record<string, never>>;

const RECONNECT_MIN_MS = 100;
const RECONNECT_MAX_MS = 600;
const CATCH_UP_TRIES = 20;
/** Pauses before a repeat, as the browser's outbox makes them, only shorter. */
const RETRY_MIN_MS = 50;
const RETRY_MAX_MS = 300;

type Sender = { url: string; token: string; receiverId: string };

/** Sends a message until it is acknowledged or the load gives up. The repeats carry the same client_id. */
async function sendUntilAcknowledged(
  ledger: Ledger,
  clock: LoadClock,
  { url, token, receiverId }: Sender,
  message: SentMessage,
): Promise<void> {
  const body = { to_user_id: receiverId, content: message.content, client_id: message.clientId };
  while (!clock.hasGivenUp()) {
    const result = await callApi(url, { method: 'POST', path: '/api/messages/send', token, body });
    countOutcome(ledger, 'send', result);
    if (result.status === 200 || result.status === 201) {
      if (result.status === 200) ledger.storedWithoutAnswer += 1;
      message.acknowledgedAtMs = Date.now();
      message.acknowledgedId = (result.body as { data: Message }).data.id;
      return;
    }
    await clock.pauseBetween(RETRY_MIN_MS, RETRY_MAX_MS);
  }
}

/** Adds a lane and sends one message after the other, with pauses around `meanPauseMs`, until the load ends. */
async function runLane(
  ledger: Ledger,
  clock: LoadClock,
  sender: Sender,
  { meanPauseMs, ...owner }: Omit<Lane, 'messages'> & { meanPauseMs: number },
): Promise<void> {
  const lane: Lane = { ...owner, messages: [] };
  ledger.lanes.push(lane);
  for (let index = 0; ; index += 1) {
    await clock.pauseBetween(meanPauseMs / 2, (meanPauseMs * 3) / 2);
    if (clock.isOver()) return;
    const message = {
      clientId: `${lane.name}-${index}`,
      content: `${lane.name} pesan ${index}`,
      acknowledgedId: null,
      acknowledgedAtMs: null,
    };
    lane.messages.push(message);
    await sendUntilAcknowledged(ledger, clock, sender, message);
  }
}

/** Users and an admin who write in both directions, upload, delete histories, read and reconnect all the time, with an exact account. */
export function startMixedLoad({ url, admin, users, fileUsers, random, pauses }: MixedLoadOptions): MixedLoad {
  const ledger = createLedger();
  const clock = createLoadClock(random);
  const views = new Map<string, ConversationView>();
  const sockets: ChatSocket[] = [];
  let reconnects = 0;

  function connect(token: string, onMessage: (message: Message) => void, onConnect: () => void): void {
    const socket: ChatSocket = io(`${url}${REALTIME_NAMESPACE}`, {
      auth: { token },
      transports: ['websocket'],
      forceNew: true,
      reconnectionDelay: RECONNECT_MIN_MS,
      reconnectionDelayMax: RECONNECT_MAX_MS,
    });
    let isFirst = true;
    socket.on('connect', () => {
      if (!isFirst) reconnects += 1;
      isFirst = false;
      onConnect();
    });
    socket.on('message:new', onMessage);
    sockets.push(socket);
  }

  function addView(key: string, token: string, otherId: string): ConversationView {
    const view = createConversationView(ledger, key, { url, token, otherId });
    views.set(key, view);
    return view;
  }

  async function markSeenRepeatedly(key: string, token: string, otherId: string): Promise<void> {
    for (;;) {
      await clock.pauseBetween(pauses.seenMs / 2, (pauses.seenMs * 3) / 2);
      if (clock.isOver()) return;
      const upTo = views.get(key)?.ids.at(-1);
      if (upTo === undefined) continue;
      const path = `/api/messages/conversation/${otherId}/seen`;
      const result = await callApi(url, { method: 'POST', path, token, body: { up_to: upTo } });
      countOutcome(ledger, 'seen', result);
      if (result.status === 200) ledger.seen.set(key, Math.max(Number(upTo), ledger.seen.get(key) ?? 0));
    }
  }

  async function cutConnectionsRepeatedly(): Promise<void> {
    while (!clock.isOver()) {
      await clock.pauseBetween(pauses.reconnectMs / 2, (pauses.reconnectMs * 3) / 2);
      for (const socket of sockets) if (random.withProbability(1 / sockets.length)) socket.io.engine?.close();
    }
  }

  const running: Promise<void>[] = [];
  for (const [index, user] of users.entries()) {
    const [userKey, adminKey] = [`user:${user.id}`, `admin:${user.id}`];
    const view = addView(userKey, user.token, admin.id);
    addView(adminKey, admin.token, user.id);
    connect(user.token, view.receive, () => void view.catchUp());
    running.push(
      runLane(ledger, clock, { url, token: user.token, receiverId: admin.id },
        { name: `u${index}`, senderId: user.id, userId: user.id, meanPauseMs: pauses.messageMs }), // prettier-ignore
      runLane(ledger, clock, { url, token: admin.token, receiverId: user.id },
        { name: `a${index}`, senderId: admin.id, userId: user.id, meanPauseMs: pauses.messageMs }), // prettier-ignore
      markSeenRepeatedly(userKey, user.token, admin.id),
      markSeenRepeatedly(adminKey, admin.token, user.id),
      runRecordWriter(ledger, clock, random, { url, user, meanPauseMs: pauses.recordMs }),
    );
  }
  for (const user of fileUsers) {
    running.push(runFileWriter(ledger, clock, random, { url, user, admin, meanPauseMs: pauses.fileMs }));
  }
  const adminViews = users.flatMap(({ id }) => views.get(`admin:${id}`) ?? []);
  connect(
    admin.token,
    (message) => views.get(`admin:${message.user_id}`)?.receive(message),
    () => void Promise.all(adminViews.map((view) => view.catchUp())),
  );
  running.push(cutConnectionsRepeatedly());

  async function end(): Promise<void> {
    clock.end();
    await Promise.all(running);
    for (const view of views.values()) {
      for (let tries = 0; tries < CATCH_UP_TRIES && !(await view.catchUp()); tries += 1) {
        await clock.pauseBetween(RECONNECT_MIN_MS, RECONNECT_MAX_MS);
      }
    }
    for (const socket of sockets) socket.disconnect();
  }

  return {
    ledger,
    views,
    reconnects: () => reconnects,
    end,
  };
}
