import type { Batch, BatchChoicesBody } from '#shared/api/dhkp/batches.ts';
import type { ListField } from '#shared/domain/dhkp/list-fields.ts';
import type { BatchKind } from '#shared/domain/dhkp/list-states.ts';
import { BOOKS } from '#shared/domain/dhkp/books.ts';
import { CONTROL_REASON_MIN } from '#shared/limits.ts';
import { NOP_PART_FIELDS } from './list-field-labels.ts';

/** A number as a field has it: '' while it is empty. */
type TypedNumber = number | string;
type TypedTotal = { objects: TypedNumber; amount: TypedNumber };

/** The choices about an import while they are being made. */
export type Choices = {
  kind: BatchKind;
  sheets: number[];
  headerRow: TypedNumber;
  columns: Partial<Record<ListField, number>>;
  prefix: string;
  /** '' until it is said. */
  multiplier: '1' | '1000' | '';
  useChanged: boolean;
  complete: boolean;
  includeOtherVillage: boolean;
  /** The totals of the paper list: all, and by book from 1 to 5. */
  total: TypedTotal;
  books: TypedTotal[];
};

const toTyped = (value: number | null | undefined): TypedNumber => value ?? '';
const toNumber = (typed: TypedNumber): number | null => (typeof typed === 'number' ? typed : null);

export function choicesOf(batch: Batch): Choices {
  const { typed } = batch.control;
  return {
    kind: batch.kind,
    sheets: batch.sheets.filter(({ used }) => used).map(({ index }) => index),
    headerRow: toTyped(batch.header_row),
    columns: batch.columns,
    prefix: batch.prefix ?? '',
    multiplier: batch.multiplier === null ? '' : batch.multiplier === 1 ? '1' : '1000',
    useChanged: batch.use_changed,
    complete: batch.complete,
    includeOtherVillage: batch.include_other_village,
    total: { objects: toTyped(typed?.objects), amount: toTyped(typed?.amount) },
    books: BOOKS.map((book) => {
      const sum = typed?.books.find((each) => each.book === book);
      return { objects: toTyped(sum?.objects), amount: toTyped(sum?.amount) };
    }),
  };
}

function controlOf({ total, books }: Choices): BatchChoicesBody['control'] {
  const typedBooks = BOOKS.flatMap((book, index) => {
    const objects = toNumber(books[index]?.objects ?? '');
    const amount = toNumber(books[index]?.amount ?? '');
    return objects === null && amount === null ? [] : [{ book, objects, amount }];
  });
  const objects = toNumber(total.objects);
  const amount = toNumber(total.amount);
  return objects === null && amount === null && typedBooks.length === 0 ? null : { objects, amount, books: typedBooks };
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The choices that differ from those of the batch; the others stay. */
export function changedChoices(batch: Batch, choices: Choices): BatchChoicesBody {
  const before = choicesOf(batch);
  const changed = (key: keyof Choices): boolean => !isSame(choices[key], before[key]);
  const headerRow = toNumber(choices.headerRow);
  return {
    ...(changed('kind') && { kind: choices.kind }),
    ...(changed('sheets') && { sheets: choices.sheets }),
    ...(changed('headerRow') && headerRow !== null && { header_row: headerRow }),
    ...(changed('columns') && { columns: choices.columns }),
    ...(changed('prefix') && { prefix: choices.prefix === '' ? null : choices.prefix }),
    ...(changed('multiplier') && choices.multiplier !== '' && { multiplier: choices.multiplier === '1' ? 1 : 1000 }),
    ...(changed('useChanged') && { use_changed: choices.useChanged }),
    ...(changed('complete') && { complete: choices.complete }),
    ...(changed('includeOtherVillage') && { include_other_village: choices.includeOtherVillage }),
    ...((changed('total') || changed('books')) && { control: controlOf(choices) }),
  };
}

/** Whether the columns say the object and its amount; without both nothing can be read. */
export function hasRequiredColumns({ columns }: Choices): boolean {
  const hasNop = columns.nop !== undefined || NOP_PART_FIELDS.every((field) => columns[field] !== undefined);
  return hasNop && columns.amount !== undefined;
}

/** Whether a text is long enough for a reason. */
export const isReason = (text: string): boolean => text.trim().length >= CONTROL_REASON_MIN;
