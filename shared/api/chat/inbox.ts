import { z } from 'zod';
import { NOTES_MAX, SEARCH_MAX, SEARCH_RESULTS_MAX } from '#shared/limits.ts';
import { errorTexts, fieldTexts } from '#shared/texts.ts';
import { CONVERSATION_STATES, message, messageContent, optionalMessageId } from './chat.ts';
import { positiveInteger, singleOf } from '../envelope.ts';
import { dateOfPeriod, flag } from '../fields.ts';

/*
 * The calls of admins for a conversation beside answers (R-INBOX): claim, dismiss, snooze, notes; and the search over
 * messages. Every call about the state of a conversation answers with that state, which is also the event
 * `conversation:state`.
 */

const nameOfAccount = z.object({ id: z.string(), name: z.string() });

export const conversationStateSchema = z
  .object({
    user_id: z.string(),
    state: z.enum(CONVERSATION_STATES),
    /** The admin who handles it. */
    claimed_by: nameOfAccount.nullable(),
    snoozed_until: z.string().nullable(),
    unanswered_since: z.string().nullable(),
  })
  .meta({ id: 'KeadaanPercakapan' });
export type ConversationStateUpdate = z.infer<typeof conversationStateSchema>;
export const conversationStateAnswer = singleOf(conversationStateSchema);

/** `take`: also when a colleague has claimed it. */
export const claimBody = z.object({ take: flag.optional() }).nullish();

const requiredMessageId = optionalMessageId.refine((value) => value !== undefined, { error: errorTexts.badFormat });
/** `up_to`: the newest message on the screen. */
export const dismissBody = z.object({ up_to: requiredMessageId });
/** `until`: an instant in ISO 8601, in the future and within 90 days. */
export const snoozeBody = z.object({
  until: z.iso.datetime({ offset: true, error: errorTexts.badFormat }),
  up_to: requiredMessageId,
});

export const note = z
  .object({
    _id: z.string(),
    id: z.string(),
    user_id: z.string(),
    author: nameOfAccount,
    content: z.string(),
    client_id: z.string(),
    createdAt: z.string(),
    created_at: z.string(),
    /** The admin whom it is meant for, and when that admin opened it; only in a note for an admin. */
    for: nameOfAccount.optional(),
    seen_at: z.string().nullable().optional(),
  })
  .meta({ id: 'CatatanInternal' });
export type Note = z.infer<typeof note>;
/** Oldest first. */
export const notesAnswer = singleOf(z.array(note));
export const noteAnswer = singleOf(note);
/** The conversations with a note for the caller that is not opened yet, the newest first; at most 100. */
export const notesForMeAnswer = singleOf(
  z
    .array(z.object({ user: nameOfAccount, author: nameOfAccount, created_at: z.string() }))
    .meta({ id: 'CatatanUntukSaya' }),
);
export type NoteForMe = z.infer<typeof notesForMeAnswer>['data'][number];
/** Errors of the calls about notes. */
export const noteTexts = {
  missing: 'Catatan tidak ditemukan',
  noSuchAdmin: 'Admin ini tidak ada atau tidak aktif',
  tooMany: `Percakapan ini sudah punya ${NOTES_MAX} catatan. Hapus yang tidak perlu dulu.`,
} as const;
export const noteBody = z.object({
  content: messageContent('Catatan'),
  client_id: z
    .string({ error: fieldTexts.clientIdInvalid })
    .regex(/^[\x21-\x7e]{1,64}$/, { error: fieldTexts.clientIdInvalid }),
  /** A colleague who gets a mark until the note was opened. */
  for_admin_id: z.string({ error: noteTexts.noSuchAdmin }).max(64, { error: noteTexts.noSuchAdmin }).nullish(),
});

export type NoteBody = z.output<typeof noteBody>;

export const messageSearchQuery = z.object({
  q: z.string().trim().max(SEARCH_MAX).optional().catch(undefined),
  /** Only this conversation; for admins. */
  user_id: z.string().max(64).optional().catch(undefined),
  /** Only messages older than this one, for the next page. */
  before: optionalMessageId.catch(undefined),
  limit: positiveInteger(SEARCH_RESULTS_MAX).optional(),
});

export const messageSearchAnswer = singleOf(
  z.object({
    /** Newest first. */
    data: z.array(
      z.object({
        message,
        /** The user of the conversation. */
        user: nameOfAccount,
        /** Plain text around the first found word. */
        snippet: z.string(),
        /** Found places in `snippet`: first character and the one after the last, counted as in JavaScript. */
        marks: z.array(z.tuple([z.number().int(), z.number().int()])),
      }),
    ),
    has_more: z.boolean(),
    /** Share of all messages that can be found already, in percent; below 100 only for a while after an update. */
    indexed_percent: z.number().int(),
  }),
);
export type MessageSearchResult = z.infer<typeof messageSearchAnswer>['data']['data'][number];

const periodDate = dateOfPeriod(fieldTexts.transcriptPeriodInvalid);
/** Calendar dates in the server's time zone, both included; absent: from the first, to the last message. */
export const transcriptQuery = z
  .object({ from: periodDate, to: periodDate })
  .refine(({ from, to }) => !from || !to || from <= to, { error: fieldTexts.periodOrder, path: ['from'] });
export type TranscriptQuery = z.infer<typeof transcriptQuery>;
export const transcriptAnswer = singleOf(
  z.object({
    user: z.object({ id: z.string(), name: z.string(), email: z.string(), has_email: z.boolean() }),
    /** Oldest first. */
    messages: z.array(message),
    /** Messages of that time that were left out, the oldest ones, because a transcript has a greatest length. */
    omitted: z.number().int(),
  }),
);
export type Transcript = z.infer<typeof transcriptAnswer>['data'];
