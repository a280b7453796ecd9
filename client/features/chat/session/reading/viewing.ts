import type { ClientEventPayloads } from '#shared/client-events.ts';
import type { Side } from '#shared/events.ts';
import { COLUMNS_MAX } from '#shared/limits.ts';

type Viewing = ClientEventPayloads['viewing'];

/**
 * Reports which conversations are on the screen. Colleagues see where an admin is (R-INBOX-13), and a message that is on the
 * screen is not pushed (R-PUSH-45). Several changes at once are one event, so that an admin who changes the conversation does
 * not seem to leave. On a hidden page the admin is still there for colleagues, but gets pushes.
 */
export function createViewing(side: Side, emit: (payload: Viewing) => void) {
  const shown: string[] = [];
  let isScheduled = false;
  let isStopped = false;
  let emitted = JSON.stringify(describe());

  function describe(): Viewing {
    const isHidden = document.visibilityState === 'hidden';
    if (side === 'user') return { open: shown.length > 0 && !isHidden };
    const userIds = [...new Set(shown)].slice(0, COLUMNS_MAX);
    const [first = null] = userIds;
    return {
      user_id: first,
      ...(userIds.length > 1 ? { user_ids: userIds } : {}),
      ...(userIds.length > 0 && isHidden ? { open: false } : {}),
    };
  }

  function emitNow(): void {
    const payload = describe();
    emitted = JSON.stringify(payload);
    emit(payload);
  }

  function emitChange(): void {
    if (JSON.stringify(describe()) !== emitted) emitNow();
  }

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    queueMicrotask(() => {
      isScheduled = false;
      if (!isStopped) emitChange();
    });
  }

  document.addEventListener('visibilitychange', emitChange);

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
      document.removeEventListener('visibilitychange', emitChange);
    },
  };
}
