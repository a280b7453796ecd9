import type { ConversationSummary, History, Message } from '#shared/api/chat.ts';
import { presentIds } from '#server/http/present.ts';
import type { ConversationListRow } from './list-queries.ts';
import type { ConversationRow, MessageRow } from './message-queries.ts';

export const idOrNull = (id: number | null): string | null => (id ? String(id) : null);

/** One point in time under both of its field names. */
function presentCreated(createdAtMs: number): { createdAt: string; created_at: string } {
  const createdAt = new Date(createdAtMs).toISOString();
  return { createdAt, created_at: createdAt };
}

export function presentMessage(row: MessageRow): Message {
  return {
    ...presentIds(String(row.id)),
    user_id: row.userId,
    sender_id: row.senderId,
    sender_name: row.senderName,
    from_admin: row.fromAdmin,
    content: row.content,
    client_id: row.clientId,
    prev_id: idOrNull(row.prevId),
    reply_to: idOrNull(row.replyTo),
    quoted: null,
    ...presentCreated(row.createdAt),
  };
}

export function presentCursors(
  row: ConversationRow,
): Pick<History, 'user_seen_id' | 'admin_seen_id' | 'user_delivered_id' | 'admin_delivered_id'> {
  return {
    user_seen_id: idOrNull(row.userSeenId),
    admin_seen_id: idOrNull(row.adminSeenId),
    user_delivered_id: idOrNull(row.userDeliveredId),
    admin_delivered_id: idOrNull(row.adminDeliveredId),
  };
}

/** A page of a conversation with its cursors. */
export function presentHistory(
  row: ConversationRow,
  slice: { rows: MessageRow[]; hasMore: boolean },
  paging: Pick<History, 'total' | 'page' | 'limit'>,
): History {
  return {
    messages: slice.rows.map(presentMessage),
    ...paging,
    has_more: slice.hasMore,
    ...presentCursors(row),
  };
}

export function presentConversation(row: ConversationListRow, unread: number): ConversationSummary {
  return {
    other_user: {
      ...presentIds(row.user.id),
      name: row.user.name,
      email: row.user.email,
      is_active: row.user.isActive,
    },
    unread_count: unread,
    last_message: row.message && {
      ...presentIds(String(row.message.id)),
      content: row.message.content,
      sender_id: row.message.senderId,
      sender_name: row.message.senderName,
      from_admin: row.message.fromAdmin,
      ...presentCreated(row.message.createdAt),
    },
    unanswered_since: row.unansweredSince === null ? null : new Date(row.unansweredSince).toISOString(),
  };
}
