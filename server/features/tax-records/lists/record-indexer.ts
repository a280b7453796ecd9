import type { FastifyInstance } from 'fastify';
import { setTimeout as sleep } from 'node:timers/promises';
import { createIndexSteps, restAfter, type StepResult } from '#server/db/index-steps.ts';
import { repeatAfterListen } from '#server/http/listen/after-listen.ts';
import {
  addPending,
  findReplaced,
  hasPending,
  mergeRecordIndex,
  removeReplaced,
} from '#server/records/record-index-queries.ts';
import type { ServiceContext } from '#server/service-context.ts';

/** One commit of the index for all changes of a second costs less than one for each. */
const INTERVAL_MS = 1000;
/** An import changes thousands of records, and messages meet these steps beside its own. */
const STEP_MS = 2;
/** A revert removes the texts of thousands of records, and rests beside its own steps as long as they do. */
const REMOVAL_REST_FACTOR = 6;

/**
 * Brings the search index over records up to date in small steps, soon after each change. Searches are right meanwhile, because
 * they read what is pending.
 */
export function registerRecordIndexer(
  app: FastifyInstance,
  context: Pick<ServiceContext, 'orm' | 'write' | 'processes'>,
): void {
  const { orm, write, processes } = context;
  const step = createIndexSteps(write, mergeRecordIndex, STEP_MS);

  const removeStep = (): Promise<StepResult> =>
    write(
      async (tx) => {
        const from = performance.now();
        await removeReplaced(tx, 0);
        return { hasMore: true, ms: performance.now() - from };
      },
      { isDurable: false },
    );

  async function indexPending(mayContinue: () => boolean): Promise<void> {
    let hasMore = await hasPending(orm);
    while (hasMore && mayContinue()) {
      const isRemoval = (await findReplaced(orm, 0)) !== null;
      const done = isRemoval ? await removeStep() : await step(addPending, mayContinue);
      ({ hasMore } = done);
      if (hasMore) await sleep(isRemoval ? REMOVAL_REST_FACTOR * done.ms : restAfter(done));
    }
  }

  repeatAfterListen(app, processes, INTERVAL_MS, indexPending, 'changed records were not indexed for the search');
}
