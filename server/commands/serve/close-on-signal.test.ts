import { expect, it, onTestFinished, vi } from 'vitest';
import { closeOnSignal } from './close-on-signal.ts';

it.each(['SIGTERM', 'SIGINT'] as const)(
  'ends the process within five seconds of %s, also when closing never ends (R-RUN-7)',
  (signal) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => {
      vi.useRealTimers();
      vi.restoreAllMocks();
    });
    const handlers = new Map<unknown, () => void>();
    vi.spyOn(process, 'on').mockImplementation((name: unknown, handle: unknown) => {
      if (typeof handle === 'function') handlers.set(name, () => void handle());
      return process;
    });
    const exit = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never);
    const close = vi.fn(() => new Promise<void>(() => {}));
    closeOnSignal(close);

    handlers.get(signal)?.();
    // A second signal must not close the server again.
    handlers.get('SIGINT')?.();
    expect(close).toHaveBeenCalledOnce();
    expect(exit).not.toHaveBeenCalled();
    vi.advanceTimersByTime(5000);
    expect(exit).toHaveBeenCalledExactlyOnceWith(0);
  },
);
