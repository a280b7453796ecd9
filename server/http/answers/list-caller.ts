import type { FastifyReply, FastifyRequest } from 'fastify';
import type { QueryCaller } from '#server/db/query-worker.ts';
import { isGzip } from './encoded-answer.ts';
import type { CurrentUser } from '../session-guards.ts';
import { acceptsEncoding } from './request-headers.ts';

/** The receiver of a list that a query worker encodes. */
export type ListCaller = QueryCaller & { acceptsGzip: boolean };

type Received = { currentUser: CurrentUser; request: FastifyRequest; reply: FastifyReply };

export function listCallerOf({ currentUser, request, reply }: Received): ListCaller {
  const closed = new AbortController();
  // Emitted after the last byte was handed to the system, and also when the client hangs up before that.
  reply.raw.once('close', () => closed.abort());
  return {
    account: currentUser.id,
    closed: closed.signal,
    acceptsGzip: acceptsEncoding(request, 'gzip'),
  };
}

/** Sends an answer that a query worker has encoded. */
export function sendEncoded(reply: FastifyReply, answer: Uint8Array): never {
  if (isGzip(answer)) reply.header('content-encoding', 'gzip').header('vary', varyOn(reply, 'accept-encoding'));
  // Fastify does not serialise a Buffer; its bytes hold the declared type of the answer.
  const bytes = Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength);
  return reply.type('application/json; charset=utf-8').send(bytes) as never;
}

function varyOn(reply: FastifyReply, name: string): string {
  const vary = reply.getHeader('vary');
  return vary === undefined ? name : `${String(vary)}, ${name}`;
}
