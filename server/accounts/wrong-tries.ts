import {
  afterRightTry,
  afterWrongTry,
  forgottenAt,
  NO_TRIES,
  stateOf,
  type TriesRule,
} from '#shared/domain/users/wrong-tries.ts';
import type { Connection, Transaction } from '#server/db/open.ts';
import type { Write } from '#server/db/write-queue.ts';
import { tooMany } from '#server/http/errors.ts';
import { createKeyedQueue } from '#server/http/limits/rate-limit.ts';
import { deleteTries, findTries, storeTries } from './wrong-tries-queries.ts';

/** Tries of one key that may wait for each other. */
const WAITING_TRIES_MAX = 50;

type TriesDeps = {
  orm: Connection;
  write: Write;
  /** Milliseconds of operating time. */
  operatingNow: () => number;
};

/**
 * Counts wrong tries in the database, by operating time: neither a restart, a clock nor the switch of the rate limits gives
 * anybody more of them (R-ACCESS-2).
 */
export function createWrongTries({ orm, write, operatingNow }: TriesDeps) {
  const enqueue = createKeyedQueue(WAITING_TRIES_MAX);

  return {
    /**
     * Looks at one try. Those of one key run one after the other: in parallel all would pass the check before the first is counted.
     * @param look null for a wrong try
     * @throws 429 under a lock, without a look and without counting; 503 while too many others wait
     */
    async run<T>(key: string, rule: TriesRule & { closing?: never }, look: () => Promise<T | null>): Promise<T | null> {
      return enqueue(key, async () => {
        const before = await findTries(orm, key);
        const tries = before ?? NO_TRIES;
        const state = stateOf(tries, rule, operatingNow());
        if (state.kind === 'locked') throw tooMany(Math.ceil(state.forMs / 1000));
        const found = await look();
        const at = operatingNow();
        // The lock alone is lifted by a right try; a window has none.
        const after =
          found === null ? afterWrongTry(tries, rule, at) : rule.lock && before ? afterRightTry(tries) : null;
        if (after)
          await write((tx) => storeTries(tx, { key, tries: after, at, forgottenAt: forgottenAt(after, rule) }));
        return found;
      });
    },

    /** Forgets the count of a key, inside the transaction that makes it meaningless. */
    forget: (tx: Transaction, key: string): Promise<void> => deleteTries(tx, key),
  };
}
export type WrongTries = ReturnType<typeof createWrongTries>;
