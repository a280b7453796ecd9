import { connect, type Socket } from 'node:net';
import { REALTIME_NAMESPACE } from '#shared/events.ts';

/** As of any WebSocket client; the mask itself is zero, so that nothing has to be computed. */
const MASKED = 0x80;
const TEXT_FRAME = 0x81;
const CLOSE_FRAME = 0x88;
/** Engine.IO's types of packets, and Socket.IO's behind its type of a message. */
const [OPEN, PING] = [...Buffer.from('02')];
const CONNECTED = `40${REALTIME_NAMESPACE}`;
export const EVENT = `42${REALTIME_NAMESPACE},["`;
const END_OF_HEADERS = '\r\n\r\n';

/** All connections read into it, one after the other. */
const readBuffer = Buffer.alloc(256 * 1024);

/**
 * A connection whose bytes are read in place, without a copy and without a stream. Hundreds of usual ones in the process that
 * makes the load would be measured instead of the server.
 * @param read gets what has arrived and not been taken yet, valid until it returns. @returns how many bytes it took
 */
export function openConnection(url: string, read: (bytes: Buffer) => number): Socket {
  let rest: Buffer = Buffer.alloc(0);
  const { hostname, port } = new URL(url);
  return connect({
    host: hostname,
    port: Number(port),
    noDelay: true,
    onread: {
      buffer: readBuffer,
      callback: (length) => {
        const chunk = readBuffer.subarray(0, length);
        const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
        rest = Buffer.from(bytes.subarray(read(bytes)));
        return true;
      },
    },
  });
}

/** A short text as a frame of a client. */
function frameOf(text: string): Buffer {
  const payload = Buffer.from(text);
  const { length } = payload;
  const header = length < 126 ? [length | MASKED] : [126 | MASKED, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([TEXT_FRAME, ...header, 0, 0, 0, 0]), payload]);
}

/** Calls `onText` with each complete text of a server, and `onClose` when it closes. @returns how many bytes they had */
function readFrames(bytes: Buffer, onText: (frame: Buffer) => void, onClose: () => void): number {
  let at = 0;
  // A ping has three bytes, and nothing may follow it.
  while (bytes.length - at >= 2) {
    const short = (bytes[at + 1] ?? 0) & 127;
    const start = at + (short === 127 ? 10 : short === 126 ? 4 : 2);
    if (bytes.length < start) break;
    const end =
      start + (short === 127 ? bytes.readUInt32BE(at + 6) : short === 126 ? bytes.readUInt16BE(at + 2) : short);
    if (bytes.length < end) break;
    if (bytes[at] === TEXT_FRAME) onText(bytes.subarray(start, end));
    if (bytes[at] === CLOSE_FRAME) onClose();
    at = end;
  }
  return at;
}

/**
 * A Socket.IO client that reads frames and parses none of them.
 * @param onText gets each event, valid until it returns
 */
export function openRawSocket(
  url: string,
  { auth, onText }: { auth: Record<string, unknown>; onText: (frame: Buffer) => void },
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    let isOpen = false;
    const handleText = (frame: Buffer): void => {
      if (frame[0] === PING) socket.write(frameOf('3'));
      else if (frame[0] === OPEN) socket.write(frameOf(`${CONNECTED},${JSON.stringify(auth)}`));
      else if (frame.toString('latin1', 0, CONNECTED.length) === CONNECTED) resolve(socket);
      else onText(frame);
    };
    const handleClose = (): void => void socket.destroy();
    const socket = openConnection(url, (bytes) => {
      if (isOpen) return readFrames(bytes, handleText, handleClose);
      const end = bytes.indexOf(END_OF_HEADERS);
      if (end < 0) return 0;
      isOpen = true;
      const start = end + END_OF_HEADERS.length;
      return start + readFrames(bytes.subarray(start), handleText, handleClose);
    });
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('a socket was closed')));
    const headers = `Host: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13`;
    const key = `Sec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}`;
    socket.write(`GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\n${headers}\r\n${key}${END_OF_HEADERS}`);
  });
}

/** @returns the bytes of the whole answer, and 0 while some are missing */
function answerLength(bytes: Buffer): number {
  const end = bytes.indexOf(END_OF_HEADERS);
  if (end < 0) return 0;
  const [, length = ''] = /\r\ncontent-length: (\d+)/i.exec(bytes.toString('latin1', 0, end)) ?? [];
  const total = end + END_OF_HEADERS.length + Number(length);
  return bytes.length < total ? 0 : total;
}

/** Sends JSON over as many connections as requests are under way. @returns sends one, and resolves with the status */
export function createRawSender(url: string, path: string) {
  type Waiting = { socket: Socket; settle: ((status: number) => void) | null };
  const idle: Waiting[] = [];

  function open(): Waiting {
    const connection: Waiting = {
      settle: null,
      socket: openConnection(url, (bytes) => {
        const length = answerLength(bytes);
        if (length === 0) return 0;
        idle.push(connection);
        connection.settle?.(Number(bytes.toString('latin1', 9, 12)));
        return length;
      }),
    };
    return connection;
  }
  return {
    send: (token: string, body: unknown): Promise<number> =>
      new Promise((resolve, reject) => {
        const connection = idle.pop() ?? open();
        connection.settle = resolve;
        connection.socket.removeAllListeners('close').once('close', () => reject(new Error('a request was cut')));
        const payload = JSON.stringify(body);
        const headers = `Host: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json`;
        const length = `Content-Length: ${Buffer.byteLength(payload)}`;
        connection.socket.write(`POST ${path} HTTP/1.1\r\n${headers}\r\n${length}${END_OF_HEADERS}${payload}`);
      }),
    close: (): void => {
      for (const { socket } of idle) socket.removeAllListeners('close').destroy();
    },
  };
}
