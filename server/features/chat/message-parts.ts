import type { RecordCard } from '#shared/api/tax-records/record-card.ts';
import type { ConnectionOrTransaction } from '#server/db/engine.ts';
import { type CardRow, readCardRows } from '#server/records/card-queries.ts';
import { presentCardNow } from '#server/records/present-card.ts';
import { readAttachments, type SentAttachmentRow } from './files/attachment-queries.ts';
import { readQuoted } from './history-queries.ts';
import type { MessageRow } from './message-queries.ts';

/** The parts that some messages show beside their own rows. */
export type MessageParts = {
  /** The messages that they quote. */
  quoted: ReadonlyMap<number, MessageRow>;
  /** The records of their cards, as they are now. */
  records: ReadonlyMap<string, CardRow>;
  /** Their files, by message. */
  attachments: ReadonlyMap<number, readonly SentAttachmentRow[]>;
};

/** The parts of a deleted message. */
export const noParts: MessageParts = { quoted: new Map(), records: new Map(), attachments: new Map() };

/** One query for each part, and none where no message has it. */
export async function readMessageParts(
  orm: ConnectionOrTransaction,
  rows: readonly MessageRow[],
): Promise<MessageParts> {
  const recordIds = new Set(rows.flatMap(({ recordId }) => recordId ?? []));
  return {
    quoted: await readQuoted(orm, rows),
    records: recordIds.size === 0 ? new Map() : await readCardRows(orm, recordIds),
    attachments: await readAttachments(orm, rows),
  };
}

/** The card of a message. A record of another account is none of it, whatever the row says. */
export function presentCard(
  { userId, recordId, recordThen }: MessageRow,
  { records }: MessageParts,
): RecordCard | null {
  if (recordId === null || recordThen === null) return null;
  const record = records.get(recordId);
  return {
    id: recordId,
    now: record?.userId === userId ? presentCardNow(record) : null,
    // oxlint-disable-next-line unicorn/no-thenable
    then: { ...recordThen, amount_source: recordThen.amount_source ?? 'typed' },
  };
}
