const REPEAT_MS = 3000;
const PAUSE_MS = 4000;

/** Says that this person types: seldom enough for the line, often enough that the other side does not forget it. */
export function createTypingHints(emit: (userId: string, typing: boolean) => void) {
  let current: { userId: string; saidAt: number } | null = null;
  let pause: ReturnType<typeof setTimeout> | undefined;

  function stop(): void {
    clearTimeout(pause);
    if (current) emit(current.userId, false);
    current = null;
  }

  return {
    typed: (userId: string, hasText: boolean): void => {
      if (current && current.userId !== userId) stop();
      if (!hasText) {
        stop();
        return;
      }
      clearTimeout(pause);
      pause = setTimeout(stop, PAUSE_MS);
      const now = Date.now();
      if (current && now - current.saidAt < REPEAT_MS) return;
      current = { userId, saidAt: now };
      emit(userId, true);
    },
    stop,
  };
}
