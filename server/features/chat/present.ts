import { hasEmail } from '#shared/domain/users/no-email.ts';
import type { ConversationSummary, History, Message } from '#shared/api/chat/chat.ts';
import { isSnoozed, stateOf } from './state/conversation-state.ts';
import type { CreateLink } from '#server/uploads/upload-links.ts';
import { quoteExcerpt } from '#shared/transcript-text.ts';
import { presentIds } from '#server/http/answers/present.ts';
import type { ConversationListRow, InboxDetails } from './list-queries.ts';
import { type MessageParts, presentCard } from './message-parts.ts';
import { presentAttachment } from './files/present-attachment.ts';
import type { ConversationRow, MessageRow } from './message-queries.ts';

export const idOrNull = (id: number | null): string | null => (id ? String(id) : null);

/** One point in time under both of its field names. */
function presentCreated(createdAtMs: number): { createdAt: string; created_at: string } {
  const createdAt = new Date(createdAtMs).toISOString();
  return { createdAt, created_at: createdAt };
}

function presentQuoted(row: MessageRow): Message['quoted'] {
  const { content, photoCount: photos, documentCount: documents, recordThen } = row;
  const excerpt = quoteExcerpt(content, { photos, documents, recordYear: recordThen?.year ?? null });
  return {
    _id: String(row.id),
    sender_id: row.senderId,
    sender_name: row.senderName,
    from_admin: row.fromAdmin,
    excerpt,
  };
}

/** @param linkFor makes the addresses of its files, for the session that gets it */
export function presentMessage(row: MessageRow, parts: MessageParts, linkFor: CreateLink): Message {
  const quoted = row.replyTo === null ? undefined : parts.quoted.get(row.replyTo);
  return {
    ...presentIds(String(row.id)),
    user_id: row.userId,
    sender_id: row.senderId,
    sender_name: row.senderName,
    from_admin: row.fromAdmin,
    content: row.content,
    kind: row.kind,
    attachments: (parts.attachments.get(row.id) ?? []).map((file) => presentAttachment(file, linkFor)),
    record: presentCard(row, parts),
    client_id: row.clientId,
    prev_id: idOrNull(row.prevId),
    reply_to: idOrNull(row.replyTo),
    quoted: quoted ? presentQuoted(quoted) : null,
    ...presentCreated(row.createdAt),
  };
}

export function presentMessages(rows: readonly MessageRow[], parts: MessageParts, linkFor: CreateLink): Message[] {
  return rows.map((row) => presentMessage(row, parts, linkFor));
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
  slice: { rows: MessageRow[]; parts: MessageParts; linkFor: CreateLink },
  paging: Pick<History, 'total' | 'page' | 'limit' | 'has_more' | 'has_older' | 'has_newer'>,
): History {
  return {
    messages: presentMessages(slice.rows, slice.parts, slice.linkFor),
    ...paging,
    ...presentCursors(row),
  };
}

export function presentConversation(row: ConversationListRow, unread: number): ConversationSummary {
  return {
    other_user: {
      ...presentIds(row.user.id),
      name: row.user.name,
      email: row.user.email,
      has_email: hasEmail(row.user.email),
      is_active: row.user.isActive,
    },
    unread_count: unread,
    last_message: row.message && {
      ...presentIds(String(row.message.id)),
      content: row.message.content,
      kind: row.message.kind,
      photos: row.message.photoCount,
      documents: row.message.documentCount,
      record_year: row.message.recordThen?.year ?? null,
      sender_id: row.message.senderId,
      sender_name: row.message.senderName,
      from_admin: row.message.fromAdmin,
      ...presentCreated(row.message.createdAt),
    },
    unanswered_since: row.unansweredSince === null ? null : new Date(row.unansweredSince).toISOString(),
  };
}

/** A row of the inbox: with what only admins may see (R-INBOX-3). */
export function presentInboxRow(
  row: ConversationListRow,
  { adminsById, noteCounts }: InboxDetails,
  nowMs: number,
): ConversationSummary {
  return {
    ...presentConversation(row, row.unreadForAdmin),
    state: stateOf(row, nowMs),
    claimed_by: (row.claimedBy === null ? undefined : adminsById.get(row.claimedBy)) ?? null,
    snoozed_until: isSnoozed(row, nowMs) ? new Date(Number(row.snoozedUntil)).toISOString() : null,
    note_count: noteCounts.get(row.user.id) ?? 0,
  };
}
