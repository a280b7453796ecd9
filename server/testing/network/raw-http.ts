import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { withTimeout } from '../with-timeout.ts';

export type RawAnswer = { status: number; headers: Map<string, string>; body: string };

/** A connection over which a test sends exact bytes. */
export type RawConnection = {
  socket: Socket;
  send: (bytes: string | Buffer) => void;
  /** Resolves with the next complete answer. */
  answer: () => Promise<RawAnswer>;
  /** Resolves when the server has ended the connection. */
  ended: () => Promise<void>;
};

export async function connectRaw(port: number): Promise<RawConnection> {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let received = Buffer.alloc(0);
  let changed = Promise.withResolvers<void>();
  const notifyChanged = (): void => {
    changed.resolve();
    changed = Promise.withResolvers<void>();
  };
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    notifyChanged();
  });
  // A server that closes the connection while the test still writes is an expected outcome.
  socket.on('error', notifyChanged);
  const ended = new Promise<void>((resolve) => {
    socket.once('close', () => {
      resolve();
      notifyChanged();
    });
  });
  await withTimeout('a connection to the server', once(socket, 'connect'));

  const nextAnswer = async (): Promise<RawAnswer> => {
    for (;;) {
      const parsed = parseAnswer(received);
      if (parsed) {
        received = received.subarray(parsed.length);
        return parsed.answer;
      }
      if (socket.closed) throw new Error(`the connection ended before a whole answer: ${received.toString()}`);
      await changed.promise;
    }
  };
  return {
    socket,
    send: (bytes) => void socket.write(bytes),
    answer: () => withTimeout('a whole answer', nextAnswer()),
    ended: () => withTimeout('the end of the connection', ended),
  };
}

function parseAnswer(bytes: Buffer): { answer: RawAnswer; length: number } | null {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return null;
  const [first = '', ...lines] = bytes.subarray(0, headEnd).toString().split('\r\n');
  const headers = new Map<string, string>();
  for (const line of lines) {
    const [name = '', ...value] = line.split(':');
    headers.set(name.toLowerCase(), value.join(':').trim());
  }
  const length = headEnd + 4 + Number(headers.get('content-length') ?? 0);
  if (bytes.length < length) return null;
  const body = bytes.subarray(headEnd + 4, length).toString();
  return { answer: { status: Number(first.split(' ')[1]), headers, body }, length };
}

/** Sends one request on a new connection. */
export async function sendRaw(port: number, bytes: string | Buffer): Promise<RawAnswer> {
  const connection = await connectRaw(port);
  connection.send(bytes);
  return connection.answer();
}
