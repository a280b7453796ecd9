import { setTimeout as sleep } from 'node:timers/promises';
import type { Transaction } from './open.ts';
import type { Write } from './write-queue.ts';

/** A step holds the event loop for about this time; how many rows that are is learnt. */
const STEP_MS = 8;
const STEP_ROWS = { min: 10, first: 40, max: 400 };
/** An admin waits for the end, so requests get as much time as the steps, and not more. */
const REST_MIN_MS = 5;

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

/** Changes many rows, each step in a transaction of its own. @returns false when it may not go on */
export async function changeInSteps(write: Write, change: ChangeRows, options: Options): Promise<boolean> {
  let limit = STEP_ROWS.first;
  for (;;) {
    if (!options.mayContinue()) return false;
    const { hasMore, ms } = await write(async (tx) => {
      const from = performance.now();
      const more = await change(tx, limit);
      return { hasMore: more, ms: performance.now() - from };
    });
    options.onStep?.();
    if (!hasMore) return true;
    if (ms > STEP_MS) limit = Math.max(STEP_ROWS.min, Math.floor(limit / 2));
    else if (ms < STEP_MS / 2) limit = Math.min(STEP_ROWS.max, limit * 2);
    if (options.rests) await sleep(Math.max(REST_MIN_MS, ms));
  }
}
