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

/** Unread counts, and publishing them to the side whose count changed (R-EVENT-3). */
export function createUnreadCounts(
  { publish }: Pick<ServiceContext, 'publish'>,
  statements: ChatQueries,
  watch: Pick<ConversationWatch, 'unreadChanged'>,
) {
  const publishLater = createCommitPublisher(publishChanges);

  /** Over all conversations of a side; a user has one. */
  function total(userId: string, side: Side): number {
    if (side === 'admin') return statements.countUnreadForAdmins();
    const row = statements.findConversation(userId);
    return row ? unreadOf(row, 'user') : 0;
  }

  function publishChanges(changes: { userId: string; side: Side }[]): void {
    let adminTotal: number | null = null;
    for (const { userId, side } of changes) {
      const row = statements.findConversation(userId);
      const unread = row ? unreadOf(row, side) : 0;
      if (side === 'user') {
        publish.toUser(userId, 'unread', { user_id: userId, unread_count: unread, total_unread: unread });
      } else {
        adminTotal ??= statements.countUnreadForAdmins();
        publish.toAdmins('unread', { user_id: userId, unread_count: unread, total_unread: adminTotal });
      }
    }
  }

  return {
    total,
    /** Called after the commit that changed a count. The counts are published as they are then. */
    changed(userId: string, side: Side): Promise<void> {
      watch.unreadChanged(userId, side);
      return publishLater(`${side} ${userId}`, { userId, side });
    },
  };
}
export type UnreadCounts = ReturnType<typeof createUnreadCounts>;
