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
 * The result of `select` for the current time. All rows share one timer, and a component is drawn again only when its result
 * changes. `select` must return a plain value, as `(nowMs) => minutes`.
 */
export function useTimeSelector<T extends string | number>(select: (nowMs: number) => T): T {
  return useSyncExternalStore(subscribe, () => select(Date.now()));
}
