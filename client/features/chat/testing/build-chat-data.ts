import type { Attachment, ConversationSummary, History, Message } from '#shared/api/chat/chat.ts';
import { toLastMessage } from '../state/model/last-message.ts';

let lastNumber = 0;

/** A message from an admin to the user `u1`, unless `fields` say otherwise. */
export function buildMessage(fields: Partial<Message> & { number?: number } = {}): Message {
  const { number = (lastNumber += 1), ...rest } = fields;
  const at = new Date(Date.UTC(2026, 7, 3, 2, 0, number % 60)).toISOString();
  return {
    _id: String(number),
    id: String(number),
    user_id: 'u1',
    sender_id: 'a1',
    sender_name: 'Ibu Ratna',
    from_admin: true,
    content: `Pesan ${number}`,
    kind: 'chat',
    attachments: [],
    record: null,
    client_id: null,
    prev_id: number > 1 ? String(number - 1) : null,
    reply_to: null,
    quoted: null,
    createdAt: at,
    created_at: at,
    ...rest,
  };
}

/** A photo that a message carries, unless `fields` say otherwise. */
export function buildAttachment(fields: Partial<Attachment> = {}): Attachment {
  const id = fields.id ?? 'f1';
  return {
    id,
    url: `/uploads/${id}.jpg?e=1`,
    thumb_url: `/uploads/${id}-kecil.jpg?e=1`,
    name: 'bukti.jpg',
    type: 'image/jpeg',
    size: 400_000,
    width: 1200,
    height: 1600,
    proof_of: null,
    ...fields,
  };
}

/** Messages `from` to `to`, each following the one before. */
export function buildMessages(from: number, to: number, fields: Partial<Message> = {}): Message[] {
  return Array.from({ length: to - from + 1 }, (_, index) => buildMessage({ number: from + index, ...fields }));
}

export function buildHistory(messages: readonly Message[], fields: Partial<History> = {}): History {
  return {
    messages: [...messages],
    total: messages.length,
    page: 1,
    limit: 50,
    has_more: false,
    user_seen_id: null,
    admin_seen_id: null,
    user_delivered_id: null,
    admin_delivered_id: null,
    ...fields,
  };
}

export function buildSummary(userId: string, last: Message | null, fields: Partial<ConversationSummary> = {}) {
  const summary: ConversationSummary = {
    other_user: {
      _id: userId,
      id: userId,
      name: `Warga ${userId}`,
      email: `${userId}@contoh.id`,
      has_email: true,
      is_active: true,
    },
    unread_count: 0,
    last_message: last && toLastMessage(last),
    unanswered_since: null,
    state: fields.unanswered_since ? 'waiting' : 'done',
    claimed_by: null,
    snoozed_until: null,
    note_count: 0,
    ...fields,
  };
  return summary;
}
