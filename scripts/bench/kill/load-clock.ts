import { setTimeout as wait } from 'node:timers/promises';
import type { SeededRandom } from '../../seed/seeded-random.ts';

/** The time that calls may take which began before the end. */
const GIVE_UP_MS = 60_000;

export type LoadClock = {
  isOver: () => boolean;
  /** Nothing is repeated any more; what is still without an answer is a failure. */
  hasGivenUp: () => boolean;
  /** Ends early when the load ends. */
  pauseBetween: (minMs: number, maxMs: number) => Promise<void>;
  end: () => void;
};

/** Says when a load ends and makes its pauses. */
export function createLoadClock(random: SeededRandom): LoadClock {
  const ended = new AbortController();
  let gaveUpAt = Infinity;
  const isOver = (): boolean => ended.signal.aborted;
  return {
    isOver,
    hasGivenUp: () => performance.now() > gaveUpAt,
    async pauseBetween(minMs, maxMs) {
      const ms = random.integer(Math.floor(minMs), Math.ceil(maxMs));
      // Repeats after the end keep their pauses, otherwise they would hold this process.
      if (isOver()) await wait(ms);
      else await wait(ms, undefined, { signal: ended.signal }).catch(() => undefined);
    },
    end() {
      gaveUpAt = performance.now() + GIVE_UP_MS;
      ended.abort();
    },
  };
}
