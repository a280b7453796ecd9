import { useMemo } from 'react';
import type { Message } from '#shared/api/chat/chat.ts';
import { type Quote, readQuote } from '../state/model/outbox-entry.ts';
import { previewOf } from '../previews/message-preview.ts';
import { useStoredText, writeStoredText } from './stored-text.ts';

/** The excerpt of the server has the same length. */
const EXCERPT_MAX = 200;

/** The key has the form of `lib/private-data.ts`: it goes when its account signs out, and only then. */
export const quoteDraftKey = (currentUserId: string, userId: string): string =>
  `pbb-chat-quote:${currentUserId}:${userId}`;

export function quoteOf(message: Message): Quote {
  const { _id, sender_id, sender_name, from_admin } = message;
  const excerpt = Array.from(previewOf(message).text).slice(0, EXCERPT_MAX).join('');
  return { _id, sender_id, sender_name, from_admin, excerpt };
}

/** Sets what the next answer in a conversation quotes; it is kept with its draft. */
export function writeQuoteDraft(currentUserId: string, userId: string, quote: Quote | null): void {
  writeStoredText(quoteDraftKey(currentUserId, userId), quote && JSON.stringify(quote));
}

export function useQuoteDraft(currentUserId: string, userId: string): Quote | null {
  const stored = useStoredText(quoteDraftKey(currentUserId, userId));
  return useMemo(() => readQuote(stored), [stored]);
}

/** The fields of open conversations that can quote a message, by the conversation's user. */
const quoteFields = new Map<string, (quote: Quote) => void>();

/** A message was chosen to be quoted: the field of its conversation decides what that means. */
export function requestQuote(userId: string, message: Message): void {
  quoteFields.get(userId)?.(quoteOf(message));
}

/** @returns the undo */
export function bindQuoteField(userId: string, onQuote: (quote: Quote) => void): () => void {
  quoteFields.set(userId, onQuote);
  return () => {
    if (quoteFields.get(userId) === onQuote) quoteFields.delete(userId);
  };
}
