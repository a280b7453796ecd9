import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { framesOf, type Packet, writePackets } from './packets.ts';
import type { NamespaceSocket, RealtimeNamespace } from './socket-types.ts';

/** The sockets that get an event: those that read batches of unread counts, those that read each count, or both. */
export type FeedReaders = 'all' | 'batches' | 'each';
type Kind = Exclude<FeedReaders, 'all'>;
/** An event is the same for all, or has one packet for each session. */
export type FeedPacket = Packet | ((sessionId: string) => Packet);
type Entry = { packet: FeedPacket; readers: FeedReaders; exceptUserId: string | undefined };
/** The events that some sockets get. `common` are their bytes when all get the same. `cost`: in writes of such bytes. */
type Batch = { entries: readonly Entry[]; common: { packets: readonly Packet[]; frames: Buffer } | null; cost: number };

/**
 * This many writes hold the event loop for a few milliseconds. All at once took 160 ms with 9,500 sockets, and no request
 * was read meanwhile.
 */
const WRITES_AT_ONCE = 200;
/** An event with links of the session's own costs as much as so many writes. */
const OWN_PACKET_COST = 4;
/**
 * The feed rests so long for each write before the next round: 15 ms with 300 admins. A write to a socket costs some
 * 8 µs, so under any load all writes take a sixth of the event loop. A few sockets cause no rest.
 */
const REST_MS_PER_WRITE = 1 / 20;
const REST_MAX_MS = 50;

/**
 * Sends what all sockets of a room get, in order. Every event is serialized once, and the events of a moment are one write for
 * each socket: with hundreds of admins the system calls would otherwise take most of the event loop.
 *
 * Each socket has its own place in the feed. It gets every event once that was added after it joined, also when an event to it
 * alone must come behind those that wait.
 * @param eachRoom the sockets of the room that read each unread count
 */
export function createFeed(namespace: () => RealtimeNamespace | null, room: string, eachRoom?: string) {
  /** The events that some sockets have not got yet, numbered on from `first`. */
  const entries: Entry[] = [];
  let first = 0;
  /** The number of the next event of each socket. */
  const places = new WeakMap<NamespaceSocket, number>();
  const batches = new Map<string, Batch>();
  let isSending = false;

  const end = (): number => first + entries.length;

  /** Most sockets are at the same place. */
  function batchFrom(place: number, kind: Kind): Batch {
    const key = `${kind} ${place}`;
    const known = batches.get(key);
    if (known) return known;
    const chosen = entries.slice(place - first).filter(({ readers }) => readers === 'all' || readers === kind);
    const packets = chosen.flatMap(({ packet, exceptUserId }) =>
      typeof packet === 'function' || exceptUserId !== undefined ? [] : [packet],
    );
    const isCommon = packets.length === chosen.length;
    const batch = {
      entries: chosen,
      common: isCommon ? { packets, frames: framesOf(packets) } : null,
      cost: Math.max(1, OWN_PACKET_COST * chosen.filter(({ packet }) => typeof packet === 'function').length),
    };
    batches.set(key, batch);
    return batch;
  }

  /** Writes what waits for a socket. @returns the cost, in writes */
  function deliver(open: RealtimeNamespace, socket: NamespaceSocket): number {
    const place = places.get(socket) ?? end();
    if (place === end()) return 0;
    places.set(socket, end());
    const isEach = eachRoom !== undefined && open.adapter.rooms.get(eachRoom)?.has(socket.id) === true;
    const { entries: waiting, common, cost } = batchFrom(place, isEach ? 'each' : 'batches');
    const { id, sessionId } = socket.data.currentUser;
    const packets =
      common?.packets ??
      waiting
        .filter(({ exceptUserId }) => exceptUserId !== id)
        .map(({ packet }) => (typeof packet === 'function' ? packet(sessionId) : packet));
    if (packets.length === 0) return 0;
    writePackets(socket, packets, common?.frames ?? framesOf(packets));
    return cost;
  }

  const socketsOf = (open: RealtimeNamespace | null): string[] => [...(open?.adapter.rooms.get(room) ?? [])];

  /** One round over all sockets that are there now. @returns its cost, in writes */
  async function sendRound(): Promise<number> {
    const open = namespace();
    // Sockets that join during the round have a place behind this one.
    const roundEnd = end();
    let [total, inTurn] = [0, 0];
    for (const id of socketsOf(open)) {
      // It may have closed since the round began.
      const socket = open?.sockets.get(id);
      const cost = open && socket ? deliver(open, socket) : 0;
      total += cost;
      inTurn += cost;
      if (inTurn < WRITES_AT_ONCE) continue;
      inTurn = 0;
      await nextTurn();
    }
    entries.splice(0, roundEnd - first);
    first = roundEnd;
    batches.clear();
    return total;
  }

  async function send(): Promise<void> {
    isSending = true;
    await nextTurn();
    while (entries.length > 0) {
      const restMs = Math.min(REST_MAX_MS, (await sendRound()) * REST_MS_PER_WRITE);
      if (restMs >= 1) await pause(restMs, undefined, { ref: false });
    }
    isSending = false;
  }

  return {
    /** Called when a socket joins its rooms. */
    join: (socket: NamespaceSocket): void => void places.set(socket, end()),
    /** @param exceptUserId not to the sockets of that account */
    add(packet: FeedPacket, readers: FeedReaders = 'all', exceptUserId?: string): void {
      if (!namespace()?.adapter.rooms.has(room)) return;
      entries.push({ packet, readers, exceptUserId });
      batches.clear();
      if (!isSending) void send();
    },
    /** Writes at once what waits for one socket; called before an event that takes another way to it. */
    catchUp(socket: NamespaceSocket): void {
      const open = namespace();
      if (open) deliver(open, socket);
    },
    /** Writes at once what waits for all; called before the sockets close. */
    flush(): void {
      const open = namespace();
      for (const id of socketsOf(open)) {
        const socket = open?.sockets.get(id);
        if (open && socket) deliver(open, socket);
      }
    },
  };
}
