import type { ConversationStateUpdate } from '#shared/api/chat/inbox.ts';
import type { ConnectionOrTransaction } from '#server/db/engine.ts';
import type { ServiceContext } from '#server/service-context.ts';
import { createCommitPublisher } from '../commit-publisher.ts';
import type { ConversationRow } from '../message-queries.ts';
import { chatQueries } from '../queries.ts';
import type { ClaimTracker } from './claim-tracker.ts';
import { isSnoozed, stateOf } from './conversation-state.ts';

const isoOrNull = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

/**
 * Presents the state of conversations, and publishes it to the admins after it changed (R-INBOX-9).
 * @param onWaitingChanged called after each commit that may have changed who waits
 */
export function createStateEvents(
  context: Pick<ServiceContext, 'orm' | 'now' | 'publish' | 'commitSettled'>,
  claims: ClaimTracker,
  onWaitingChanged: () => void,
) {
  const { orm, now, publish } = context;
  const publishLater = createCommitPublisher(publishStates, context);

  async function findHolder(
    tx: ConnectionOrTransaction,
    adminId: string | null,
  ): Promise<{ id: string; name: string } | null> {
    const admin = adminId === null ? undefined : await chatQueries(tx).findUser(adminId);
    return admin ? { id: admin.id, name: admin.name } : null;
  }

  async function present(stored: ConversationRow): Promise<ConversationStateUpdate> {
    const row = await claims.settle(orm, stored);
    return {
      user_id: row.userId,
      state: stateOf(row, now()),
      claimed_by: await findHolder(orm, row.claimedBy),
      snoozed_until: isSnoozed(row, now()) ? isoOrNull(row.snoozedUntil) : null,
      unanswered_since: isoOrNull(row.unansweredSince),
    };
  }

  async function publishStates(userIds: string[]): Promise<void> {
    const { findConversation, findUser } = chatQueries(orm);
    for (const userId of userIds) {
      const row = await findConversation(userId);
      // The conversation of an account that became an admin is in no list.
      if (row && (await findUser(userId))?.isAdmin === false)
        publish.here.toAdmins('conversation:state', await present(row));
    }
  }

  return {
    present,
    findHolder,
    /** Called after the commit that changed a state, which is published as it is then. */
    changed(userId: string): Promise<void> {
      onWaitingChanged();
      return publishLater(userId, userId);
    },
  };
}
