import type { ClientEventPayloads } from '#shared/client-events.ts';
import { COLUMNS_MAX } from '#shared/limits.ts';

/**
 * Reports which conversations an admin has on the screen. A change of several of them at once is one event: one conversation
 * that replaces another must not look like an admin who has gone.
 */
export function createViewing(emit: (payload: ClientEventPayloads['viewing']) => void) {
  const shown: string[] = [];
  let emitted = '';
  let isScheduled = false;
  let isStopped = false;

  function emitNow(): void {
    const userIds = [...new Set(shown)].slice(0, COLUMNS_MAX);
    emitted = userIds.join(' ');
    const [first = null] = userIds;
    emit(userIds.length > 1 ? { user_id: first, user_ids: userIds } : { user_id: first });
  }

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    queueMicrotask(() => {
      isScheduled = false;
      if (!isStopped && [...new Set(shown)].slice(0, COLUMNS_MAX).join(' ') !== emitted) emitNow();
    });
  }

  return {
    /** A conversation is on the screen. @returns the undo */
    add(userId: string): () => void {
      shown.push(userId);
      schedule();
      return () => {
        const index = shown.indexOf(userId);
        if (index !== -1) shown.splice(index, 1);
        schedule();
      };
    },
    /** The server forgets it with the connection. */
    emitAgain(): void {
      if (shown.length > 0) emitNow();
    },
    stop(): void {
      isStopped = true;
    },
  };
}
