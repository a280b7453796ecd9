import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { setTimeout as sleep } from 'node:timers/promises';
import { createIndexSteps, restAfter } from '#server/db/index-steps.ts';
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
  const mayWork = (): boolean => !isClosed;
  const step = createIndexSteps(write, mergeIndex);

  async function indexNew(): Promise<void> {
    let hasMore = true;
    while (hasMore && mayWork()) hasMore = (await step(indexNewer, mayWork)).hasMore;
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
    const { afterId, upToId } = await readIndexRange(orm);
    if ((await readNewestMessageId(orm)) > upToId) messageStored();
    if (afterId === 0) return;
    const log = createProgressLog(app.log, monotonicNow);
    let hasMore = true;
    while (hasMore && mayContinue()) {
      let restMs = retryMs;
      try {
        const done = await step(indexOlder, mayWork);
        ({ hasMore } = done);
        restMs = restAfter(done);
        log(indexedPercent(await readIndexRange(orm)));
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
