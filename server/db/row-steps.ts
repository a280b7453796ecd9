import { setTimeout as sleep } from 'node:timers/promises';
import type { Transaction } from './open.ts';
import type { Write } from './write-queue.ts';

/** A step works for about this time before its commit, which takes as long again; how many rows that are is learnt. */
const STEP_MS = 3;
const STEP_ROWS = { min: 10, first: 40, max: 400 };
/** Requests get twice the time of a step with its commit: an admin waits for the end, a chat feels every step. */
const REST_MIN_MS = 5;
const REST_FACTOR = 2;

/** Changes the next rows, up to a limit. @returns whether there may be more */
type ChangeRows = (tx: Transaction, limit: number) => Promise<boolean>;

type Options = {
  /** Asked before each step. */
  mayContinue: () => boolean;
  /** Whether others get time between the steps; not needed before the server listens. */
  rests: boolean;
  /** Called after each commit. */
  onStep?: () => void;
};

/**
 * Changes many rows, each step in a transaction of its own. The returned function may be called again with further rows, for
 * which it remembers how many fit into a step. It returns false when it may not go on.
 */
export function createRowSteps(write: Write, options: Options): (change: ChangeRows) => Promise<boolean> {
  let limit = STEP_ROWS.first;

  async function runStep(change: ChangeRows): Promise<boolean> {
    let from = 0;
    const { hasMore, ms } = await write(async (tx) => {
      from = performance.now();
      const more = await change(tx, limit);
      return { hasMore: more, ms: performance.now() - from };
    });
    const heldMs = performance.now() - from;
    options.onStep?.();
    if (ms > STEP_MS) limit = Math.max(STEP_ROWS.min, Math.floor(limit / 2));
    else if (hasMore && ms < STEP_MS / 2) limit = Math.min(STEP_ROWS.max, limit * 2);
    if (hasMore && options.rests) await sleep(Math.max(REST_MIN_MS, REST_FACTOR * heldMs));
    return hasMore;
  }

  return async (change) => {
    for (let hasMore = true; hasMore; hasMore = await runStep(change)) if (!options.mayContinue()) return false;
    return true;
  };
}

/** As `createRowSteps`, for rows that one function finds. @returns false when it may not go on */
export const changeInSteps = (write: Write, change: ChangeRows, options: Options): Promise<boolean> =>
  createRowSteps(write, options)(change);
