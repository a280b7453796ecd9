import { DAY_MS } from '#shared/durations.ts';
import type { Side } from '#shared/events.ts';
import { createRateLimit } from '#server/http/limits/rate-limit.ts';
import type { Job, JobKey } from './delivery-queue.ts';

type Device = { sessionId: string; /** Of its push service. */ origin: string };
type Shown = Device & {
  side: Side;
  messageId: number;
  at: number;
  /** The end of the pauses, if so many pushes had come one after the other with a pause before each. */
  pacedUntil: number;
};

const SHOWN_MAX = 20_000;

/** A few messages in a row are all told at once; then one device hears of one conversation once in this time. */
const PAUSE_MS = 20_000;
const AT_ONCE_MAX = 3;

/**
 * The notifications that devices show, so that they can be withdrawn when the messages are read elsewhere. The list is
 * bounded and only in memory: a forgotten one stays on a screen until its person opens the conversation there.
 */
export function createShownNotifications(monotonicNow: () => number) {
  const byUser = new Map<string, Map<string, Shown>>();
  /** For all conversations of a device together: one person can write from many accounts. */
  const rings = createRateLimit(AT_ONCE_MAX, PAUSE_MS, monotonicNow);
  let total = 0;

  function forget(sessionId: string, userId: string): void {
    const sessions = byUser.get(userId);
    if (!sessions?.delete(sessionId)) return;
    total -= 1;
    if (sessions.size === 0) byUser.delete(userId);
  }

  return {
    remember({ sessionId, userId, side, origin }: Job, messageId: number): void {
      const at = monotonicNow();
      const pacedUntil = Math.max(at, byUser.get(userId)?.get(sessionId)?.pacedUntil ?? at) + PAUSE_MS;
      forget(sessionId, userId);
      const sessions = byUser.get(userId) ?? new Map<string, Shown>();
      // The conversation that was touched last is the last to be forgotten.
      byUser.delete(userId);
      byUser.set(userId, sessions.set(sessionId, { sessionId, origin, side, messageId, at, pacedUntil }));
      total += 1;
      const [oldest] = byUser;
      if (total > SHOWN_MAX && oldest) for (const known of oldest[1].keys()) forget(known, oldest[0]);
    },
    forget: ({ sessionId, userId }: Omit<JobKey, 'side'>): void => forget(sessionId, userId),
    /** The newest message of which a device was told; null when it is forgotten or long ago. */
    find({ sessionId, userId }: Omit<JobKey, 'side'>): number | null {
      const shown = byUser.get(userId)?.get(sessionId);
      return shown && monotonicNow() - shown.at < DAY_MS ? shown.messageId : null;
    },
    /** The pause until a conversation may ring on this device again (R-PUSH-21). */
    pauseMs({ sessionId, userId }: Omit<JobKey, 'side'>): number {
      const pacedUntil = byUser.get(userId)?.get(sessionId)?.pacedUntil ?? 0;
      return Math.max(0, Math.ceil(pacedUntil - (AT_ONCE_MAX - 1) * PAUSE_MS - monotonicNow()));
    },
    /** Whether a device has rung often enough lately, for whatever conversations. */
    isSilent: (sessionId: string): boolean => rings.isReached(sessionId),
    /** Counts at once, because several pushes are on their way together. @returns takes it back: the push was not accepted */
    ring(sessionId: string): () => void {
      const at = rings.count(sessionId);
      return () => rings.takeBack(sessionId, at);
    },
    isKnown: (userId: string): boolean => byUser.has(userId),
    /** The devices of one side that were told of a conversation. */
    devicesOf: (userId: string, side: Side): Device[] =>
      [...(byUser.get(userId)?.values() ?? [])].filter((shown) => shown.side === side),
  };
}
export type ShownNotifications = ReturnType<typeof createShownNotifications>;
