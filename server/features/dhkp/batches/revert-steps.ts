import type { Transaction } from '#server/db/engine.ts';
import { listAssessmentsById, updateAssessments } from '../assessment-queries.ts';
import { deleteAssessments, deleteChanges, deleteUnusedObjects, listChanges } from './apply-queries.ts';
import { undoRecords } from './apply-records.ts';
import type { Step } from './apply-steps.ts';
import { findBatch, updateBatch } from './batch-queries.ts';

/** Puts the next rows of a batch back as they were. @returns whether there may be more */
export async function revertNextRows(
  tx: Transaction,
  { batchId, limit, linkedRecords, changedRecords }: Step,
): Promise<boolean> {
  const batch = await findBatch(tx, batchId);
  if (batch?.state !== 'reverting') return false;
  const changes = await listChanges(tx, batchId, limit);
  changedRecords(await undoRecords(tx, batch, changes, linkedRecords));
  await updateAssessments(
    tx,
    changes.flatMap(({ before }) => before ?? []),
  );
  const added = changes.filter(({ before }) => before === null);
  const addedIds = added.map(({ assessmentId }) => assessmentId);
  const addedObjects = new Set(added.filter((change) => change.hasAddedObject).map((change) => change.assessmentId));
  const nops = (await listAssessmentsById(tx, addedIds)).filter(({ id }) => addedObjects.has(id)).map(({ nop }) => nop);
  await deleteAssessments(tx, addedIds);
  await deleteUnusedObjects(tx, nops);
  await deleteChanges(
    tx,
    batchId,
    changes.map(({ assessmentId }) => assessmentId),
  );
  await updateBatch(tx, batchId, { doneRows: Math.min(batch.totalRows, batch.doneRows + changes.length) });
  return changes.length === limit;
}
