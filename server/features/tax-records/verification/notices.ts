import { formatDateShort } from '#shared/domain/date-labels.ts';
import { statusLabels } from '#shared/labels.ts';
import type { Transaction } from '#server/db/open.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import type { RecordRow } from '../queries.ts';

/** What the chat tells a record's owner about it, with the record's card (R-CARD-20). */
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
export type StoreNotice = (tx: Transaction, notice: RecordNotice) => () => Promise<void>;

type Named = Pick<RecordRow, 'year' | 'sptNumber'>;
const nameOf = ({ year, sptNumber }: Named): string => `PBB ${year} · SPT ${sptNumber}`;

export const noticeTexts = {
  matched: (record: Named): string => `Pembayaran ${nameOf(record)} sudah dicocokkan kantor`,

  /** The reason comes first; what to do comes last. */
  rejected(record: Named & Pick<RecordRow, 'proofFile'>, reason: string): string {
    const sentence = /[.!?…]$/.test(reason) ? reason : `${reason}.`;
    const proof = record.proofFile === null ? 'bukti' : 'bukti lain';
    return `Pembayaran ${nameOf(record)} tidak cocok: ${sentence} Unggah ${proof} pada data itu atau balas di sini.`;
  },

  undone: (record: Named & Pick<RecordRow, 'reportedAt'>): string =>
    `Hasil pencocokan ${nameOf(record)} dibatalkan${record.reportedAt === null ? '' : '. Pembayaran menunggu dicocokkan lagi.'}`,

  /** @param hasStatus whether a status was chosen with the photo */
  proofFiled(
    { status, paymentDate, ...record }: Named & Pick<RecordRow, 'status' | 'paymentDate'>,
    hasStatus: boolean,
  ) {
    const filed = `Foto disimpan sebagai bukti ${nameOf(record)}`;
    if (!hasStatus) return filed;
    const paid = status === 'lunas' && paymentDate ? `, dibayar ${formatDateShort(paymentDate, 'UTC')}` : '';
    return `${filed} dan ditandai ${statusLabels[status]}${paid}`;
  },
};
