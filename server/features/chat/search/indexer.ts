import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { setTimeout as sleep } from 'node:timers/promises';
import { runAfterListen } from '#server/http/listen/after-listen.ts';
import {
  indexNewer,
  indexOlder,
  mergeIndex,
  readIndexRange,
  readNewestMessageId,
  indexedPercent,
} from '#server/messages/message-index-queries.ts';
import type { ServiceContext } from '#server/service-context.ts';

/** New messages wait so long for others. One commit of the index for many costs little; one for each would be a tenth of a send. */
const WAIT_MS = 250;
/** A step holds the event loop for about this time; how many messages that are is learnt. */
const STEP_MS = 8;
const STEP_MESSAGES = { min: 20, first: 200, max: 2000 };
/** Pages of the index that one merge writes: a few milliseconds. */
const MERGE_PAGES = 32;
/** Each page of the index is written about five times until its part has its final size. */
const MERGES_PER_STEP = 5;
/** While old messages are indexed, requests get at least as much time as the steps. */
const REST_MIN_MS = 10;
const REST_FACTOR = 2;
const PROGRESS_EVERY_MS = 10_000;
/** After a step that failed, as while another program holds the database. */
const RETRY_MS = 30_000;

export type MessageIndexer = {
  /** Called after the commit of a new message. */
  messageStored: () => void;
};

/** Keeps the search index complete: soon after each message, and after an update in small steps over all that are there. */
export function createMessageIndexer(
  app: FastifyInstance,
  { orm, write, monotonicNow }: Pick<ServiceContext, 'orm' | 'write' | 'monotonicNow'>,
  retryMs = RETRY_MS,
): MessageIndexer {
  let isClosed = false;
  const closing = new AbortController();
  let timer: NodeJS.Timeout | null = null;
  let running = Promise.resolve();
  let stepMessages = STEP_MESSAGES.first;
  const mayWork = (): boolean => !isClosed;

  /** @returns how long it held the event loop, and whether there is more to do */
  async function step(index: typeof indexNewer): Promise<{ hasMore: boolean; ms: number }> {
    const result = await write((tx) => {
      const from = performance.now();
      const limit = stepMessages;
      const hasMore = index(tx, limit);
      // Only a full step tells how long a message takes.
      const ms = performance.now() - from;
      if (ms > STEP_MS) stepMessages = Math.max(STEP_MESSAGES.min, Math.floor(limit / 2));
      else if (hasMore && ms < STEP_MS / 2) stepMessages = Math.min(STEP_MESSAGES.max, limit * 2);
      return { hasMore, ms };
    });
    return { hasMore: result.hasMore, ms: result.ms + (await merge(MERGES_PER_STEP)) };
  }

  /** Each merge is a commit of its own, so that other changes come between. @returns how long they took */
  async function merge(timesMax: number): Promise<number> {
    let totalMs = 0;
    for (let times = 0; times < timesMax && mayWork(); times += 1) {
      const { hasMerged, ms } = await write((tx) => {
        const from = performance.now();
        return { hasMerged: mergeIndex(tx, MERGE_PAGES), ms: performance.now() - from };
      });
      totalMs += ms;
      if (!hasMerged) break;
    }
    return totalMs;
  }

  async function indexNew(): Promise<void> {
    let hasMore = true;
    while (hasMore && mayWork()) hasMore = (await step(indexNewer)).hasMore;
  }

  function messageStored(): void {
    if (isClosed) return;
    timer ??= setTimeout(() => {
      timer = null;
      running = running.then(indexNew).catch((error: unknown) => {
        // The search finds new messages without the index too, and the next message tries again.
        if (!isClosed) app.log.error({ err: error }, 'new messages were not indexed');
      });
    }, WAIT_MS).unref();
  }

  app.addHook('preClose', async () => {
    isClosed = true;
    closing.abort();
    if (timer) clearTimeout(timer);
    await running;
  });

  async function indexAll(mayContinue: () => boolean): Promise<void> {
    // The last run may have stored messages right before it ended.
    if (readNewestMessageId(orm) > readIndexRange(orm).upToId) messageStored();
    if (readIndexRange(orm).afterId === 0) return;
    const log = createProgressLog(app.log, monotonicNow);
    let hasMore = true;
    while (hasMore && mayContinue()) {
      let restMs = retryMs;
      try {
        const done = await step(indexOlder);
        ({ hasMore } = done);
        restMs = Math.max(REST_MIN_MS, done.ms * REST_FACTOR);
        log(indexedPercent(readIndexRange(orm)));
      } catch (error) {
        if (!isClosed) app.log.error({ err: error }, 'old messages were not indexed');
      }
      await rest(restMs);
    }
  }

  /** A server that closes does not wait for it. */
  const rest = (ms: number): Promise<void> =>
    sleep(ms, undefined, { ref: false, signal: closing.signal }).catch(() => undefined);
  runAfterListen(app, indexAll, 'messages were not indexed for the search');

  return { messageStored };
}

function createProgressLog(log: FastifyBaseLogger, monotonicNow: () => number): (percent: number) => void {
  let loggedAt = Number.NEGATIVE_INFINITY;
  return (percent) => {
    if (percent < 100 && monotonicNow() - loggedAt < PROGRESS_EVERY_MS) return;
    loggedAt = monotonicNow();
    log.info({ percent }, `Indeks pencarian: ${percent} %`);
  };
}
