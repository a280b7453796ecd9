import type { Side } from '#shared/events.ts';
import type { ServiceContext } from '#server/service-context.ts';
import { createCommitPublisher } from './commit-publisher.ts';
import type { ConversationRow } from './message-queries.ts';
import type { ChatQueries } from './queries.ts';
import type { ConversationWatch } from './conversation-watch.ts';

/** The unread messages of one side in one conversation: a subtraction, so it cannot drift. */
export function unreadOf(row: ConversationRow, side: Side): number {
  return side === 'admin' ? row.userOrdinal - row.adminReadOrdinal : row.adminOrdinal - row.userReadOrdinal;
}

/** The total of the admins changes with every message, so it is published four times a second at most (R-EVENT-11). */
const BATCH_INTERVAL_MS = 250;

/** Collects conversations and publishes them together: the first at once, those of the following interval at its end. */
function createUnreadBatches(publishBatch: (userIds: Iterable<string>) => void, onError: (error: unknown) => void) {
  let pending = new Set<string>();
  let timer: NodeJS.Timeout | null = null;

  function publishPending(): void {
    timer = null;
    if (pending.size === 0) return;
    timer = setTimeout(publishPending, BATCH_INTERVAL_MS).unref();
    try {
      publishBatch(pending);
      pending = new Set();
    } catch (error) {
      // The database did not answer; the next interval tries again.
      onError(error);
    }
  }

  return {
    add(userIds: readonly string[]): void {
      for (const userId of userIds) pending.add(userId);
      if (!timer) publishPending();
    },
    close(): void {
      if (timer) clearTimeout(timer);
      pending.clear();
    },
  };
}

/** Unread counts, and publishing them to the side whose count changed (R-EVENT-3). */
export function createUnreadCounts(
  { publish }: Pick<ServiceContext, 'publish'>,
  statements: ChatQueries,
  watch: Pick<ConversationWatch, 'unreadChanged'>,
  onError: (error: unknown) => void,
) {
  const publishLater = createCommitPublisher(publishChanges);
  const batches = createUnreadBatches(publishBatch, onError);

  const countOf = (userId: string, side: Side): number => {
    const row = statements.findConversation(userId);
    return row ? unreadOf(row, side) : 0;
  };

  /** Over all conversations of a side; a user has one. */
  function total(userId: string, side: Side): number {
    if (side === 'admin') return statements.countUnreadForAdmins();
    return countOf(userId, 'user');
  }

  /** The counts are published as they are now. */
  function publishBatch(userIds: Iterable<string>): void {
    const changes = Array.from(userIds, (userId) => ({ user_id: userId, unread_count: countOf(userId, 'admin') }));
    publish.toAdminsOfBatches({ changes, total_unread: statements.countUnreadForAdmins() });
  }

  function publishChanges(changes: { userId: string; side: Side }[]): void {
    const ofAdmins = changes.flatMap(({ userId, side }) => (side === 'admin' ? [userId] : []));
    for (const { userId, side } of changes) {
      if (side === 'admin') continue;
      const unread = countOf(userId, 'user');
      publish.toUser(userId, 'unread', { user_id: userId, unread_count: unread, total_unread: unread });
    }
    if (ofAdmins.length === 0) return;
    if (publish.hasAdminsOfEachCount()) {
      const adminTotal = statements.countUnreadForAdmins();
      for (const userId of ofAdmins) {
        publish.toAdminsOfEachCount({
          user_id: userId,
          unread_count: countOf(userId, 'admin'),
          total_unread: adminTotal,
        });
      }
    }
    batches.add(ofAdmins);
  }

  return {
    total,
    close: (): void => batches.close(),
    /** Called after the commit that changed a count. The counts are published as they are then. */
    changed(userId: string, side: Side): Promise<void> {
      watch.unreadChanged(userId, side);
      return publishLater(`${side} ${userId}`, { userId, side });
    },
  };
}
export type UnreadCounts = ReturnType<typeof createUnreadCounts>;
