import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { stalledBodyResponse } from '../errors.ts';

export const hasBody = ({ headers }: FastifyRequest['raw']): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/** A body is looked at once in this time. */
export const WINDOW_MS = 10_000;
/** Far below the slowest mobile network; only a connection that holds its place sends less. */
const BYTES_PER_WINDOW_MIN = 1024;

/** Answers and closes the connection of a request whose body has not arrived. @param response the raw bytes */
export function endUnfinishedRequest(
  { socket }: FastifyRequest['raw'],
  { headersSent }: FastifyReply['raw'],
  response: string,
): void {
  if (!headersSent && socket.writable) socket.write(response);
  socket.destroy();
}

/**
 * Ends a request whose body arrives too slowly or not at all (docs/requirements.md R-API-19). The time limit of a whole
 * request is two minutes, and so long each silent connection would hold what it has sent and its place among the uploads.
 */
export function registerBodyProgress(app: FastifyInstance): void {
  const watched = new Set<NodeJS.Timeout>();
  app.addHook('onRequest', async ({ raw }, reply) => {
    if (!hasBody(raw)) return;
    const { socket } = raw;
    let bytesBefore = socket.bytesRead;
    const timer = setInterval(() => {
      if (raw.complete) {
        stop();
      } else if (socket.bytesRead - bytesBefore < BYTES_PER_WINDOW_MIN) {
        stop();
        endUnfinishedRequest(raw, reply.raw, stalledBodyResponse());
      }
      bytesBefore = socket.bytesRead;
    }, WINDOW_MS);
    timer.unref();
    watched.add(timer);
    const stop = (): void => {
      clearInterval(timer);
      watched.delete(timer);
    };
    raw.once('end', stop);
    raw.once('close', stop);
  });
  app.addHook('onClose', async () => {
    for (const timer of watched) clearInterval(timer);
  });
}
