import { z } from 'zod';
import { ATTACHMENT_TYPES, MESSAGE_KINDS } from '#shared/message-contents.ts';
import { ATTACHMENTS_PER_MESSAGE_MAX, CONVERSATIONS_MAX, HISTORY_MAX, MESSAGE_MAX } from '#shared/limits.ts';
import { errorTexts, fieldTexts } from '#shared/texts.ts';
import { positiveInteger, singleOf } from '../envelope.ts';
import { formFile } from '../fields.ts';
import { flagFilter, idFilter, searchFilter } from '../filters.ts';
import { recordCard } from '../tax-records/record-card.ts';

/** Of a conversation, for the admins (R-INBOX-1). */
export const CONVERSATION_STATES = ['waiting', 'snoozed', 'done'] as const;
export type ConversationState = (typeof CONVERSATION_STATES)[number];

/** A file of a message. Addresses are paths that work only for the session that asked, and not for long (R-FILE-7). */
export const attachment = z
  .object({
    id: z.string(),
    url: z.string(),
    thumb_url: z.string().nullable(),
    name: z.string(),
    type: z.enum(ATTACHMENT_TYPES),
    /** In bytes. */
    size: z.number().int(),
    /** In pixels; null for a document. */
    width: z.number().int().nullable(),
    height: z.number().int().nullable(),
    /** The record whose payment proof is a copy of this photo, while both exist. */
    proof_of: z.object({ record_id: z.string(), year: z.number().int() }).nullable(),
  })
  .meta({ id: 'Lampiran' });
export type Attachment = z.infer<typeof attachment>;
export const attachmentAnswer = singleOf(attachment);

/** The sender's own id of a message or a file: printable characters without spaces. */
const clientId = z
  .string({ error: fieldTexts.clientIdInvalid })
  .regex(/^[\x21-\x7e]{0,64}$/, { error: fieldTexts.clientIdInvalid })
  .nullish()
  .transform((value) => value || null);

/** The fields of the form that carry files: the file, and a small picture of it. */
export const ATTACHMENT_FIELDS = { file: 'file', thumb: 'thumb' } as const;

/** The fields of the form; the files themselves arrive beside the body. */
export const attachmentBody = z.object({ client_id: clientId, file: formFile, thumb: formFile }).nullish();

/** A message as both sides get it (R-CHAT-2). Ids are decimal strings that grow in the order of the messages. */
export const message = z
  .object({
    _id: z.string(),
    id: z.string(),
    user_id: z.string(),
    sender_id: z.string(),
    sender_name: z.string(),
    from_admin: z.boolean(),
    /** It says in words also what is attached (R-FILE-20). */
    content: z.string(),
    kind: z.enum(MESSAGE_KINDS),
    attachments: z.array(attachment),
    record: recordCard.nullable(),
    client_id: z.string().nullable(),
    /** The message before it in the same conversation, so that a client notices a gap. */
    prev_id: z.string().nullable(),
    /** The message of the same conversation that it quotes. */
    reply_to: z.string().nullable(),
    /** That message in short, so that it need not be loaded; null also when it was deleted. */
    quoted: z
      .object({
        _id: z.string(),
        sender_id: z.string(),
        sender_name: z.string(),
        from_admin: z.boolean(),
        excerpt: z.string(),
      })
      .nullable(),
    createdAt: z.string(),
    created_at: z.string(),
  })
  .meta({ id: 'Pesan' });
export type Message = z.infer<typeof message>;

const messageId = z
  .string()
  .regex(/^\d{1,15}$/, { error: errorTexts.badFormat })
  .transform(Number);

/** Absent: undefined. A value that is no message id is refused, because it must never mean something else. */
export const optionalMessageId = z
  .union([z.string(), z.number()], { error: errorTexts.badFormat })
  .transform(String)
  .pipe(messageId)
  .nullish()
  .transform((value) => value ?? undefined);

/** Unicode code points, so that a simple emoji counts as one character and not as two. */
export function messageLength(text: string): number {
  return Array.from(text).length;
}

/** Checks the cheap length first, so that a huge text is never counted. */
export const isWithinMaxLength = (text: string): boolean =>
  text.length <= MESSAGE_MAX || (text.length <= 2 * MESSAGE_MAX && messageLength(text) <= MESSAGE_MAX);

/** The text of a message or of a note. @param label its name in the errors: 'Pesan', 'Catatan' */
export const messageContent = (label: string) =>
  z
    .string({ error: fieldTexts.required(label) })
    .trim()
    .min(1, { error: fieldTexts.required(label), abort: true })
    .refine(isWithinMaxLength, { error: fieldTexts.tooLong(label, MESSAGE_MAX) });

