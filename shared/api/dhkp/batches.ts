import { z } from 'zod';
import { isRupiahAmount } from '#shared/domain/money/rupiah.ts';
import { BOOKS } from '#shared/domain/dhkp/books.ts';
import { LIST_FIELDS, type ListField } from '#shared/domain/dhkp/list-fields.ts';
import { BATCH_KINDS, BATCH_STATES, ROW_FILTERS } from '#shared/domain/dhkp/list-states.ts';
import {
  BATCH_ROWS_MAX,
  BATCHES_MAX,
  CONTROL_REASON_MAX,
  CONTROL_REASON_MIN,
  LIST_COLUMNS_MAX,
} from '#shared/limits.ts';
import { dhkpTexts, fieldTexts } from '#shared/texts.ts';
import { listOf, positiveInteger, singleOf } from '../envelope.ts';
import { bothIds, flag, formFile } from '../fields.ts';
import { filter } from '../filters.ts';

/** One import of the list of the tax office, from the file to the applied rows (R-DHKP-2 to R-DHKP-10). */

/** The form field that carries the file. */
export const LIST_FILE_FIELD = 'file';

/** A file, or pasted cells with tabs and line ends. The service knows this year, and so the range of the years. */
export const createBatchBody = z.object({
  [LIST_FILE_FIELD]: formFile,
  text: z.string({ error: dhkpTexts.fileRequired }).optional(),
  year: z.number({ error: dhkpTexts.yearInvalid }).int({ error: dhkpTexts.yearInvalid }),
  client_id: z
    .string({ error: fieldTexts.clientIdInvalid })
    .regex(/^[\x21-\x7e]{1,64}$/, { error: fieldTexts.clientIdInvalid }),
});
export type CreateBatchBody = z.output<typeof createBatchBody>;

const column = z
  .number({ error: dhkpTexts.columnsInvalid })
  .int({ error: dhkpTexts.columnsInvalid })
  .min(0, { error: dhkpTexts.columnsInvalid })
  .max(LIST_COLUMNS_MAX - 1, { error: dhkpTexts.columnsInvalid });

/** Columns by field; the NOP may be split into seven of them. */
const columns = z
  .partialRecord(z.enum(LIST_FIELDS), column, { error: dhkpTexts.columnsInvalid })
  .refine(hasRequiredColumns, { error: dhkpTexts.columnsRequired });

const NOP_PARTS = [
  'nop_province',
  'nop_regency',
  'nop_district',
  'nop_village',
  'nop_block',
  'nop_number',
  'nop_kind',
] as const satisfies readonly ListField[];

function hasRequiredColumns(chosen: Partial<Record<ListField, number>>): boolean {
  const hasNop = chosen.nop !== undefined || NOP_PARTS.every((part) => chosen[part] !== undefined);
  return hasNop && chosen.amount !== undefined;
}

const typedCount = z
  .number({ error: dhkpTexts.choiceInvalid })
  .int({ error: dhkpTexts.choiceInvalid })
  .min(0, { error: dhkpTexts.choiceInvalid })
  .nullable();
const typedAmount = z
  .number({ error: fieldTexts.amountRange })
  .refine(isRupiahAmount, { error: fieldTexts.amountRange })
  .nullable();

/** Totals of a paper list as an admin typed them; null where the paper does not say one. */
const typedControl = z.object(
  {
    objects: typedCount.default(null),
    amount: typedAmount.default(null),
    books: z
      .array(
        z.object({
          book: z.literal(BOOKS, { error: dhkpTexts.choiceInvalid }),
          objects: typedCount.default(null),
          amount: typedAmount.default(null),
        }),
        { error: dhkpTexts.choiceInvalid },
      )
      .refine((books) => new Set(books.map(({ book }) => book)).size === books.length, {
        error: dhkpTexts.choiceInvalid,
      })
      .default([]),
  },
  { error: dhkpTexts.choiceInvalid },
);

