import type { ConversationSummary, Message } from '#shared/api/chat/chat.ts';
import { contentsOf } from '#shared/message-contents.ts';

/** A message as the list shows it. */
export function toLastMessage(message: Message): NonNullable<ConversationSummary['last_message']> {
  const { _id, id, content, kind, sender_id, sender_name, from_admin, createdAt, created_at } = message;
  const { photos, documents, recordYear } = contentsOf(message);
  return {
    _id,
    id,
    content,
    kind,
    photos,
    documents,
    record_year: recordYear,
    sender_id,
    sender_name,
    from_admin,
    createdAt,
    created_at,
  };
}