export const sendBody = z.object({
  to_user_id: z.string({ error: fieldTexts.receiverRequired }).trim().min(1, { error: fieldTexts.receiverRequired }),
  content: messageContent('Pesan'),
  /** The sender's own UUID: the same one again gets the first message as answer, and nothing is stored. */
  client_id: clientId,
  /** The newest message of the conversation on an admin's screen: a newer answer of another admin refuses this one. */
  seen_id: optionalMessageId,
  /** A message of the same conversation that this one quotes. */
  reply_to: optionalMessageId,
  /** Own files that were uploaded and not sent yet, in this order. */
  attachment_ids: z
    .array(z.string({ error: errorTexts.badFormat }).max(64, { error: errorTexts.badFormat }), {
      error: errorTexts.badFormat,
    })
    .max(ATTACHMENTS_PER_MESSAGE_MAX, { error: fieldTexts.attachmentsTooMany(ATTACHMENTS_PER_MESSAGE_MAX) })
    .nullish()
    .transform((value) => value ?? []),
  /** A record of the conversation's user, whose card the message carries. */
  record_id: z
    .string({ error: errorTexts.badFormat })
    .max(64, { error: errorTexts.badFormat })
    .nullish()
    .transform((value) => value || null),
});
export type SendBody = z.infer<typeof sendBody>;
export const sendAnswer = singleOf(message);

/** A place among the messages of a conversation. A number beyond all ids is a place behind the newest message. */
const position = z
  .unknown()
  .transform((value) =>
    typeof value === 'string' && /^\d+$/.test(value) ? Math.min(Number(value), Number.MAX_SAFE_INTEGER) : undefined,
  )
  .meta({ type: 'string', pattern: '^\\d+$' });

export const historyQuery = z.object({
  limit: positiveInteger(HISTORY_MAX).optional(),
  page: positiveInteger().optional(),
  /** Only older or only newer messages than this one; a value that is no message id counts as absent. */
  before: position.optional(),
  after: position.optional(),
  /** The messages around this one. */
  around: position.optional(),
});
export type HistoryQuery = z.infer<typeof historyQuery>;

export const history = z
  .object({
    messages: z.array(message),
    total: z.number().int(),
    page: z.number().int(),
    limit: z.number().int(),
    has_more: z.boolean(),
    /** Only in an answer to `around`. */
    has_older: z.boolean().optional(),
    has_newer: z.boolean().optional(),
    user_seen_id: z.string().nullable(),
    admin_seen_id: z.string().nullable(),
    user_delivered_id: z.string().nullable(),
    admin_delivered_id: z.string().nullable(),
  })
  .meta({ id: 'RiwayatPercakapan' });
export type History = z.infer<typeof history>;
export const historyAnswer = singleOf(history);

export const conversationsQuery = z.object({
  limit: positiveInteger(CONVERSATIONS_MAX).optional(),
  page: positiveInteger().optional(),
  search: searchFilter,
  unread: flagFilter,
  unanswered: flagFilter,
  /** Also users who have not written yet, after all others; for the inbox list. */
  all: flagFilter,
  /** Absent or unknown: latest activity first. `waiting`: the longest wait first, then the others (R-CHAT-32). */
  sort: z.enum(['waiting']).optional().catch(undefined),
  /** Only for admins; absent or unknown: all (R-INBOX-1). */
  state: z.enum(['waiting', 'snoozed', 'mine', 'unclaimed']).optional().catch(undefined),
  /** Only these conversations: ids of users with commas between them, as many as a page may have. */
  user_ids: idFilter,
});
export type ConversationsQuery = z.infer<typeof conversationsQuery>;

export const conversationSummary = z
  .object({
    other_user: z.object({
      _id: z.string(),
      id: z.string(),
      name: z.string(),
      email: z.string(),
      has_email: z.boolean(),
      /** False: the account cannot sign in, so its user reads no answer. */
      is_active: z.boolean(),
    }),
    unread_count: z.number().int(),
    last_message: z
      .object({
        _id: z.string(),
        id: z.string(),
        content: z.string(),
        kind: z.enum(MESSAGE_KINDS),
        /** The number of its files and the year of its record, for `previewMessage`. */
        photos: z.number().int(),
        documents: z.number().int(),
        record_year: z.number().int().nullable(),
        sender_id: z.string(),
        sender_name: z.string(),
        from_admin: z.boolean(),
        createdAt: z.string(),
        created_at: z.string(),
      })
      .nullable(),
    unanswered_since: z.string().nullable(),
    /** The rest is for admins only. */
    state: z.enum(CONVERSATION_STATES).optional(),
    claimed_by: z.object({ id: z.string(), name: z.string() }).nullable().optional(),
    snoozed_until: z.string().nullable().optional(),
    note_count: z.number().int().optional(),
  })
  .meta({ id: 'RingkasanPercakapan' });
export type ConversationSummary = z.infer<typeof conversationSummary>;

const conversationCounts = z.object({
  waiting: z.number().int(),
  unread: z.number().int(),
  snoozed: z.number().int(),
  mine: z.number().int(),
});
export type ConversationCounts = z.infer<typeof conversationCounts>;

/** `data` is a plain array (R-CHAT-9); the numbers beside it count the whole list. */
export const conversationsAnswer = singleOf(z.array(conversationSummary)).extend({
  total: z.number().int(),
  per_page: z.number().int(),
  current_page: z.number().int(),
  last_page: z.number().int(),
  has_more: z.boolean(),
  /** Over all conversations of this side. */
  total_unread: z.number().int(),
  /** Conversations over all, whatever the filter; only for admins. */
  counts: conversationCounts.optional(),
});

/** Without a position: up to the newest message. */
export const seenBody = z.object({ up_to: optionalMessageId }).nullish();
export const seenAnswer = singleOf(z.object({ user_id: z.string(), unread_count: z.number().int() }));
