import { v7 as newId } from 'uuid';
import type { BatchKind } from '#shared/domain/dhkp/list-states.ts';
import type { ListField } from '#shared/domain/dhkp/list-fields.ts';
import { formatNumber, rupiahToSen } from '#shared/domain/money/rupiah.ts';
import type { StoredBatchCounts, StoredChoices, StoredFindings } from '#server/db/dhkp-columns.ts';
import type { Transaction } from '#server/db/open.ts';
import { changeInSteps } from '#server/db/row-steps.ts';
import type { ServiceContext } from '#server/service-context.ts';
import type { ListNote, ListRead, ListRow, ListTotal } from '../reading/list-reading.ts';
import { readDhkpSettings } from '../settings/settings-queries.ts';
import type { AssessmentRow } from '../assessment-queries.ts';
import { type BatchRowRow, listAssessmentsOfNops } from './apply-queries.ts';
import * as queries from './batch-queries.ts';
import { compareRow, type ComparedRow, type Comparison, hasPayment, hasPaymentColumn } from './compare-row.ts';
import { createComputedSums } from './control.ts';
import { cellsOfAssessment } from './file-columns.ts';
import { countListed, countListedOf, listListedAfter } from './preview-queries.ts';

/** A newer file says that all others are gone only when it has so much of the year's list. */
const COMPLETE_SHARE = 0.8;
/** The first digits of a NOP name the village. */
const VILLAGE_DIGITS = 10;
const NOPS_PER_QUERY = 500;

export const noCounts = (): StoredBatchCounts => ({
  new: 0,
  changed: 0,
  same: 0,
  gone: 0,
  problem: 0,
  warning: 0,
  other_village: 0,
});

type Entry = { kind: 'row'; row: ListRow } | { kind: 'total'; total: ListTotal };

/** The rows of the file with its totals between them, in the order of the file. */
function* entriesOf({ rows, totals }: ListRead): Generator<Entry> {
  const waiting = Map.groupBy(totals, ({ sheet }) => sheet);
  let sheet: string | null = null;
  function* totalsBefore(name: string, row: number): Generator<Entry> {
    const ofSheet = waiting.get(name) ?? [];
    for (let [total] = ofSheet; total && total.row < row; [total] = ofSheet) {
      ofSheet.shift();
      yield { kind: 'total', total };
    }
  }
  for (const row of rows) {
    if (sheet !== null && sheet !== row.sheet) yield* totalsBefore(sheet, Infinity);
    sheet = row.sheet;
    yield* totalsBefore(row.sheet, row.row);
    yield { kind: 'row', row };
  }
  for (const name of waiting.keys()) yield* totalsBefore(name, Infinity);
}

export function findingsOf(list: ListRead, warnings: readonly ListNote[] = []): StoredFindings {
  const { sheets, columns, headers, headerRow, unknownHeaders, samples, prefix, multiplier } = list;
  return {
    sheets,
    columns,
    headers,
    headerRow,
    unknownHeaders,
    samples,
    prefix,
    multiplier,
    totals: list.totals.map(({ label, sheet, row, objects, amount_sen: amountSen }) => ({
      label,
      sheet,
      row,
      objects,
      amountSen,
    })),
    warnings: [...list.warnings, ...warnings],
  };
}

