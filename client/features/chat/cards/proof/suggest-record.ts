import type { Message } from '#shared/api/chat.ts';
import type { CardRecord } from '../records/card-record.ts';

/** A card further up belongs to another matter. */
const MESSAGES_ABOVE_MAX = 20;

/**
 * The record that a photo most likely belongs to: that of the nearest card above it that still lacks a payment or a proof, else the
 * only record that is not paid; undefined if neither exists (R-CARD-31).
 */
export function suggestRecord(
  records: readonly CardRecord[],
  photoMessage: Message,
  messages: readonly Message[],
): CardRecord | undefined {
  const at = messages.findIndex(({ _id }) => _id === photoMessage._id);
  const above = at === -1 ? [] : messages.slice(Math.max(0, at - MESSAGES_ABOVE_MAX), at).toReversed();
  for (const { record: card } of [photoMessage, ...above]) {
    const record = card && records.find(({ id }) => id === card.id);
    if (record && (record.status !== 'lunas' || !record.has_proof)) return record;
  }
  const open = records.filter(({ status }) => status !== 'lunas');
  return open.length === 1 ? open[0] : undefined;
}
