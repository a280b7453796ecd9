import type { Transaction } from '#server/db/engine.ts';
import type { ServiceContext } from '#server/service-context.ts';
import { deliveryQueries, type Receiver } from './delivery-queries.ts';

/** The transaction of the message itself notes so many devices; short ones after it note the others. */
export const MARKED_AT_ONCE_MAX = 64;

type Deps = {
  /** Whether this process delivers, for all. */
  isLeader: () => boolean;
  /** Whether all messages up to this one are known to `isOwed`, or need no push. */
  knows: (messageId: number) => boolean;
  isOwed: (sessionId: string) => boolean;
  /** Called inside the commit that clears, because a message may follow in the same one. */
  onCleared: () => void;
};

/**
 * Keeps in the database which messages are owed to devices (R-PUSH-16). They are noted with each message, and cleared
 * after the delivery in one commit for many, so that the usual quick push costs the chat next to nothing. Any process may
 * store messages until that commit, so it asks the database for the newest one, and clears nothing before all are known.
 */
export function createOwedMarks(write: ServiceContext['write'], { isLeader, knows, isOwed, onCleared }: Deps) {
  let settledIds = new Set<string>();
  let marking = 0;

  async function markBatch(tx: Transaction, receivers: readonly Receiver[], afterId: number): Promise<void> {
    const newestId = await deliveryQueries(tx).findNewestMessageId();
    const marked = receivers.filter(({ sessionId }) => !knows(newestId) || isOwed(sessionId));
    if (marked.length === 0) return;
    await deliveryQueries(tx).markOwed(
      marked.map(({ sessionId }) => sessionId),
      afterId,
    );
    for (const receiver of marked) {
      // It may have got everything already.
      settledIds.add(receiver.sessionId);
      receiver.owedAfterId = afterId;
    }
  }

  return {
    /** A device may have got everything. */
    settled: (sessionId: string): void => void settledIds.add(sessionId),

    /** Whether `markLater` has not noted everything yet. */
    isMarking: (): boolean => marking > 0,

    async markLater(receivers: readonly Receiver[], afterId: number): Promise<void> {
      marking += 1;
      try {
        for (let at = 0; at < receivers.length; at += MARKED_AT_ONCE_MAX) {
          const batch = receivers.slice(at, at + MARKED_AT_ONCE_MAX);
          await write((tx) => markBatch(tx, batch, afterId));
        }
      } finally {
        marking -= 1;
      }
    },

    /** @throws what the database reports; the next call tries it again */
    async flush(): Promise<void> {
      if (settledIds.size === 0 || !isLeader()) return;
      const sessionIds = settledIds;
      settledIds = new Set();
      try {
        await write(async (tx) => {
          const newestId = await deliveryQueries(tx).findNewestMessageId();
          for (const sessionId of sessionIds) {
            if (!knows(newestId)) settledIds.add(sessionId);
            else if (!isOwed(sessionId)) await deliveryQueries(tx).clearOwed(sessionId);
          }
          onCleared();
        });
        // A list that was read during the commit has the marks of before.
        onCleared();
      } catch (error) {
        for (const sessionId of sessionIds) settledIds.add(sessionId);
        throw error;
      }
    },
  };
}
