import type { Processes } from '#server/process/processes.ts';
import { createRateLimit } from './rate-limit.ts';

type Deps = { processes: Pick<Processes, 'tell' | 'on'>; monotonicNow: () => number };
type Change = { key: string; act: 'count' | 'takeBack' | 'reset' };

/**
 * A rate limit over all processes, of what happens while this one runs. Without it a limit of two processes is twice as wide.
 * @param name the same at all processes, and of this limit alone
 */
export function createSharedRateLimit({ processes, monotonicNow }: Deps, name: string, max: number, windowMs: number) {
  const limit = createRateLimit(max, windowMs, monotonicNow);
  const topic = `limit: ${name}`;
  const tell = (change: Change): void => processes.tell(topic, change);
  processes.on(topic, ({ key, act }: Change) => void limit[act](key));
  return {
    ...limit,
    count(key: string): number {
      tell({ key, act: 'count' });
      return limit.count(key);
    },
    takeBack(key: string, at: number): void {
      tell({ key, act: 'takeBack' });
      limit.takeBack(key, at);
    },
    reset(key: string): void {
      tell({ key, act: 'reset' });
      limit.reset(key);
    },
  };
}
