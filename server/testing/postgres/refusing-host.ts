import { once } from 'node:events';
import { createServer } from 'node:net';
import { onTestFinished } from 'vitest';

/** A message of PostgreSQL: its kind, its length and its content. */
function message(kind: string, content: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(Buffer.byteLength(content) + length.length);
  return Buffer.concat([Buffer.from(kind), length, Buffer.from(content)]);
}

const REFUSAL = message('E', 'SFATAL\0C28000\0Mno pg_hba.conf entry for host\0RClientAuthentication\0\0');

/**
 * Starts a host that refuses everybody, as a standby does whose pg_hba.conf lacks a line.
 * @param answer to the first packet of a connection; `N` to a question for TLS means that there is none
 */
export async function startRefusingHost(answer: Buffer | string = REFUSAL): Promise<{ host: string; port: number }> {
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.once('data', () => socket.end(answer));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('no port');
  return { host: '127.0.0.1', port: address.port };
}
