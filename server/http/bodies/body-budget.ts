import type { FastifyInstance, FastifyRequest } from 'fastify';
import { addressKey } from '#server/security/ip-addresses.ts';
import { evictedResponse, serverBusy } from '../errors.ts';
import { endUnfinishedRequest, hasBody } from './body-progress.ts';

/** Bodies of an account, or of a stranger's address: eight of the largest, or thousands of usual ones. */
const BYTES_PER_SENDER_MAX = 8 * 2 ** 20;
const BYTES_MAX = 64 * 2 ** 20;
const RETRY_AFTER_SECONDS = 2;

/** A body that arrives or that a handler works on. */
type HeldBody = { sender: string; bytes: number; isComplete: () => boolean; end: () => void };

/**
 * Bounds the memory of the bodies that arrive at the same time (docs/requirements.md R-API-19): a body of a megabyte may take
 * two minutes, and an address has hundreds of connections.
 */
export function createBodyBudget({ perSenderMax = BYTES_PER_SENDER_MAX, max = BYTES_MAX } = {}) {
  /** The oldest first. */
  const held = new Set<HeldBody>();
  const bytesBySender = new Map<string, number>();
  let bytesOfAll = 0;

  function add(sender: string, bytes: number): void {
    bytesOfAll += bytes;
    const sum = (bytesBySender.get(sender) ?? 0) + bytes;
    if (sum === 0) bytesBySender.delete(sender);
    else bytesBySender.set(sender, sum);
  }

  function release(body: HeldBody): void {
    if (held.delete(body)) add(body.sender, -body.bytes);
  }

  /** Ends the oldest body that has not arrived, of the sender with most bytes. @returns whether there was one */
  function endOne(): boolean {
    const [most] = [...bytesBySender].toSorted(([, a], [, b]) => b - a);
    for (const body of held) {
      if (body.sender !== most?.[0] || body.isComplete()) continue;
      release(body);
      body.end();
      return true;
    }
    return false;
  }

  return {
    /** @returns the release. @throws 503 when the sender's bodies, or all together, take too much */
    take(body: HeldBody): () => void {
      if ((bytesBySender.get(body.sender) ?? 0) + body.bytes > perSenderMax) throw serverBusy();
      while (bytesOfAll + body.bytes > max) if (!endOne()) throw serverBusy();
      held.add(body);
      add(body.sender, body.bytes);
      return () => release(body);
    },
  };
}

/** @returns the bytes in memory at most; a compressed body is unpacked while it is read */
function boundBytes({ raw: { headers } }: FastifyRequest, limit: number): number {
  const { 'content-encoding': encoding = 'identity', 'content-length': length = limit } = headers;
  return encoding === 'identity' ? Number(length) : limit;
}

/** Runs after the guards, which know the account, and before the body is read. Forms have the slots of uploads instead. */
export function registerBodyBudget(app: FastifyInstance): void {
  const budget = createBodyBudget();
  app.addHook('preParsing', async (request, reply) => {
    const { raw, currentUser, ip, mediaType, routeOptions } = request;
    // A broken request ends its connection, which then has no address.
    if (raw.socket.destroyed) return;
    // A body of any other type is read, and one without a type.
    if (!hasBody(raw) || mediaType === 'multipart/form-data') return;
    const limit = routeOptions.bodyLimit ?? 0;
    const bytes = boundBytes(request, limit);
    // One that is too large is refused before it is read.
    if (bytes > limit) return;
    const release = budget.take({
      sender: currentUser?.id ?? addressKey(ip),
      bytes,
      isComplete: () => raw.complete,
      end: () => endUnfinishedRequest(raw, reply.raw, evictedResponse(RETRY_AFTER_SECONDS)),
    });
    reply.raw.once('close', release);
  });
}