/** Choices of an admin; absent ones stay. The service knows the sheets of the file. */
export const batchChoicesBody = z.object({
  kind: z.enum(BATCH_KINDS, { error: dhkpTexts.choiceInvalid }).optional(),
  sheets: z.array(column, { error: dhkpTexts.columnsInvalid }).optional(),
  header_row: z
    .number({ error: dhkpTexts.columnsInvalid })
    .int({ error: dhkpTexts.columnsInvalid })
    .min(1, { error: dhkpTexts.columnsInvalid })
    .optional(),
  columns: columns.optional(),
  prefix: z
    .string({ error: dhkpTexts.prefixInvalid })
    .regex(/^\d{10}$/, { error: dhkpTexts.prefixInvalid })
    .nullable()
    .optional(),
  multiplier: z.literal([1, 1000], { error: dhkpTexts.choiceInvalid }).optional(),
  use_changed: flag.optional(),
  complete: flag.optional(),
  include_other_village: flag.optional(),
  control: typedControl.nullable().optional(),
});
export type BatchChoicesBody = z.output<typeof batchChoicesBody>;

const reason = z
  .string({ error: dhkpTexts.reasonLength })
  .trim()
  .min(CONTROL_REASON_MIN, { error: dhkpTexts.reasonLength })
  .max(CONTROL_REASON_MAX, { error: dhkpTexts.reasonLength });

export const applyBatchBody = z.object({
  preview_id: z.string({ error: dhkpTexts.choiceInvalid }),
  /** Needed only where a control total differs; then also one that is too short answers 409. */
  control_reason: z
    .string({ error: dhkpTexts.reasonLength })
    .trim()
    .max(CONTROL_REASON_MAX, { error: dhkpTexts.reasonLength })
    .nullable()
    .optional(),
});
export type ApplyBatchBody = z.output<typeof applyBatchBody>;

export const revertBatchBody = z.object({ reason });
export type RevertBatchBody = z.output<typeof revertBatchBody>;

export const batchesQuery = z.object({
  limit: positiveInteger(BATCHES_MAX).optional(),
  page: positiveInteger().optional(),
});

export const batchRowsQuery = z.object({
  kind: filter(z.enum(ROW_FILTERS)),
  limit: positiveInteger(BATCH_ROWS_MAX).optional(),
  page: positiveInteger().optional(),
});
export type BatchRowsQuery = z.output<typeof batchRowsQuery>;

/** A sum by book; null is the book of what is not issued. Amounts are rupiah. */
const bookSum = z.object({ book: z.number().int().nullable(), objects: z.number().int(), amount: z.number() });

