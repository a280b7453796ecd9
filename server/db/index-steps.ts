import { sql } from 'drizzle-orm';
import { engineOf, type Transaction, type Write } from './engine.ts';
import { sqliteOf } from './sqlite/connection.ts';

/**
 * Steps that fill a search index (FTS5) while the server answers requests. None waits for the disk: each notes how far it is in
 * its own transaction, so that a start does again what a power cut took.
 */

/** A step holds the event loop for about this time; how many rows that are is learnt. */
const STEP_MS = 8;
const STEP_ROWS = { min: 20, first: 40, max: 2000 };
/** Pages of the index that one merge writes: a few milliseconds. */
const MERGE_PAGES = 32;
/** Each page of the index is written about five times until its part has its final size. */
const MERGES_PER_STEP = 5;
/** While many rows are indexed, requests get at least as much time as the steps. */
const REST_MIN_MS = 10;
const REST_FACTOR = 2;

/** Indexes the next rows, up to a limit. @returns whether there may be more */
type IndexRows = (tx: Transaction, limit: number) => Promise<boolean>;
/** @param pages about so many are written. @returns whether there was something to merge */
type Merge = (tx: Transaction, pages: number) => Promise<boolean>;
/** `ms`: the time for which the step held the event loop. */
export type StepResult = { hasMore: boolean; ms: number };

/** @returns a function that makes one step, and asks before each merge whether it may go on */
export function createIndexSteps(
  write: Write,
  merge: Merge,
  stepMs: number = STEP_MS,
): (index: IndexRows, mayContinue: () => boolean) => Promise<StepResult> {
  let stepRows = STEP_ROWS.first;

  /** Each merge is a commit of its own, so that other changes come between. @returns how long they took */
  async function mergeParts(mayContinue: () => boolean): Promise<number> {
    let totalMs = 0;
    for (let times = 0; times < MERGES_PER_STEP && mayContinue(); times += 1) {
      const { hasMerged, ms } = await write(
        async (tx) => {
          const from = performance.now();
          return { hasMerged: await merge(tx, MERGE_PAGES), ms: performance.now() - from };
        },
        { isDurable: false },
      );
      totalMs += ms;
      if (!hasMerged) break;
    }
    return totalMs;
  }

  return async (index, mayContinue) => {
    const result = await write(
      async (tx) => {
        const from = performance.now();
        const limit = stepRows;
        const hasMore = await index(tx, limit);
        // Only a full step tells how long a row takes.
        const ms = performance.now() - from;
        if (ms > stepMs) stepRows = Math.max(STEP_ROWS.min, Math.floor(limit / 2));
        else if (hasMore && ms < stepMs / 2) stepRows = Math.min(STEP_ROWS.max, limit * 2);
        return { hasMore, ms };
      },
      { isDurable: false },
    );
    return { hasMore: result.hasMore, ms: result.ms + (await mergeParts(mayContinue)) };
  };
}

/** @returns how many milliseconds to leave to requests after a step */
export const restAfter = ({ ms }: StepResult): number => Math.max(REST_MIN_MS, ms * REST_FACTOR);

/** FTS5 collects changes in memory until the commit or the beginning of a savepoint. */
export async function writePages(tx: Transaction): Promise<void> {
  if (engineOf(tx) !== 'sqlite') return;
  await tx.run('savepoint pages');
  await tx.run('release pages');
}

/** Whether an index keeps traces of what is no longer in it. */
export const keepsTraces = (tx: Transaction): boolean => engineOf(tx) === 'sqlite';

/** Joins small parts of an index, which many additions leave behind. @returns a function that joins those of this index */
export function mergeOf(index: 'message_words' | 'record_words'): Merge {
  const table = sql.identifier(index);
  return async (tx, pages) => {
    if (engineOf(tx) !== 'sqlite') return false;
    const countChanges = async (): Promise<number> => (await tx.value<number>('select total_changes()')) ?? 0;
    const before = await countChanges();
    await tx.run(sql`insert into ${table} (${table}, rank) values ('merge', ${pages})`);
    // FTS5 documents it: one change is the command itself.
    return (await countChanges()) - before > 1;
  };
}

/** Replaces the beginning by which a page of the message index is found. */
export async function replaceTerm(
  tx: Transaction,
  { replacement, part, beginning }: { replacement: Buffer; part: number; beginning: Buffer },
): Promise<void> {
  const sqlite = sqliteOf(tx);
  // SQLite refuses changes to the tables of a virtual table, except in this mode.
  sqlite.unsafeMode(true);
  try {
    await tx.run('update message_words_idx set term = ? where segid = ? and term = ?', replacement, part, beginning);
  } finally {
    sqlite.unsafeMode(false);
  }
}
