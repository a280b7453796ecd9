const REPEAT_INTERVAL_MS = 3000;
const IDLE_TIMEOUT_MS = 4000;

/** Reports that this user types: rarely enough to save traffic, often enough that the other side keeps showing it. */
export function createTypingEmitter(emit: (userId: string, typing: boolean) => void) {
  let current: { userId: string; emittedAtMs: number } | null = null;
  let idleTimer: ReturnType<typeof setTimeout> | undefined;

  function stop(): void {
    clearTimeout(idleTimer);
    if (current) emit(current.userId, false);
    current = null;
  }

  return {
    handleInput: (userId: string, hasText: boolean): void => {
      if (current && current.userId !== userId) stop();
      if (!hasText) {
        stop();
        return;
      }
      clearTimeout(idleTimer);
      idleTimer = setTimeout(stop, IDLE_TIMEOUT_MS);
      const now = Date.now();
      if (current && now - current.emittedAtMs < REPEAT_INTERVAL_MS) return;
      current = { userId, emittedAtMs: now };
      emit(userId, true);
    },
    stop,
  };
}
