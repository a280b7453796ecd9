import { useSyncExternalStore } from 'react';

const TICK_MS = 1000;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => listeners.forEach((notifyListener) => notifyListener()), TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/**
 * What `read` makes of the time now; one clock for all, and a new drawing only when the result is another one. `read` must give
 * a plain value, as `(nowMs) => minutes`.
 */
export function useTimeSelector<T extends string | number>(select: (nowMs: number) => T): T {
  return useSyncExternalStore(subscribe, () => select(Date.now()));
}
