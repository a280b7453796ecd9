import {
  afterRightTry,
  afterWrongTry,
  forgottenAt,
  NO_TRIES,
  stateOf,
  type Tries,
  type TriesRule,
  type TriesState,
} from '#shared/domain/users/wrong-tries.ts';
import type { Connection, Transaction, Write } from '#server/db/engine.ts';
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

/** Of a try under a lock or on a closed key nothing is looked at or counted. */
type Attempt<T> = { kind: 'right'; found: T } | { kind: 'wrong' } | Exclude<TriesState, { kind: 'open' }>;

/**
 * Counts wrong tries in the database, by operating time: neither a restart, a clock nor the switch of the rate limits gives
 * anybody more of them (R-ACCESS-2).
 */
export function createWrongTries({ orm, write, operatingNow }: TriesDeps) {
  const enqueue = createKeyedQueue(WAITING_TRIES_MAX);

  /**
   * Looks at one try. Those of one key run one after the other: in parallel all would pass the check before the first is counted.
   * @param look null for a wrong try; what it throws counts as no try
   * @param onWrong runs in the write of a wrong try, with the state after it
   * @throws 503 while too many others wait
   */
  async function attempt<T>(
    key: string,
    rule: TriesRule,
    look: () => Promise<T | null>,
    onWrong?: (tx: Transaction, state: TriesState) => Promise<void>,
  ): Promise<Attempt<T>> {
    return enqueue(key, async () => {
      const before = await findTries(orm, key);
      const state = stateOf(before ?? NO_TRIES, rule, operatingNow());
      if (state.kind !== 'open') return state;
      const found = await look();
      const at = operatingNow();
      /** Read again in the write: meanwhile another process may have counted a try of this key. */
      const store = (countIn: (tries: Tries) => Tries, then?: (tx: Transaction, after: Tries) => Promise<void>) =>
        write(async (tx) => {
          const after = countIn((await findTries(tx, key)) ?? NO_TRIES);
          await storeTries(tx, { key, tries: after, at, forgottenAt: forgottenAt(after, rule) });
          await then?.(tx, after);
        });
      if (found === null) {
        await store(
          (tries) => afterWrongTry(tries, rule, at),
          async (tx, after) => onWrong?.(tx, stateOf(after, rule, at)),
        );
        return { kind: 'wrong' };
      }
      // The lock alone is lifted by a right try; a window has none.
      if (rule.lock && before) await store(afterRightTry);
      return { kind: 'right', found };
    });
  }

  return {
    attempt,

    /** As `attempt`, for a rule that closes nothing. @throws 429 under a lock, 503 */
    async run<T>(
      key: string,
      rule: TriesRule & { closing?: never },
      look: () => Promise<T | null>,
      onWrong?: (tx: Transaction) => Promise<void>,
    ): Promise<T | null> {
      const result = await attempt(key, rule, look, onWrong);
      if (result.kind === 'locked') throw tooMany(Math.ceil(result.forMs / 1000));
      return result.kind === 'right' ? result.found : null;
    },

    /** Forgets the count of a key, inside the transaction that makes it meaningless. */
    forget: (tx: Transaction, key: string): Promise<void> => deleteTries(tx, key),
  };
}
export type WrongTries = ReturnType<typeof createWrongTries>;
