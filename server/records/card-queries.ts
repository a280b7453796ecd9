import { sql } from 'drizzle-orm';
import { listOf } from '#server/db/many-rows.ts';
import type { ConnectionOrTransaction } from '#server/db/engine.ts';
import { taxRecords } from '#server/db/schema.ts';

/** Without the long texts of a record, which no card shows. */
const cardColumns = {
  id: taxRecords.id,
  userId: taxRecords.userId,
  name: taxRecords.name,
  address: taxRecords.address,
  propertyType: taxRecords.propertyType,
  sptNumber: taxRecords.sptNumber,
  year: taxRecords.year,
  amountSen: taxRecords.amountSen,
  amountSource: taxRecords.amountSource,
  status: taxRecords.status,
  dueDate: taxRecords.dueDate,
  paymentDate: taxRecords.paymentDate,
  proofFile: taxRecords.proofFile,
  reportedAt: taxRecords.reportedAt,
  checkResult: taxRecords.checkResult,
  checkedAt: taxRecords.checkedAt,
  checkedByName: taxRecords.checkedByName,
  checkReason: taxRecords.checkReason,
  changedSinceCheck: taxRecords.changedSinceCheck,
  statusBeforeCheck: taxRecords.statusBeforeCheck,
  paymentDateBeforeCheck: taxRecords.paymentDateBeforeCheck,
  beforeChange: taxRecords.beforeChange,
  checkState: taxRecords.checkState,
  updatedAt: taxRecords.updatedAt,
};
export type CardRow = Pick<typeof taxRecords.$inferSelect, keyof typeof cardColumns>;

/** Records by their ids; one query. Of records that are gone there is none. */
export async function readCardRows(
  orm: ConnectionOrTransaction,
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, CardRow>> {
  const rows = await orm
    .select(cardColumns)
    .from(taxRecords)
    // As one value: a long history may have more cards than a statement has parameters.
    .where(sql`${taxRecords.id} in ${listOf(ids)}`)
    .all();
  return new Map(rows.map((row) => [row.id, row]));
}
