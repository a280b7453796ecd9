import type { Timer } from '../state/chat-state.ts';
import type { Effect, JobContext } from './runner.ts';

function runTimer({ name, userId, atMs }: Timer, { signal, report }: JobContext): void {
  let timer: ReturnType<typeof setTimeout>;
  function wait(): void {
    timer = setTimeout(fire, Math.max(atMs - Date.now(), 0));
  }
  function fire(): void {
    report({ type: 'time', name, userId });
    // The clock was set back a little meanwhile, so the same moment is waited for again.
    if (!signal.aborted) wait();
  }
  wait();
  signal.addEventListener('abort', () => clearTimeout(timer));
}

export const timers: Effect<Timer> = {
  wanted: (state) => Object.entries(state.timers).map(([key, timer]) => [`${key} ${timer.atMs}`, timer]),
  run: runTimer,
};
