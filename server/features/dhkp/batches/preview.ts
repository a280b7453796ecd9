import type { BatchKind } from '#shared/domain/dhkp/list-states.ts';
import type { ListField } from '#shared/domain/dhkp/list-fields.ts';
import { formatNumber, rupiahToSen } from '#shared/domain/money/rupiah.ts';
import type { StoredBatchCounts, StoredFindings } from '#server/db/dhkp-columns.ts';
import type { Transaction } from '#server/db/engine.ts';
import { changeInSteps, createRowSteps } from '#server/db/row-steps.ts';
import type { ServiceContext } from '#server/service-context.ts';
import type { ListNote, ListRead, ListRow, ListTotal } from '../reading/list-reading.ts';
import { readDhkpSettings } from '../settings/settings-queries.ts';
import type { AssessmentRow } from '../assessment-queries.ts';
import { type BatchRowRow, listAssessmentsOfNops } from './apply-queries.ts';
import * as queries from './batch-queries.ts';
import { compareRow, type ComparedRow, type Comparison, hasPaymentColumn } from './compare-row.ts';
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

/** Puts the totals of a list between its rows, in the order of the file. */
function createTotalsBetween({ totals }: Pick<ListRead, 'totals'>) {
  const waiting = Map.groupBy(totals, ({ sheet }) => sheet);
  let sheet: string | null = null;
  function takeBefore(name: string, row: number): Entry[] {
    const ofSheet = waiting.get(name) ?? [];
    const end = ofSheet.findIndex((total) => total.row >= row);
    const taken = ofSheet.splice(0, end < 0 ? ofSheet.length : end);
    return taken.map((total) => ({ kind: 'total', total }));
  }
  return {
    withRows: (rows: readonly ListRow[]): Entry[] =>
      rows.flatMap((row) => {
        const ofLastSheet = sheet === null || sheet === row.sheet ? [] : takeBefore(sheet, Infinity);
        sheet = row.sheet;
        return [...ofLastSheet, ...takeBefore(row.sheet, row.row), { kind: 'row', row }];
      }),
    rest: (): Entry[] => [...waiting.keys()].flatMap((name) => takeBefore(name, Infinity)),
  };
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

/** The name of the rows of a batch, while it is read only for its reader: they are not complete. */
export const completePreviewOf = ({ state, previewId }: queries.BatchRecord): string | null =>
  state === 'reading' ? null : previewId;

export type PreviewEnd = 'stored' | 'stopped' | 'outdated';
/** A batch that is being read, which names the rows of this reading. */
export type BatchToRead = queries.BatchRecord & { previewId: string };

/** Compares what was read with the list of the year, and stores the rows in steps. */
export function createPreviews({ orm, write }: Pick<ServiceContext, 'orm' | 'write'>) {
  /** A file in which every row has a payment, of objects that are all listed, says only what was paid. */
  async function proposeKind({ paidNops }: ListRead, year: number): Promise<BatchKind> {
    if (paidNops === null) return 'list';
    for (let from = 0; from < paidNops.length; from += NOPS_PER_QUERY) {
      const part = paidNops.slice(from, from + NOPS_PER_QUERY);
      if ((await countListedOf(orm, year, part)) < part.length) return 'list';
    }
    return 'payments';
  }

  /**
   * Removes the rows of a preview. Those that it leaves are removed by the next start, once no batch names them.
   * @param isUnused asked in each step, where a batch still names them
   */
  async function discard(
    previewId: string,
    mayContinue: () => boolean = () => true,
    isUnused: (tx: Transaction) => Promise<boolean> = async () => true,
  ): Promise<void> {
    const remove = async (tx: Transaction, limit: number): Promise<boolean> =>
      (await isUnused(tx)) && queries.deleteBatchRows(tx, previewId, limit);
    await changeInSteps(write, remove, { mayContinue, rests: true });
  }

  /** Begins a preview. Its rows are added in the order of the file, each part after the one before it. */
  async function begin(
    { id, year, choices, previewId }: Pick<BatchToRead, 'id' | 'year' | 'choices' | 'previewId'>,
    list: ListRead,
    mayContinue: () => boolean,
  ) {
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
    const totals = createTotalsBetween(list);
    let position = 0;
    let paidBefore = 0;
    let isStopped = false;

    const changeRows = createRowSteps(write, { mayContinue: () => mayContinue() && !isStopped, rests: true });

    /** Runs steps while the batch is being read, and no other process has begun to read it anew. */
    async function inSteps(change: (tx: Transaction, limit: number) => Promise<boolean>): Promise<void> {
      const isDone = await changeRows(async (tx, limit) => {
        if (isStopped || !(await queries.isReadInto(tx, id, previewId))) isStopped = true;
        return !isStopped && (await change(tx, limit));
      });
      if (!isDone) isStopped = true;
    }

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

    async function storeEntries(tx: Transaction, entries: readonly Entry[]): Promise<void> {
      const nops = entries.flatMap((entry) => (entry.kind === 'row' ? (entry.row.nop ?? []) : []));
      const existing = new Map((await listAssessmentsOfNops(tx, year, nops)).map((row) => [row.nop, row]));
      const rows = entries.map((entry) => {
        if (entry.kind === 'total') return nextRow(totalRow(entry.total));
        const found = entry.row.nop === null ? undefined : existing.get(entry.row.nop);
        const compared = compareRow(entry.row, found, comparison);
        if (found && found.paidBatchId !== null) paidBefore += 1;
        return nextRow({ ...compared, hasWarning: count(compared) });
      });
      await queries.insertBatchRows(tx, rows);
    }

    async function addEntries(entries: readonly Entry[]): Promise<void> {
      let next = 0;
      if (entries.length === 0) return;
      await inSteps(async (tx, limit) => {
        await storeEntries(tx, entries.slice(next, next + limit));
        next += limit;
        return next < entries.length;
      });
    }

    let lastNop = '';
    /** The listed objects that the file lacks. */
    async function storeGone(tx: Transaction, limit: number): Promise<boolean> {
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

    function resultColumns() {
      const known = counts.changed + counts.same;
      const isWhole = listedBefore > 0 && known >= COMPLETE_SHARE * listedBefore && villages.size === 1;
      const notes = hasPaymentColumn(comparison.fields) || kind === 'payments' ? [] : missingPayments(paidBefore);
      return {
        state: 'ready' as const,
        kind,
        isComplete: kind === 'list' && (choices.complete ?? isWhole),
        findings: findingsOf(list, notes),
        counts,
        computed: computed.sums(),
        listVersion: version,
        doneRows: 0,
        totalRows: position,
      };
    }

    return {
      add: (rows: readonly ListRow[]): Promise<void> => addEntries(totals.withRows(rows)),

      /** @returns 'outdated' when another import was applied meanwhile, or rows are gone: then all of it begins anew */
      async end(): Promise<PreviewEnd> {
        await addEntries(totals.rest());
        await inSteps(storeGone);
        return write(async (tx): Promise<PreviewEnd> => {
          if (isStopped || !(await queries.isReadInto(tx, id, previewId))) return 'stopped';
          if ((await queries.readListVersion(tx, year)) !== version) return 'outdated';
          // A database that lost its last moments may lack some.
          if ((await queries.countBatchRows(tx, previewId)) !== position) return 'outdated';
          await queries.updateBatch(tx, id, resultColumns());
          return 'stored';
        });
      },
    };
  }

  return {
    begin,
    discard,
    /** The rows that a crash left behind: no batch names them. */
    listLeft: (): Promise<string[]> => queries.listLeftPreviews(orm),
  };
}
export type Previews = ReturnType<typeof createPreviews>;
export type Preview = Awaited<ReturnType<Previews['begin']>>;

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
