import type { ConversationStateUpdate } from '#shared/api/chat/inbox.ts';
import type { ServiceContext } from '#server/service-context.ts';
import { createCommitPublisher } from '../commit-publisher.ts';
import type { ConversationRow } from '../message-queries.ts';
import type { ChatQueries } from '../queries.ts';
import type { ClaimTracker } from './claim-tracker.ts';
import { isSnoozed, stateOf } from './conversation-state.ts';

const isoOrNull = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

/**
 * Presents the state of conversations, and publishes it to the admins after it changed (R-INBOX-9).
 * @param onWaitingChanged called after each commit that may have changed who waits
 */
export function createStateEvents(
  { now, publish }: Pick<ServiceContext, 'now' | 'publish'>,
  statements: ChatQueries,
  claims: ClaimTracker,
  onWaitingChanged: () => void,
) {
  const publishLater = createCommitPublisher(publishStates);

  function findHolder(adminId: string | null): { id: string; name: string } | null {
    const admin = adminId === null ? undefined : statements.findUser(adminId);
    return admin ? { id: admin.id, name: admin.name } : null;
  }

  function present(stored: ConversationRow): ConversationStateUpdate {
    const row = claims.settle(stored);
    return {
      user_id: row.userId,
      state: stateOf(row, now()),
      claimed_by: findHolder(row.claimedBy),
      snoozed_until: isSnoozed(row, now()) ? isoOrNull(row.snoozedUntil) : null,
      unanswered_since: isoOrNull(row.unansweredSince),
    };
  }

  function publishStates(userIds: string[]): void {
    for (const userId of userIds) {
      const row = statements.findConversation(userId);
      // The conversation of an account that became an admin is in no list.
      if (row && statements.findUser(userId)?.isAdmin === false) publish.toAdmins('conversation:state', present(row));
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
