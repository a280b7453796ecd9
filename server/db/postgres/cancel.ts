import { connect, type Socket } from 'node:net';
import type { PoolClient } from 'pg';

/** The inside of a connection of `pg`, which its types leave out. */
type ClientInside = {
  host: string;
  port: number;
  processID: number | null;
  secretKey: number | null;
  connection: { stream: Socket };
};

const insideOf = (client: PoolClient): ClientInside => client as unknown as ClientInside;

/** PostgreSQL takes this in place of the version of its protocol. */
const CANCEL_REQUEST = 80_877_102;
const CANCEL_BYTES = 16;
const CANCEL_TIMEOUT_MS = 2000;

/**
 * Asks PostgreSQL over a socket of its own to end the statement of a connection. It does so a moment later, so the caller
 * uses that connection for no other statement. Nothing answers, and a lost request does no harm.
 */
export function cancelStatement(client: PoolClient): void {
  const { host, port, processID, secretKey } = insideOf(client);
  if (processID === null || secretKey === null) return;
  const request = Buffer.alloc(CANCEL_BYTES);
  for (const [index, value] of [CANCEL_BYTES, CANCEL_REQUEST, processID, secretKey].entries())
    request.writeInt32BE(value, 4 * index);
  const socket = connect({ host, port }).unref();
  socket.setTimeout(CANCEL_TIMEOUT_MS, () => socket.destroy());
  socket.on('error', () => undefined);
  socket.end(request);
}

/** Cuts a connection in the middle of a statement, which fails with this error. Its pool does not use it again. */
export function cutConnection(client: PoolClient, reason: Error): void {
  insideOf(client).connection.stream.destroy(reason);
}
