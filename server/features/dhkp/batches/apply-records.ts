import type { Actor } from '#server/audit/audit-log.ts';
import type { Transaction } from '#server/db/engine.ts';
import { readDueDates, toLinkedAssessment } from '#server/records/linked-assessment-queries.ts';
import { type LinkedRecords, type PublishedRecord, publishedOf } from '#server/records/linked-records.ts';
import type { AssessmentRow } from '../assessment-queries.ts';
import { type ChangeRow, listObjects } from './apply-queries.ts';
import type { BatchRecord } from './batch-queries.ts';

/** The records of linked objects in the steps of an import: made or joined with the rows, and taken back with them (R-DHKP-36). */

/** A row that a step wrote. `isNew`: it was not listed before, so a record is made where there is none. */
export type WrittenRow = { row: AssessmentRow; isNew: boolean };

export const actorOf = ({ actorId, actorName, byId, byName }: BatchRecord): Actor => ({
  id: actorId ?? byId,
  name: actorName ?? byName,
  isAdmin: true,
});

/** @returns the changes with the records that belong to them, and what to publish after the commit */
export async function joinRecords(
  tx: Transaction,
  batch: BatchRecord,
  written: readonly WrittenRow[],
  changes: readonly ChangeRow[],
  linkedRecords: LinkedRecords,
): Promise<{ changes: ChangeRow[]; records: PublishedRecord[] }> {
  const owners = new Map(
    (
      await listObjects(
        tx,
        written.map(({ row }) => row.nop),
      )
    ).flatMap(({ nop, userId }) => (userId === null ? [] : [[nop, userId] as const])),
  );
  if (owners.size === 0) return { changes: [...changes], records: [] };
  const dueDates = await readDueDates(tx);
  const assessments = written.flatMap(({ row }) => {
    const userId = owners.get(row.nop);
    return userId === undefined || !row.isListed ? [] : [toLinkedAssessment(row, userId, dueDates)];
  });
  const newIds = new Set(written.filter(({ isNew }) => isNew).map(({ row }) => row.id));
  const joins = await linkedRecords.join(tx, actorOf(batch), assessments, {
    makes: ({ id }) => newIds.has(id),
    // One full account must not stop the list of a village.
    beyondQuota: 'leave out',
  });
  const byAssessment = new Map(joins.map((join) => [join.assessmentId, join]));
  return {
    changes: changes.map((change) => {
      const join = byAssessment.get(change.assessmentId);
      if (!join) return change;
      const { before, after } = join;
      return { ...change, recordId: after.id, recordUpdatedAt: after.updatedAt, recordBefore: before };
    }),
    records: joins.map(publishedOf),
  };
}

/** Takes back the records of changes that are being taken back. */
export function undoRecords(
  tx: Transaction,
  batch: BatchRecord,
  changes: readonly ChangeRow[],
  linkedRecords: LinkedRecords,
): Promise<PublishedRecord[]> {
  const joins = changes.flatMap(({ recordId, recordUpdatedAt, recordBefore }) =>
    recordId === null || recordUpdatedAt === null
      ? []
      : [{ recordId, updatedAt: recordUpdatedAt, before: recordBefore }],
  );
  return linkedRecords.undo(tx, actorOf(batch), joins);
}
