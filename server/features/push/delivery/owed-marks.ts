import type { Transaction } from '#server/db/engine.ts';
import type { ServiceContext } from '#server/service-context.ts';
import { deliveryQueries, type Receiver } from './delivery-queries.ts';

/** The transaction of the message itself notes so many devices; short ones after it note the others. */
export const MARKED_AT_ONCE_MAX = 64;

type Deps = {
  /** Asked inside the commit that clears, after all messages that came before it. */
  isOwed: (sessionId: string) => 'owed' | 'settled' | 'later';
  /** Called inside that commit, because a message may follow in the same one. */
  onCleared: () => void;
};

/**
 * Keeps in the database which messages are owed to devices (R-PUSH-16). They are noted with each message, and cleared
 * after the delivery in one commit for many, so that the usual quick push costs the chat next to nothing.
 */
export function createOwedMarks(write: ServiceContext['write'], { isOwed, onCleared }: Deps) {
  let settledIds = new Set<string>();
  let marking = 0;

  async function markBatch(tx: Transaction, receivers: readonly Receiver[], afterId: number): Promise<void> {
    for (const receiver of receivers) {
      const state = isOwed(receiver.sessionId);
      if (state === 'settled') continue;
      await deliveryQueries(tx).markOwed(receiver.sessionId, afterId);
      // It may have got everything already.
      if (state === 'later') settledIds.add(receiver.sessionId);
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
      if (settledIds.size === 0) return;
      const sessionIds = settledIds;
      settledIds = new Set();
      try {
        await write(async (tx) => {
          for (const sessionId of sessionIds) {
            const state = isOwed(sessionId);
            if (state === 'settled') await deliveryQueries(tx).clearOwed(sessionId);
            else if (state === 'later') settledIds.add(sessionId);
          }
          onCleared();
        });
      } catch (error) {
        for (const sessionId of sessionIds) settledIds.add(sessionId);
        throw error;
      }
    },
  };
}
