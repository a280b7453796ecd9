import { and, count, eq, isNotNull, isNull, sum } from 'drizzle-orm';
import type { ConnectionOrTransaction, Transaction } from '#server/db/open.ts';
import { taxRecords } from '#server/db/schema.ts';

/** What an account has stored. Both are read from indexes alone. */
export function readQuotaUse(orm: ConnectionOrTransaction, userId: string): { records: number; proofBytes: number } {
  const counted = orm.select({ records: count() }).from(taxRecords).where(eq(taxRecords.userId, userId)).get();
  const summed = orm
    .select({ proofBytes: sum(taxRecords.proofBytes).mapWith(Number) })
    .from(taxRecords)
    .where(and(eq(taxRecords.userId, userId), isNotNull(taxRecords.proofBytes)))
    .get();
  return { records: counted?.records ?? 0, proofBytes: summed?.proofBytes ?? 0 };
}

export type UnmeasuredProof = { id: string; proofFile: string };

/** Images whose size is not known: version 1.0.0 did not store it. */
export function listUnmeasuredProofs(orm: ConnectionOrTransaction): UnmeasuredProof[] {
  return orm
    .select({ id: taxRecords.id, proofFile: taxRecords.proofFile })
    .from(taxRecords)
    .where(and(isNotNull(taxRecords.proofFile), isNull(taxRecords.proofBytes)))
    .all()
    .flatMap(({ id, proofFile }) => (proofFile === null ? [] : [{ id, proofFile }]));
}

export function storeProofBytes(tx: Transaction, { id, proofFile }: UnmeasuredProof, proofBytes: number): void {
  tx.update(taxRecords)
    .set({ proofBytes })
    .where(and(eq(taxRecords.id, id), eq(taxRecords.proofFile, proofFile)))
    .run();
}
