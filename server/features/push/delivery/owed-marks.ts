import type { ServiceContext } from '#server/service-context.ts';
import type { DeliveryQueries, Receiver } from './delivery-queries.ts';

/** So many devices are noted in the transaction of the message itself; more of them in short ones after it. */
export const MARKED_AT_ONCE_MAX = 64;

/**
 * What is owed to devices, in the database (R-PUSH-16): noted with each message, and cleared in one commit for many of them after the
 * delivery, so that the usual quick push costs the chat next to nothing.
 * @param isOwed asked inside that commit, after all messages that came before it
 */
export function createOwedMarks(
  write: ServiceContext['write'],
  queries: Pick<DeliveryQueries, 'markOwed' | 'clearOwed'>,
  isOwed: (sessionId: string) => 'owed' | 'settled' | 'later',
) {
  let settledIds = new Set<string>();

  return {
    /** A device may have got everything. */
    settled: (sessionId: string): void => void settledIds.add(sessionId),

    async markLater(receivers: readonly Receiver[], afterId: number): Promise<void> {
      for (let at = 0; at < receivers.length; at += MARKED_AT_ONCE_MAX) {
        const batch = receivers.slice(at, at + MARKED_AT_ONCE_MAX).filter(({ owedAfterId }) => owedAfterId === null);
        if (batch.length === 0) continue;
        await write(() => {
          for (const { sessionId } of batch) if (isOwed(sessionId) !== 'settled') queries.markOwed(sessionId, afterId);
        });
      }
    },

    async flush(): Promise<void> {
      if (settledIds.size === 0) return;
      const sessionIds = settledIds;
      settledIds = new Set();
      await write(() => {
        for (const sessionId of sessionIds) {
          const state = isOwed(sessionId);
          if (state === 'settled') queries.clearOwed(sessionId);
          else if (state === 'later') settledIds.add(sessionId);
        }
      });
    },
  };
}
