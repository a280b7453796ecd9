import type { Side } from '#shared/events.ts';
import type { ServiceContext } from '#server/service-context.ts';
import { createCommitPublisher } from './commit-publisher.ts';
import type { ConversationRow } from './message-queries.ts';
import { chatQueries } from './queries.ts';
import type { ConversationWatch } from './conversation-watch.ts';

/** The unread messages of one side in one conversation: a subtraction, so it cannot drift. */
export function unreadOf(row: ConversationRow, side: Side): number {
  return side === 'admin' ? row.userOrdinal - row.adminReadOrdinal : row.adminOrdinal - row.userReadOrdinal;
}

/** The total of the admins changes with every message, so it is published four times a second at most (R-EVENT-11). */
const BATCH_INTERVAL_MS = 250;

/** Collects conversations and publishes them together: the first at once, those of the following interval at its end. */
function createUnreadBatches(
  publishBatch: (userIds: readonly string[]) => Promise<void>,
  onError: (error: unknown) => void,
) {
  let pending = new Set<string>();
  let timer: NodeJS.Timeout | null = null;
  /** One batch after the other: the older of two counts must not leave last. */
  let published: Promise<unknown> = Promise.resolve();
  let isClosed = false;

  function publishPending(): void {
    timer = null;
    if (isClosed || pending.size === 0) return;
    timer = setTimeout(publishPending, BATCH_INTERVAL_MS).unref();
    const userIds = [...pending];
    pending = new Set();
    published = published
      .then(() => publishBatch(userIds))
      .catch((error: unknown) => {
        // The database did not answer; the next interval tries again.
        for (const userId of userIds) pending.add(userId);
        onError(error);
      });
  }

  return {
    add(userIds: readonly string[]): void {
      for (const userId of userIds) pending.add(userId);
      if (!timer) publishPending();
    },
    /** Resolves when nothing reads any more: the database is closed next. */
    async close(): Promise<void> {
      isClosed = true;
      if (timer) clearTimeout(timer);
      await published;
    },
  };
}

const UNREAD_CHANGED = 'unread changed';

/** Unread counts, and publishing them to the side whose count changed (R-EVENT-3). Each process reads them for its own sockets. */
export function createUnreadCounts(
  context: Pick<ServiceContext, 'orm' | 'publish' | 'processes' | 'commitSettled'>,
  watch: Pick<ConversationWatch, 'unreadChanged'>,
  onError: (error: unknown) => void,
) {
  const { orm, publish, processes } = context;
  const publishLater = createCommitPublisher(publishChanges, context);
  const batches = createUnreadBatches(publishBatch, onError);

  const { countUnreadForAdmins, findConversation } = chatQueries(orm);

  const countOf = async (userId: string, side: Side): Promise<number> => {
    const row = await findConversation(userId);
    return row ? unreadOf(row, side) : 0;
  };

  /** Over all conversations of a side; a user has one. */
  function total(userId: string, side: Side): Promise<number> {
    return side === 'admin' ? countUnreadForAdmins() : countOf(userId, 'user');
  }

  /** The counts are published as they are now. */
  async function publishBatch(userIds: readonly string[]): Promise<void> {
    const changes = await Promise.all(
      userIds.map(async (userId) => ({ user_id: userId, unread_count: await countOf(userId, 'admin') })),
    );
    publish.here.toAdminsOfBatches({ changes, total_unread: await countUnreadForAdmins() });
  }

  async function publishChanges(changes: { userId: string; side: Side }[]): Promise<void> {
    const ofAdmins = changes.flatMap(({ userId, side }) => (side === 'admin' ? [userId] : []));
    for (const { userId, side } of changes) {
      if (side === 'admin') continue;
      const unread = await countOf(userId, 'user');
      publish.here.toUser(userId, 'unread', { user_id: userId, unread_count: unread, total_unread: unread });
    }
    if (ofAdmins.length === 0) return;
    if (publish.here.hasAdminsOfEachCount()) {
      const adminTotal = await countUnreadForAdmins();
      for (const userId of ofAdmins) {
        publish.here.toAdminsOfEachCount({
          user_id: userId,
          unread_count: await countOf(userId, 'admin'),
          total_unread: adminTotal,
        });
      }
    }
    batches.add(ofAdmins);
  }

  function changedSomewhere(change: { userId: string; side: Side }): Promise<void> {
    const { userId, side } = change;
    watch.unreadChanged(userId, side);
    return publishLater(`${side} ${userId}`, change);
  }
  processes.on(UNREAD_CHANGED, changedSomewhere);

  return {
    total,
    close: (): Promise<void> => batches.close(),
    /** Called after the commit that changed a count. The counts are published as they are then. */
    changed(userId: string, side: Side): Promise<void> {
      processes.tell(UNREAD_CHANGED, { userId, side });
      return changedSomewhere({ userId, side });
    },
  };
}
export type UnreadCounts = ReturnType<typeof createUnreadCounts>;