/** Compares what was read with the list of the year, and stores the rows in steps. */
export function createPreviews({ orm, write }: Pick<ServiceContext, 'orm' | 'write'>) {
  /** A file in which every row has a payment, of objects that are all listed, says only what was paid. */
  async function proposeKind(list: ListRead, year: number): Promise<BatchKind> {
    const rows = list.rows.filter(({ problems, isOtherVillage }) => problems.length === 0 && !isOtherVillage);
    if (rows.length === 0 || !rows.every(hasPayment)) return 'list';
    const nops = [...new Set(rows.flatMap(({ nop }) => nop ?? []))];
    for (let from = 0; from < nops.length; from += NOPS_PER_QUERY) {
      const part = nops.slice(from, from + NOPS_PER_QUERY);
      if ((await countListedOf(orm, year, part)) < part.length) return 'list';
    }
    return 'payments';
  }

  /** Stores one preview. @returns false when the batch was discarded, or may not go on */
  async function storeOnce(
    batch: Pick<queries.BatchRecord, 'id' | 'year'>,
    list: ListRead,
    choices: StoredChoices,
    mayContinue: () => boolean,
  ): Promise<'stored' | 'stopped' | 'outdated'> {
    const { id, year } = batch;
    const version = await queries.readListVersion(orm, year);
    const listedBefore = await countListed(orm, year);
    const kind = choices.kind ?? (await proposeKind(list, year));
    const comparison: Comparison = {
      kind,
      year,
      fields: new Set(Object.keys(list.columns) as ListField[]),
      includesOtherVillage: choices.includeOtherVillage ?? false,
    };
    const { book_limits: limits } = await readDhkpSettings(orm);
    const computed = createComputedSums(limits.map(rupiahToSen));
    const counts = noCounts();
    const villages = new Set<string>();
    const previewId = newId();
    const entries = entriesOf(list);
    let position = 0;
    let paidBefore = 0;
    let isStopped = false;

    const isReading = async (tx: Transaction): Promise<boolean> => {
      isStopped = (await queries.findBatch(tx, id))?.state !== 'reading';
      return !isStopped;
    };
    const nextRow = (row: Omit<BatchRowRow, 'previewId' | 'position'>): BatchRowRow => {
      position += 1;
      return { previewId, position, ...row };
    };

    function count({ status, nop, data }: ComparedRow): boolean {
      const hasWarning = data.warnings.length > 0 && status !== 'problem' && status !== 'other_village';
      if (hasWarning) counts.warning += 1;
      counts[status] += 1;
      if (status === 'new' || status === 'changed' || status === 'same') {
        computed.add(data.sheet, Number(data.values.amount));
        villages.add((nop ?? '').slice(0, VILLAGE_DIGITS));
      }
      return hasWarning;
    }

    /** The rows of the file, up to a limit. */
    async function storeEntries(tx: Transaction, limit: number): Promise<boolean> {
      if (!(await isReading(tx))) return false;
      const part = [...takeNext(entries, limit)];
      const nops = part.flatMap((entry) => (entry.kind === 'row' ? (entry.row.nop ?? []) : []));
      const existing = new Map((await listAssessmentsOfNops(tx, year, nops)).map((row) => [row.nop, row]));
      const rows = part.map((entry) => {
        if (entry.kind === 'total') return nextRow(totalRow(entry.total));
        const found = entry.row.nop === null ? undefined : existing.get(entry.row.nop);
        const compared = compareRow(entry.row, found, comparison);
        if (found && found.paidBatchId !== null) paidBefore += 1;
        return nextRow({ ...compared, hasWarning: count(compared) });
      });
      await queries.insertBatchRows(tx, rows);
      return part.length === limit;
    }

    let lastNop = '';
    /** The listed objects that the file lacks. */
    async function storeGone(tx: Transaction, limit: number): Promise<boolean> {
      if (!(await isReading(tx))) return false;
      const listed = await listListedAfter(tx, year, lastNop, limit);
      const inFile = await queries.listNopsInPreview(
        tx,
        previewId,
        listed.map(({ nop }) => nop),
      );
      const gone = listed.filter(({ nop }) => !inFile.has(nop));
      await queries.insertBatchRows(tx, gone.map(goneRow).map(nextRow));
      counts.gone += gone.length;
      lastNop = listed.at(-1)?.nop ?? lastNop;
      return listed.length === limit;
    }

    const options = { mayContinue: () => mayContinue() && !isStopped, rests: true };
    for (const store of [storeEntries, storeGone]) {
      if (!(await changeInSteps(write, store, options)) || isStopped) {
        // A server that closes leaves the rows to the next start.
        if (!(await queries.findBatch(orm, id))) await discard(previewId);
        return 'stopped';
      }
    }
    const known = counts.changed + counts.same;
    const isWhole = listedBefore > 0 && known >= COMPLETE_SHARE * listedBefore && villages.size === 1;
    const notes = hasPaymentColumn(comparison.fields) || kind === 'payments' ? [] : missingPayments(paidBefore);
    const columns = {
      state: 'ready' as const,
      kind,
      isComplete: kind === 'list' && (choices.complete ?? isWhole),
      findings: findingsOf(list, notes),
      counts,
      computed: computed.sums(),
      previewId,
      listVersion: version,
      doneRows: 0,
      totalRows: position,
    };
    const result = await write(async (tx) => {
      if (!(await isReading(tx))) return 'stopped';
      if ((await queries.readListVersion(tx, year)) !== version) return 'outdated';
      await queries.updateBatch(tx, id, columns);
      return 'stored';
    });
    if (result !== 'stored') await discard(previewId);
    return result;
  }

  /** Removes the rows of a preview that no batch has any more. */
  async function discard(previewId: string, mayContinue: () => boolean = () => true): Promise<void> {
    const remove = (tx: Transaction, limit: number) => queries.deleteBatchRows(tx, previewId, limit);
    await changeInSteps(write, remove, { mayContinue, rests: true });
  }

  return {
    discard,

    /** The rows that a crash left behind; asked before a batch is read. */
    listLeft: (): Promise<string[]> => queries.listLeftPreviews(orm),

    /** @returns false when the batch was discarded meanwhile, or the server closes */
    async store(
      batch: Pick<queries.BatchRecord, 'id' | 'year'>,
      list: ListRead,
      choices: StoredChoices,
      mayContinue: () => boolean,
    ): Promise<boolean> {
      for (;;) {
        const result = await storeOnce(batch, list, choices, mayContinue);
        // Another import was applied meanwhile: the comparison begins anew.
        if (result !== 'outdated') return result === 'stored';
      }
    },
  };
}
export type Previews = ReturnType<typeof createPreviews>;

function* takeNext<T>(items: Iterator<T>, limit: number): Generator<T> {
  for (let taken = 0; taken < limit; taken += 1) {
    const { done, value } = items.next();
    if (done) return;
    yield value;
  }
}

function missingPayments(objects: number): ListNote[] {
  if (objects === 0) return [];
  const message = `${formatNumber(objects)} objek sudah dibayar menurut berkas lama; berkas ini tidak punya kolom pembayaran, dan catatan itu tetap disimpan.`;
  return [{ code: 'payments_missing', sheet: '', row: null, message }];
}

function totalRow({ sheet, row, label, amount_sen: amount }: ListTotal) {
  const values = { name: label, amount };
  const data = { sheet, row, assessmentId: null, values, before: null, differences: [], problems: [], warnings: [] };
  return { status: 'total' as const, hasWarning: false, nop: null, data };
}

function goneRow(assessment: AssessmentRow) {
  const data = {
    sheet: '',
    row: null,
    assessmentId: assessment.id,
    values: cellsOfAssessment(assessment),
    before: null,
    differences: [],
    problems: [],
    warnings: [],
  };
  return { status: 'gone' as const, hasWarning: false, nop: assessment.nop, data };
}
