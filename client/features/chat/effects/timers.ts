import type { Timer } from '../state/chat-state.ts';
import type { Effect, JobContext } from './runner.ts';

function runTimer({ name, userId, atMs }: Timer, { signal, report }: JobContext): void {
  const timer = setTimeout(() => report({ type: 'time', name, userId }), Math.max(atMs - Date.now(), 0));
  signal.addEventListener('abort', () => clearTimeout(timer));
}

export const timers: Effect<Timer> = {
  wanted: (state) => Object.entries(state.timers).map(([key, timer]) => [`${key} ${timer.atMs}`, timer]),
  run: runTimer,
};
