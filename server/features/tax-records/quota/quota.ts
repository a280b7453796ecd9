import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { QuotaUse } from '#shared/api/tax-records/tax-records.ts';
import { listUnmeasuredProofs, storeProofBytes, readQuotaUse } from './quota-queries.ts';
import type { QuotaTexts } from '#shared/texts.ts';
import type { Transaction } from '#server/db/engine.ts';
import { AppError, invalid } from '#server/http/errors.ts';
import type { ServiceContext } from '#server/service-context.ts';
import type { Quota } from '#server/settings.ts';
import type { RecordRow } from '../queries.ts';

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
export async function requireQuota(tx: Transaction, quota: Quota, { before, after, texts }: Asked): Promise<void> {
  const growth = (after.proofBytes ?? 0) - (before?.proofBytes ?? 0);
  const recordsMax = before === null ? quota.records : null;
  const proofBytesMax = growth > 0 ? quota.proofBytes : null;
  if (recordsMax === null && proofBytesMax === null) return;
  const use = await readQuotaUse(tx, after.userId);
  if (recordsMax !== null && use.records > recordsMax) {
    throw new AppError(422, texts.records(recordsMax));
  }
  if (proofBytesMax !== null && use.proofBytes > proofBytesMax) {
    throw invalid('payment_proof', texts.proofs(proofBytesMax));
  }
}

const PROOFS_PER_TRANSACTION = 100;

/** Stores the size of each image that has none yet: after the update from version 1.0.0, and after restoring its backup. */
export async function measureProofs({ orm, write, proofsDir }: ServiceContext): Promise<void> {
  const proofs = await listUnmeasuredProofs(orm);
  for (let from = 0; from < proofs.length; from += PROOFS_PER_TRANSACTION) {
    const slice = proofs.slice(from, from + PROOFS_PER_TRANSACTION);
    const measured = await Promise.all(
      slice.map(async (proof) => {
        // A missing image takes no room.
        const file = await stat(join(proofsDir, proof.proofFile)).catch(() => null);
        return { proof, bytes: file?.size ?? 0 };
      }),
    );
    await write(async (tx) => {
      for (const { proof, bytes } of measured) await storeProofBytes(tx, proof, bytes);
    });
  }
}

/** The quota of an account and its use, so that a form can say both before an upload (R-REC-28). */
export async function quotaUseOf(
  { orm, quota }: Pick<ServiceContext, 'orm' | 'quota'>,
  userId: string,
): Promise<QuotaUse> {
  const { records, proofBytes } = await readQuotaUse(orm, userId);
  return { records, records_max: quota.records, proof_bytes: proofBytes, proof_bytes_max: quota.proofBytes };
}
