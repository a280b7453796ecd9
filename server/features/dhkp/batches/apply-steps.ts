import type { Transaction } from '#server/db/open.ts';
import { nextUpdatedAt } from '#server/http/row-version.ts';
import { type AssessmentRow, listAssessmentsById, updateAssessment } from '../assessment-queries.ts';
import {
  type BatchRowRow,
  type ChangeRow,
  type ObjectRow,
  insertAssessments,
  insertChanges,
  insertObjects,
  listObjects,
  listRowsAfter,
} from './apply-queries.ts';
import { type BatchRecord, findBatch, updateBatch } from './batch-queries.ts';
import { FILE_FIELDS, fileColumnsOf, PAYMENT_FIELDS, paymentColumnsOf, withPlaceKey } from './file-columns.ts';

/** One step of applying a batch: rows and what they were before are written together (R-DHKP-9). */

const BLOCK_DIGITS = [10, 13] as const;
type Batch = Pick<BatchRecord, 'id' | 'year' | 'kind' | 'isComplete'>;

/** Applies the next rows, and notes how far it is. @returns whether there may be more */
export async function applyNextRows(tx: Transaction, batchId: string, limit: number, nowMs: number): Promise<boolean> {
  const batch = await findBatch(tx, batchId);
  if (batch?.state !== 'applying' || batch.previewId === null) return false;
  const rows = await listRowsAfter(tx, batch.previewId, batch.doneRows, limit);
  const ofStatus = (status: BatchRowRow['status']) => rows.filter((row) => row.status === status);
  const changes = [
    ...(await addAssessments(tx, batch, ofStatus('new'), nowMs)),
    ...(await changeAssessments(tx, batch, ofStatus('changed'), nowMs)),
    ...(batch.isComplete ? await unlistAssessments(tx, batch, ofStatus('gone'), nowMs) : []),
  ];
  await insertChanges(tx, changes);
  const isDone = rows.length < limit;
  const doneRows = rows.at(-1)?.position ?? batch.doneRows;
  await updateBatch(tx, batchId, { doneRows, ...(isDone ? { state: 'applied', appliedAt: nowMs } : {}) });
  return !isDone;
}

/** New rows get the area and the collector that are remembered for their objects. */
async function addAssessments(
  tx: Transaction,
  batch: Batch,
  rows: readonly BatchRowRow[],
  nowMs: number,
): Promise<ChangeRow[]> {
  const named = rows.flatMap((row) => (row.nop === null ? [] : [{ nop: row.nop, data: row.data }]));
  const known = new Map(
    (
      await listObjects(
        tx,
        named.map(({ nop }) => nop),
      )
    ).map((object) => [object.nop, object]),
  );
  const added = named.filter(({ nop }) => !known.has(nop));
  await insertObjects(
    tx,
    added.map(({ nop }) => newObject(nop, nowMs)),
  );
  const assessments = named.map(({ nop, data }): AssessmentRow => {
    const object = known.get(nop);
    const isPaid = data.values.paid_flag === true;
    return withPlaceKey({
      ...EMPTY,
      ...fileColumnsOf(data.values, FILE_FIELDS),
      ...(isPaid ? paymentColumnsOf(data.values, PAYMENT_FIELDS) : {}),
      paidBatchId: isPaid ? batch.id : null,
      id: requireId(data.assessmentId),
      nop,
      year: batch.year,
      block: nop.slice(...BLOCK_DIGITS),
      amountSen: Number(data.values.amount),
      isListed: true,
      areaId: object?.areaId ?? null,
      collectorId: object?.collectorId ?? null,
      createdAt: nowMs,
      updatedAt: nowMs,
    });
  });
  await insertAssessments(tx, assessments);
  return assessments.map(({ id, nop }) => ({
    batchId: batch.id,
    assessmentId: id,
    before: null,
    hasAddedObject: !known.has(nop),
    updatedAt: nowMs,
  }));
}

/** Changes what differs, and nothing that the office decided. */
async function changeAssessments(
  tx: Transaction,
  batch: Batch,
  rows: readonly BatchRowRow[],
  nowMs: number,
): Promise<ChangeRow[]> {
  return changeEach(tx, batch, rows, nowMs, (before, { data: { values, differences } }) => {
    const isPaid = [...PAYMENT_FIELDS, 'paid_flag'].some((field) => differences.includes(field));
    return withPlaceKey({
      ...before,
      ...fileColumnsOf(values, differences),
      ...paymentColumnsOf(values, differences),
      ...(isPaid ? { paidBatchId: batch.id } : {}),
      ...(batch.kind === 'list' ? { isListed: true } : {}),
    });
  });
}

const unlistAssessments = (tx: Transaction, batch: Batch, rows: readonly BatchRowRow[], nowMs: number) =>
  changeEach(tx, batch, rows, nowMs, (before) => ({ ...before, isListed: false }));

async function changeEach(
  tx: Transaction,
  batch: Batch,
  rows: readonly BatchRowRow[],
  nowMs: number,
  change: (before: AssessmentRow, row: BatchRowRow) => AssessmentRow,
): Promise<ChangeRow[]> {
  const stored = await listAssessmentsById(
    tx,
    rows.flatMap(({ data }) => data.assessmentId ?? []),
  );
  const byId = new Map(stored.map((row) => [row.id, row]));
  const changes: ChangeRow[] = [];
  for (const row of rows) {
    const before = byId.get(requireId(row.data.assessmentId));
    if (!before) throw new Error('a row of the preview has no assessment');
    const after = { ...change(before, row), updatedAt: nextUpdatedAt(before, nowMs) };
    await updateAssessment(tx, after);
    changes.push({
      batchId: batch.id,
      assessmentId: before.id,
      before,
      hasAddedObject: false,
      updatedAt: after.updatedAt,
    });
  }
  return changes;
}

const newObject = (nop: string, nowMs: number): ObjectRow => ({
  nop,
  areaId: null,
  collectorId: null,
  userId: null,
  linkedAt: null,
  createdAt: nowMs,
  updatedAt: nowMs,
});

/** The office has decided nothing yet. */
const EMPTY = {
  name: null,
  payerAddress: null,
  objectAddress: null,
  landM2: null,
  buildingM2: null,
  njopSen: null,
  dueDate: null,
  oldNumber: null,
  fileBook: null,
  dusun: null,
  rt: null,
  rw: null,
  fileCollector: null,
  paidOn: null,
  paidAmountSen: null,
  paidFineSen: null,
  paidPlace: null,
  condition: 'ok',
  note: null,
  handedOutOn: null,
  handedOutTo: null,
} as const satisfies Partial<AssessmentRow>;

function requireId(id: string | null): string {
  if (id === null) throw new Error('a row of the preview has no id');
  return id;
}
