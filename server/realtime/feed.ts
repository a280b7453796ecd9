import { REALTIME_NAMESPACE } from '#shared/events.ts';
import type { NamespaceSocket, RealtimeNamespace } from './socket-types.ts';

/** The admins that get an event: those who read batches of unread counts, those who read each count, or both. */
export type FeedReaders = 'all' | 'batches' | 'each';
type Entry = { packet: string; readers: FeedReaders };

/**
 * The feed rests so long for each socket before it is written again: 15 ms with 300 admins. A write to a socket costs some
 * 8 µs, so under any load all writes take a sixth of the event loop. A few admins cause no rest.
 */
const REST_MS_PER_SOCKET = 1 / 20;
const REST_MAX_MS = 50;

/** An option of Engine.IO that its types do not show: a finished frame, which every WebSocket takes as it is. */
type FrameOptions = { compress?: boolean; wsPreEncodedFrame: Buffer[] };

/** A text as a WebSocket frame of a server (RFC 6455, section 5.2). */
function frameOf(text: string): Buffer {
  const payload = Buffer.from(text);
  const { length } = payload;
  const lengthBytes = length < 126 ? 0 : length < 65_536 ? 2 : 8;
  const header = Buffer.alloc(2 + lengthBytes);
  header[0] = 0x81;
  header[1] = lengthBytes === 0 ? length : lengthBytes === 2 ? 126 : 127;
  if (lengthBytes === 2) header.writeUInt16BE(length, 2);
  if (lengthBytes === 8) header.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([header, payload]);
}

/** An event in Socket.IO's protocol. */
export const packetOf = (event: string, payload: unknown): string =>
  `2${REALTIME_NAMESPACE},${JSON.stringify([event, payload])}`;

/** Engine.IO's type of a message stands before each packet. */
const framesOf = (packets: readonly string[]): Buffer => Buffer.concat(packets.map((packet) => frameOf(`4${packet}`)));

/**
 * Engine.IO's options must not be shared, because it changes them. A connection that polls, or changes from polling, gets each
 * packet by itself; one with a WebSocket keeps it.
 */
function writeTo({ conn }: NamespaceSocket, packets: readonly string[], frames: Buffer): void {
  if (conn.transport.name === 'websocket') {
    const options: FrameOptions = { wsPreEncodedFrame: [frames] };
    conn.write('', options);
    return;
  }
  for (const packet of packets) conn.write(packet);
}

/** Writes finished packets to sockets. @returns the number of sockets */
export function writePackets(open: RealtimeNamespace, ids: Iterable<string>, packets: readonly string[]): number {
  const frames = framesOf(packets);
  let count = 0;
  for (const id of ids) {
    const socket = open.sockets.get(id);
    if (!socket) continue;
    writeTo(socket, packets, frames);
    count += 1;
  }
  return count;
}

/**
 * Sends the events of all admins, in order. Every event is serialized once, and the events of a moment are one write for each
 * socket: with hundreds of admins the system calls would otherwise take most of the event loop.
 */
export function createFeed(namespace: () => RealtimeNamespace | null, room: string, eachRoom: string) {
  let pending: Entry[] = [];
  let isScheduled = false;
  let resting: NodeJS.Timeout | null = null;

  function deliver(open: RealtimeNamespace, entries: readonly Entry[], kind: 'batches' | 'each'): number {
    const packets = entries.filter(({ readers }) => readers === 'all' || readers === kind).map(({ packet }) => packet);
    const { rooms } = open.adapter;
    const each = rooms.get(eachRoom);
    const ids = kind === 'each' ? [...(each ?? [])] : [...(rooms.get(room) ?? [])].filter((id) => !each?.has(id));
    return packets.length === 0 ? 0 : writePackets(open, ids, packets);
  }

  function flush(): void {
    isScheduled = false;
    const entries = pending;
    const open = namespace();
    if (entries.length === 0 || !open) return;
    pending = [];
    const sockets = deliver(open, entries, 'each') + deliver(open, entries, 'batches');
    const restMs = Math.min(REST_MAX_MS, sockets * REST_MS_PER_SOCKET);
    if (restMs < 1 || resting) return;
    resting = setTimeout(() => {
      resting = null;
      flush();
    }, restMs).unref();
  }

  return {
    add(packet: string, readers: FeedReaders): void {
      if (!namespace()?.adapter.rooms.has(room)) return;
      pending.push({ packet, readers });
      if (isScheduled || resting) return;
      isScheduled = true;
      setImmediate(flush);
    },
    /** Sends at once what waits; called before an event that takes another way to an admin. */
    flush,
  };
}
