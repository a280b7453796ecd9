import type { Transaction } from '#server/db/engine.ts';
import { nextUpdatedAt } from '#server/http/row-version.ts';
import type { LinkedRecords, PublishedRecord } from '#server/records/linked-records.ts';
import { type AssessmentRow, listAssessmentsById, updateAssessments } from '../assessment-queries.ts';
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
import { joinRecords, type WrittenRow } from './apply-records.ts';
import { type BatchRecord, findBatch, updateBatch } from './batch-queries.ts';
import { FILE_FIELDS, fileColumnsOf, PAYMENT_FIELDS, paymentColumnsOf, withPlaceKey } from './file-columns.ts';

/** One step of applying a batch: rows and what they were before are written together (R-DHKP-9). */

const BLOCK_DIGITS = [10, 13] as const;
type ChangedRow = WrittenRow & { change: ChangeRow };
type Batch = Pick<BatchRecord, 'id' | 'year' | 'kind' | 'isComplete'>;

export type Step = {
  batchId: string;
  limit: number;
  nowMs: number;
  linkedRecords: LinkedRecords;
  /** Called with the records that the step changed; they are published after the commit. */
  changedRecords: (records: readonly PublishedRecord[]) => void;
};

/** Applies the next rows, and notes how far it is. @returns whether there may be more */
export async function applyNextRows(
  tx: Transaction,
  { batchId, limit, nowMs, linkedRecords, changedRecords }: Step,
): Promise<boolean> {
  const batch = await findBatch(tx, batchId);
  if (batch?.state !== 'applying' || batch.previewId === null) return false;
  const rows = await listRowsAfter(tx, batch.previewId, batch.doneRows, limit);
  const ofStatus = (status: BatchRowRow['status']) => rows.filter((row) => row.status === status);
  const added = await addAssessments(tx, batch, ofStatus('new'), nowMs);
  const changed = await changeAssessments(tx, batch, ofStatus('changed'), nowMs);
  const gone = batch.isComplete ? await unlistAssessments(tx, batch, ofStatus('gone'), nowMs) : [];
  const changes = [...added, ...changed, ...gone].map(({ change }) => change);
  const written = batch.kind === 'list' ? [...added, ...changed] : [];
  const joined = await joinRecords(tx, batch, written, changes, linkedRecords);
  await insertChanges(tx, joined.changes);
  changedRecords(joined.records);
  await updateBatch(tx, batchId, { doneRows: rows.at(-1)?.position ?? batch.doneRows });
  return rows.length === limit;
}

/** New rows get the area and the collector that are remembered for their objects. */
async function addAssessments(
  tx: Transaction,
  batch: Batch,
  rows: readonly BatchRowRow[],
  nowMs: number,
): Promise<ChangedRow[]> {
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
      // A link is never newer than a row that came after it, whatever the clock says.
      updatedAt: Math.max(nowMs, object?.linkedAt ?? 0),
    });
  });
  await insertAssessments(tx, assessments);
  return assessments.map((row) => ({
    row,
    isNew: true,
    change: changeOf(batch, row, { before: null, hasAddedObject: !known.has(row.nop) }),
  }));
}

/** Changes what differs, and nothing that the office decided. */
async function changeAssessments(
  tx: Transaction,
  batch: Batch,
  rows: readonly BatchRowRow[],
  nowMs: number,
): Promise<ChangedRow[]> {
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
): Promise<ChangedRow[]> {
  const stored = await listAssessmentsById(
    tx,
    rows.flatMap(({ data }) => data.assessmentId ?? []),
  );
  const byId = new Map(stored.map((row) => [row.id, row]));
  const changed: ChangedRow[] = [];
  for (const row of rows) {
    const before = byId.get(requireId(row.data.assessmentId));
    if (!before) throw new Error('a row of the preview has no assessment');
    const after = { ...change(before, row), updatedAt: nextUpdatedAt(before, nowMs) };
    changed.push({
      row: after,
      isNew: !before.isListed,
      change: changeOf(batch, after, { before, hasAddedObject: false }),
    });
  }
  await updateAssessments(
    tx,
    changed.map(({ row }) => row),
  );
  return changed;
}

function changeOf(
  batch: Batch,
  { id, updatedAt }: AssessmentRow,
  was: Pick<ChangeRow, 'before' | 'hasAddedObject'>,
): ChangeRow {
  const noRecord = { recordId: null, recordUpdatedAt: null, recordBefore: null };
  return { batchId: batch.id, assessmentId: id, ...was, updatedAt, ...noRecord };
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