const batch = z
  .object({
    ...bothIds,
    year: z.number().int(),
    kind: z.enum(BATCH_KINDS),
    file_name: z.string(),
    bytes: z.number().int(),
    sha256: z.string(),
    state: z.enum(BATCH_STATES),
    /** Why it failed; else null. */
    message: z.string().nullable(),
    /** Whether its file can still be downloaded. */
    has_file: z.boolean(),
    sheets: z.array(
      z.object({
        index: z.number().int(),
        name: z.string(),
        hidden: z.boolean(),
        rows: z.number().int(),
        header_row: z.number().int().nullable(),
        used: z.boolean(),
      }),
    ),
    /** The zero-based column of each field that was found or chosen. */
    columns: z.partialRecord(z.enum(LIST_FIELDS), z.number().int()),
    headers: z.array(z.string()),
    header_row: z.number().int().nullable(),
    /** Headers of columns that are not used. */
    unknown_headers: z.array(z.string()),
    /** The first rows below the header as the file has them, by column. */
    samples: z.array(z.array(z.string())),
    prefix: z.string().nullable(),
    multiplier: z.union([z.literal(1), z.literal(1000)]).nullable(),
    use_changed: z.boolean(),
    include_other_village: z.boolean(),
    complete: z.boolean(),
    counts: z.object({
      new: z.number().int(),
      changed: z.number().int(),
      same: z.number().int(),
      gone: z.number().int(),
      problem: z.number().int(),
      warning: z.number().int(),
      other_village: z.number().int(),
    }),
    control: z.object({
      /** Totals that the file itself has. */
      file: z.array(
        z.object({
          label: z.string(),
          sheet: z.string(),
          row: z.number().int(),
          objects: z.number().int().nullable(),
          amount: z.number().nullable(),
        }),
      ),
      typed: z
        .object({
          objects: z.number().int().nullable(),
          amount: z.number().nullable(),
          books: z.array(
            z.object({
              book: z.number().int(),
              objects: z.number().int().nullable(),
              amount: z.number().nullable(),
            }),
          ),
        })
        .nullable(),
      /** The rows that count: new, changed and same ones. */
      computed: z.object({ objects: z.number().int(), amount: z.number(), books: z.array(bookSum) }),
      /** Whether all totals agree with the rows; null without any total. */
      equal: z.boolean().nullable(),
    }),
    /** About the whole file or a sheet; those about a row stand with the row. */
    warnings: z.array(
      z.object({ code: z.string(), sheet: z.string(), row: z.number().int().nullable(), message: z.string() }),
    ),
    /** The name of the preview, which applying it must repeat; null while the file is read and after a failure. */
    preview_id: z.string().nullable(),
    progress: z.object({ done: z.number().int(), total: z.number().int() }),
    by_name: z.string(),
    control_reason: z.string().nullable(),
    revert_reason: z.string().nullable(),
    created_at: z.string(),
    applied_at: z.string().nullable(),
    reverted_at: z.string().nullable(),
  })
  .meta({ id: 'ImporDaftar' });
export type Batch = z.infer<typeof batch>;
export const batchAnswer = singleOf(batch);
export const batchesAnswer = listOf(batch);

/** A value of each column of the file, rupiah and yyyy-mm-dd; null where the cell is empty or cannot be read. */
const rowValues = z
  .object({
    name: z.string().nullable(),
    payer_address: z.string().nullable(),
    object_address: z.string().nullable(),
    land_m2: z.number().nullable(),
    building_m2: z.number().nullable(),
    njop: z.number().nullable(),
    amount: z.number().nullable(),
    amount_changed: z.number().nullable(),
    due_date: z.string().nullable(),
    paid_on: z.string().nullable(),
    paid_amount: z.number().nullable(),
    paid_fine: z.number().nullable(),
    paid_place: z.string().nullable(),
    paid_flag: z.boolean().nullable(),
    old_number: z.string().nullable(),
    book: z.string().nullable(),
    dusun: z.string().nullable(),
    rt: z.string().nullable(),
    rw: z.string().nullable(),
    collector: z.string().nullable(),
    year: z.number().int().nullable(),
    listed: z.boolean(),
  })
  .partial();
export type BatchRowValues = z.infer<typeof rowValues>;

const cellNote = z.object({
  code: z.string(),
  field: z.enum(LIST_FIELDS).nullable(),
  /** The content of the cell. */
  text: z.string(),
  message: z.string(),
});

const batchRow = z
  .object({
    kind: z.enum(['new', 'changed', 'same', 'gone', 'problem', 'other_village', 'total']),
    /** Empty for a row that the file lacks. */
    sheet: z.string(),
    /** As the spreadsheet shows it; null for a row that the file lacks. */
    row: z.number().int().nullable(),
    nop: z.string().nullable(),
    values: rowValues,
    /** The values of the list where they differ; null for a new row. */
    before: rowValues.nullable(),
    differences: z.array(z.string()),
    problems: z.array(cellNote),
    warnings: z.array(cellNote),
  })
  .meta({ id: 'BarisImpor' });
export type BatchRow = z.infer<typeof batchRow>;
export const batchRowsAnswer = listOf(batchRow);
