import { io, type Socket } from 'socket.io-client';
import type { Message } from '#shared/api/chat.ts';
import { REALTIME_NAMESPACE, type ServerToClientEvents } from '#shared/events.ts';
import type { SeededRandom } from '../../seed/seeded-random.ts';
import type { BenchUser } from '../seed-data.ts';
import { callApi } from './api-call.ts';
import { createConversationView, type ConversationView } from './conversation-view.ts';
import { countOutcome, createLedger, type Ledger } from './ledger.ts';
import { createLoadClock, type LoadClock } from './load-clock.ts';
import { runRecordWriter } from './record-writers.ts';
import { runLane } from './senders.ts';

/** Mean pauses of one client between two actions of a kind. */
export type LoadPauses = { messageMs: number; recordMs: number; seenMs: number; reconnectMs: number };
export type MixedLoadOptions = {
  url: string;
  admin: BenchUser;
  users: BenchUser[];
  random: SeededRandom;
  pauses: LoadPauses;
};
export type MixedLoad = {
  ledger: Ledger;
  clock: LoadClock;
  /** What each client has of each conversation, by `user:<id>` and `admin:<id>`. */
  views: Map<string, ConversationView>;
  connectedSockets: () => number;
  reconnects: () => number;
  /** Cuts the connections of some clients, which connect again by themselves. */
  cutConnections: (share: number) => void;
  /** Ends the load. Resolves when everything that was begun is acknowledged or given up. */
  end: () => Promise<void>;
};
type ChatSocket = Socket<ServerToClientEvents, Record<string, never>>;

const RECONNECT_MIN_MS = 100;
const RECONNECT_MAX_MS = 600;
const CATCH_UP_TRIES = 20;

/** Users and an admin who write in both directions, upload, read and reconnect all the time, with an exact account. */
export function startMixedLoad({ url, admin, users, random, pauses }: MixedLoadOptions): MixedLoad {
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

  function cutConnections(share: number): void {
    for (const socket of sockets) if (random.withProbability(share)) socket.io.engine?.close();
  }

  async function cutConnectionsRepeatedly(): Promise<void> {
    while (!clock.isOver()) {
      await clock.pauseBetween(pauses.reconnectMs / 2, (pauses.reconnectMs * 3) / 2);
      cutConnections(1 / sockets.length);
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
    clock,
    views,
    connectedSockets: () => sockets.filter(({ connected }) => connected).length,
    reconnects: () => reconnects,
    cutConnections,
    end,
  };
}
