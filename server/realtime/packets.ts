import { randomUUID } from 'node:crypto';
import { REALTIME_NAMESPACE } from '#shared/events.ts';
import type { NamespaceSocket } from './socket-types.ts';

/** An event in Socket.IO's protocol, and the same as a finished frame. */
export type Packet = { text: string; frame: Buffer };

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

/** Engine.IO's type of a message stands before each packet. */
const packetOfText = (text: string): Packet => ({ text, frame: frameOf(`4${text}`) });

const textOf = (event: string, payload: unknown): string =>
  `2${REALTIME_NAMESPACE},${JSON.stringify([event, payload])}`;

export const packetOf = (event: string, payload: unknown): Packet => packetOfText(textOf(event, payload));

/** Makes the address of a file. */
export type LinkFor = (file: string) => string;

/**
 * An event whose links differ by session. All else is serialized once: hundreds of admins get a message with a photo.
 * @param build the payload with links to its files
 * @param linksFor a session's own links, whose characters JSON leaves as they are
 */
export function packetWithLinks(
  event: string,
  build: (linkFor: LinkFor) => unknown,
  linksFor: (sessionId: string) => LinkFor,
): (sessionId: string) => Packet {
  // It is random, so no text of a user contains it.
  const mark = randomUUID();
  const parts = textOf(
    event,
    build((file) => `${mark}${file}${mark}`),
  ).split(mark);
  return (sessionId) => {
    const linkFor = linksFor(sessionId);
    return packetOfText(parts.map((part, index) => (index % 2 === 0 ? part : linkFor(part))).join(''));
  };
}

export const framesOf = (packets: readonly Packet[]): Buffer => Buffer.concat(packets.map(({ frame }) => frame));

/**
 * Engine.IO's options must not be shared, because it changes them. A connection that polls, or changes from polling, gets each
 * packet by itself; one with a WebSocket keeps it.
 */
export function writePackets({ conn }: NamespaceSocket, packets: readonly Packet[], frames: Buffer): void {
  if (conn.transport.name === 'websocket') {
    const options: FrameOptions = { wsPreEncodedFrame: [frames] };
    conn.write('', options);
    return;
  }
  for (const { text } of packets) conn.write(text);
}
