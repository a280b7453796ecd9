import type { FastifyReply } from 'fastify';

/**
 * Aborted as soon as the caller has hung up. Fastify's own signal follows the request, which is closed already when a parser
 * has read its body to the end.
 */
export function callerSignal({ raw }: FastifyReply): AbortSignal {
  const caller = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) caller.abort();
  });
  if (raw.destroyed) caller.abort();
  return caller.signal;
}
