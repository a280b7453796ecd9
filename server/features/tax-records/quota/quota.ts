import type { QuotaTexts } from '#shared/texts.ts';
import type { Transaction } from '#server/db/open.ts';
import { AppError, invalid } from '#server/http/errors.ts';
import type { Quota } from '#server/settings.ts';
import type { RecordRow } from '../queries.ts';
import { readQuotaUse } from './quota-queries.ts';

type Asked = {
  /** The record before the change; null when it is new. */
  before: Pick<RecordRow, 'proofBytes'> | null;
  after: Pick<RecordRow, 'userId' | 'proofBytes'>;
  /** For the owner, or for an admin who works for the owner. */
  texts: QuotaTexts;
};

/**
 * Checks the quota of a record's owner inside the transaction, after the change was written (docs/requirements.md
 * R-REC-27). Only what grows is refused, so that an account beyond its quota can go on editing and deleting.
 * @throws 422 when the owner has too many records or too many bytes of images
 */
export function requireQuota(tx: Transaction, quota: Quota, { before, after, texts }: Asked): void {
  const growth = (after.proofBytes ?? 0) - (before?.proofBytes ?? 0);
  const recordsMax = before === null ? quota.records : null;
  const proofBytesMax = growth > 0 ? quota.proofBytes : null;
  if (recordsMax === null && proofBytesMax === null) return;
  const use = readQuotaUse(tx, after.userId);
  if (recordsMax !== null && use.records > recordsMax) {
    throw new AppError(422, texts.records(recordsMax));
  }
  if (proofBytesMax !== null && use.proofBytes > proofBytesMax) {
    throw invalid('payment_proof', texts.proofs(proofBytesMax));
  }
}
