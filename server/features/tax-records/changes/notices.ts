import { formatDateShort } from '#shared/domain/dates/date-labels.ts';
import { statusLabels } from '#shared/labels.ts';
import { formatSptNumber } from '#shared/domain/dhkp/nop.ts';
import type { Transaction } from '#server/db/engine.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import type { RecordRow } from '../queries.ts';

/** A message of the chat to a record's owner about the record, with its card (R-CARD-20). */
type RecordNotice = {
  actor: CurrentUser;
  userId: string;
  content: string;
  recordId: string;
  /** The message with the photo that became the proof. */
  replyTo?: number | null;
};

/**
 * Stores a notice in the transaction of the change that it tells.
 * @returns publishes it; called after the commit
 */
export type StoreNotice = (tx: Transaction, notice: RecordNotice) => Promise<() => Promise<void>>;

type Named = Pick<RecordRow, 'year' | 'sptNumber'>;
type Paid = Named & Pick<RecordRow, 'status' | 'paymentDate' | 'statusBeforeCheck'>;
const nameOf = ({ year, sptNumber }: Named): string => `PBB ${year} · SPT ${formatSptNumber(sptNumber)}`;

function markedAs({ status, paymentDate }: Pick<RecordRow, 'status' | 'paymentDate'>): string {
  const paid = status === 'lunas' && paymentDate ? `, dibayar ${formatDateShort(paymentDate, 'UTC')}` : '';
  return `ditandai ${statusLabels[status]}${paid}`;
}

const noticeTexts = {
  /** A match alone pays nothing, so a record that is not paid says that, too. */
  matched(record: Paid): string {
    const pays = record.statusBeforeCheck === null ? '' : ` dan ${markedAs(record)}`;
    return record.status === 'lunas'
      ? `Pembayaran ${nameOf(record)} sudah diperiksa kantor${pays}`
      : `Pembayaran ${nameOf(record)} diperiksa kantor, belum lunas`;
  },

  /** The reason comes first; what to do comes last. */
  rejected(record: Named & Pick<RecordRow, 'proofFile' | 'checkReason'>): string {
    const reason = record.checkReason ?? '';
    const sentence = /[.!?…]$/.test(reason) ? reason : `${reason}.`;
    const proof = record.proofFile === null ? 'bukti' : 'bukti lain';
    return `Pembayaran ${nameOf(record)} ditolak kantor: ${sentence} Unggah ${proof} pada data itu atau balas di sini.`;
  },

  undone(record: Named & Pick<RecordRow, 'reportedAt' | 'status'>, before: Pick<RecordRow, 'status'>): string {
    const back = record.status === before.status ? '' : `, statusnya kembali ${statusLabels[record.status]}`;
    const waits = record.reportedAt === null ? '' : '. Pembayaran menunggu diperiksa kantor lagi.';
    return `Hasil pemeriksaan ${nameOf(record)} dibatalkan${back}${waits}`;
  },
};

/** @param hasStatus whether a status was chosen with the photo; @param isMatched whether the report was matched with it */
export function proofFiledText(
  record: Named & Pick<RecordRow, 'status' | 'paymentDate'>,
  { hasStatus, isMatched }: { hasStatus: boolean; isMatched: boolean },
): string {
  const filed = `Foto disimpan sebagai bukti ${nameOf(record)}`;
  if (!hasStatus) return filed;
  return `${filed}${isMatched ? ', sudah diperiksa kantor' : ''} dan ${markedAs(record)}`;
}

type WriteNotice = (actor: CurrentUser, record: RecordRow, before: RecordRow) => RecordNotice;

const noticeOf = (actor: CurrentUser, { id, userId }: RecordRow, content: string): RecordNotice => ({
  actor,
  userId,
  content,
  recordId: id,
});

export const noticeOfMatch: WriteNotice = (actor, record) => noticeOf(actor, record, noticeTexts.matched(record));
export const noticeOfRejection: WriteNotice = (actor, record) => noticeOf(actor, record, noticeTexts.rejected(record));
export const noticeOfUndo: WriteNotice = (actor, record, before) =>
  noticeOf(actor, record, noticeTexts.undone(record, before));
