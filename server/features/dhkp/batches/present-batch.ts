import type { Batch, BatchRow, BatchRowValues } from '#shared/api/dhkp/batches.ts';
import { senToRupiah } from '#shared/domain/money/rupiah.ts';
import type { StoredCells, StoredChoices, StoredComputed } from '#server/db/dhkp-columns.ts';
import { senSumToRupiah } from '#server/db/sen-sums.ts';
import { presentIds } from '#server/http/answers/present.ts';
import type { BatchRowRow } from './apply-queries.ts';
import { controlOf } from './applying.ts';
import type { BatchRecord } from './batch-queries.ts';
import { MONEY_FIELDS } from './file-columns.ts';
import { completePreviewOf, noCounts } from './preview.ts';
import { wireState } from './progress.ts';

const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());
const rupiahOf = (sen: number | null): number | null => (sen === null ? null : senToRupiah(sen));

export function presentBatch(batch: BatchRecord): Batch {
  const { findings, choices } = batch;
  return {
    ...presentIds(batch.id),
    year: batch.year,
    kind: batch.kind,
    file_name: batch.fileName,
    bytes: batch.bytes,
    sha256: batch.sha256,
    state: wireState(batch.state),
    message: batch.message,
    has_file: batch.file !== null,
    sheets: findings?.sheets ?? [],
    columns: findings?.columns ?? {},
    headers: findings?.headers ?? [],
    header_row: findings?.headerRow ?? null,
    unknown_headers: findings?.unknownHeaders ?? [],
    samples: findings?.samples ?? [],
    prefix: findings?.prefix ?? choices.prefix ?? null,
    multiplier: findings?.multiplier ?? choices.multiplier ?? null,
    use_changed: choices.useChanged ?? false,
    include_other_village: choices.includeOtherVillage ?? false,
    complete: batch.isComplete,
    counts: batch.counts ?? noCounts(),
    control: presentControl(batch),
    warnings: findings?.warnings ?? [],
    preview_id: completePreviewOf(batch),
    progress: { done: Math.max(0, batch.doneRows), total: batch.totalRows },
    by_name: batch.byName,
    control_reason: batch.controlReason,
    revert_reason: batch.revertReason,
    created_at: new Date(batch.createdAt).toISOString(),
    applied_at: iso(batch.appliedAt),
    reverted_at: iso(batch.revertedAt),
  };
}

function presentControl(batch: BatchRecord): Batch['control'] {
  const { findings, choices, computed } = batch;
  return {
    file: (findings?.totals ?? []).map(({ label, sheet, row, objects, amountSen }) => ({
      label,
      sheet,
      row,
      objects,
      amount: rupiahOf(amountSen),
    })),
    typed: presentTyped(choices.control),
    computed: presentComputed(computed),
    equal: controlOf(batch).isEqual,
  };
}

function presentTyped(typed: StoredChoices['control']): Batch['control']['typed'] {
  if (!typed) return null;
  const { objects, amountSen, books } = typed;
  return {
    objects,
    amount: rupiahOf(amountSen),
    books: books.map((one) => ({ book: one.book, objects: one.objects, amount: rupiahOf(one.amountSen) })),
  };
}

function presentComputed(computed: StoredComputed | null): Batch['control']['computed'] {
  if (!computed) return { objects: 0, amount: 0, books: [] };
  const amountOf = ({ sen }: { sen: string }): number => senSumToRupiah(BigInt(sen));
  const books = computed.books.map((sum) => ({ book: sum.book, objects: sum.objects, amount: amountOf(sum) }));
  return { objects: computed.objects, amount: amountOf(computed), books };
}

export function presentBatchRow({ status, nop, data }: BatchRowRow): BatchRow {
  return {
    kind: status,
    sheet: data.sheet,
    row: data.row,
    nop,
    values: presentCells(data.values),
    before: data.before && presentCells(data.before),
    differences: data.differences,
    problems: data.problems,
    warnings: data.warnings,
  };
}

function presentCells(cells: StoredCells): BatchRowValues {
  return Object.fromEntries(
    Object.entries(cells).map(([field, value]) => [
      field,
      MONEY_FIELDS.has(field) && typeof value === 'number' ? senToRupiah(value) : value,
    ]),
  );
}
