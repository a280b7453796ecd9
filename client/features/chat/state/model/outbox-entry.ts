import type { Message } from '#shared/api/chat/chat.ts';
import { contentsOf, readCaption } from '#shared/message-contents.ts';
import { isPlainObject } from '#client/lib/storage/is-plain-object.ts';
import { isOutboxRecord, type OutboxFile, type OutboxRecord, parseFiles } from '../../files/outbox-file.ts';

/** A message that another one quotes, in short. */
export type Quote = NonNullable<Message['quoted']>;

/** A message of this user that the server has not acknowledged yet. */
export type OutboxEntry = {
  client_id: string;
  /** The conversation it belongs to, by its user's id. */
  user_id: string;
  /** With what is attached in words, as the server stores it (R-FILE-20). */
  content: string;
  /** The files that it carries, in order. */
  files: readonly OutboxFile[];
  /** The record whose card it carries. */
  record: OutboxRecord | null;
  /** It was written after a message with files that still waits, so it is stored beside that one. */
  followsFiles: boolean;
  /** When it was written, in ms; unique, so it also gives the order. */
  order: number;
  /** The message that it quotes. */
  quote: Quote | null;
  /** The newest message on an admin's screen when this one was sent; null: the server need not compare (R-REPLY-5). */
  seen_id: string | null;
  /**
   * A colleague has answered since `seen_id`, so the server refused it: it and what follows it wait for a decision. It is
   * 'failed' then, so that the code of an earlier version in another tab does not repeat it either.
   */
  isHeld: boolean;
  state: 'waiting' | 'failed';
  /** The number of attempts to send it, counted before the call. Above 0 the server may have stored it already. */
  attempts: number;
  /** The last attempt was answered with an error of the server (5xx). It is still waiting and is tried again. */
  serverError: boolean;
  /** The server's words for the refusal or the error; '' when it gave none. */
  reason: string;
  /** The file for which the server refused it; null when it was for something else, or not refused. */
  refusedFileId: string | null;
  /** The tab that claimed it last, or '' when that tab released it; and until when (ms) the claim keeps other tabs off. */
  busyBy: string;
  busyUntil: number;
};

/** Whether the user is told that the message was not sent: refused, or the server has an error. */
export const hasFailed = ({ state, serverError }: OutboxEntry): boolean => state === 'failed' || serverError;

function parseQuote(value: unknown): Quote | null {
  if (!isPlainObject(value)) return null;
  const { _id, sender_id, sender_name, from_admin, excerpt } = value;
  if (typeof _id !== 'string' || typeof sender_id !== 'string' || typeof sender_name !== 'string') return null;
  if (typeof excerpt !== 'string') return null;
  return { _id, sender_id, sender_name, from_admin: from_admin === true, excerpt };
}

/** A stored quote; null for anything else. */
export function readQuote(text: string | null): Quote | null {
  try {
    return text === null ? null : parseQuote(JSON.parse(text));
  } catch {
    return null;
  }
}

/** An entry as local storage has it; null for anything else. */
export function parseEntry(text: string | null): OutboxEntry | null {
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    if (!isPlainObject(value)) return null;
    const { client_id, user_id, content, order, state, attempts, serverError, reason, busyBy, busyUntil } = value;
    const { quote, seen_id, isHeld, files, record, followsFiles, refusedFileId } = value;
    if (typeof client_id !== 'string' || typeof user_id !== 'string' || typeof content !== 'string') return null;
    return {
      client_id,
      user_id,
      content,
      files: parseFiles(files),
      record: isOutboxRecord(record) ? record : null,
      followsFiles: followsFiles === true,
      order: typeof order === 'number' ? order : 0,
      // Entries of an earlier version have no quote and no place in the conversation.
      quote: parseQuote(quote),
      seen_id: typeof seen_id === 'string' ? seen_id : null,
      isHeld: isHeld === true && state === 'failed',
      state: state === 'failed' ? 'failed' : 'waiting',
      attempts: typeof attempts === 'number' ? attempts : 1,
      serverError: serverError === true,
      reason: typeof reason === 'string' ? reason : '',
      refusedFileId: typeof refusedFileId === 'string' ? refusedFileId : null,
      busyBy: typeof busyBy === 'string' ? busyBy : '',
      busyUntil: typeof busyUntil === 'number' ? busyUntil : 0,
    };
  } catch {
    // Written by other code, so it is no unsent message and nothing is lost.
    return null;
  }
}

/** The typed text, without the words for the attachments. */
export const typedTextOf = ({ content, files, record }: OutboxEntry): string =>
  // An object and no function, so `await` takes no notice of it.
  // oxlint-disable-next-line unicorn/no-thenable
  readCaption(content, contentsOf({ attachments: files, record: record && { then: record } }));

/** Counts the messages of a conversation that are being sent or wait for the connection. Those behind a held one do not count. */
export function countOnTheWay(entries: readonly OutboxEntry[]): number {
  const heldOrder = Math.min(...entries.filter(({ isHeld }) => isHeld).map(({ order }) => order));
  return entries.filter(({ state, order }) => state === 'waiting' && order < heldOrder).length;
}

export const CANCELLED_TEXT = 'Pengiriman dibatalkan';

/** An earlier message of the same conversation that still uploads files, so this one waits for it; undefined if none. */
export const findHolding = (entries: readonly OutboxEntry[], { user_id, order }: OutboxEntry) =>
  entries.find(
    (other) => other.user_id === user_id && other.order < order && other.state === 'waiting' && other.files.length > 0,
  );

/** Released by a tab, so that another one need not wait until its claims have expired. */
export const withoutClaims = (entries: readonly OutboxEntry[], tabId: string): readonly OutboxEntry[] =>
  entries.map((entry) => (entry.busyBy === tabId ? { ...entry, busyBy: '', busyUntil: 0 } : entry));
