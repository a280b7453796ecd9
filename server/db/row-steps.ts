import { setTimeout as sleep } from 'node:timers/promises';
import type { Transaction, Write } from './engine.ts';

/** A step works for about this time; how many rows that are is learnt. A message that meets one waits for its end. */
const STEP_MS = 1;
const STEP_ROWS = { min: 20, first: 20, max: 400 };
/** The quickest of so many steps counts: on a busy computer single ones are interrupted for longer than they work. */
const STEPS_COMPARED = 3;
/** Requests get a multiple of the time of a step: an admin waits for the end, a chat feels every step. */
const REST = { factor: 6, minMs: 8, maxMs: 50 };

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
 * Changes many rows, each step in a transaction of its own that does not wait for the disk: a start does the lost ones again. So
 * the end of all steps is told by a change that waits. The returned function may be called again with further rows, for
 * which it remembers how many fit into a step. It returns false when it may not go on.
 */
export function createRowSteps(write: Write, options: Options): (change: ChangeRows) => Promise<boolean> {
  let limit = STEP_ROWS.first;
  let msPerRow: number[] = [];
  let restsUntil = 0;

  /** Only a full step tells how long a row takes. */
  function learn(ms: number): void {
    msPerRow = [...msPerRow, ms / limit].slice(-STEPS_COMPARED);
    const fitting = Math.floor(STEP_MS / Math.min(...msPerRow));
    limit = Math.min(STEP_ROWS.max, Math.max(STEP_ROWS.min, fitting));
  }

  async function runStep(change: ChangeRows): Promise<boolean> {
    const restMs = restsUntil - performance.now();
    if (options.rests && restMs > 0) await sleep(restMs);
    let from = 0;
    const { hasMore, ms } = await write(
      async (tx) => {
        from = performance.now();
        const more = await change(tx, limit);
        return { hasMore: more, ms: performance.now() - from };
      },
      { isDurable: false },
    );
    const now = performance.now();
    restsUntil = now + Math.min(REST.maxMs, Math.max(REST.minMs, REST.factor * (now - from)));
    options.onStep?.();
    if (hasMore) learn(ms);
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
