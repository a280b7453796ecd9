import { z } from 'zod';
import { isRupiahAmount } from '#shared/domain/money/rupiah.ts';
import { AMOUNT_SOURCES, PROPERTY_TYPES, RECORD_STATUSES, TAX_TYPE } from '#shared/domain/tax-records/record-values.ts';
import { type FieldWhere, type TaxRecordField, taxRecordFields } from '#shared/domain/tax-records/tax-record-fields.ts';
import { ASSESSED_FIELDS, COMPARED_FIELDS } from '#shared/domain/tax-records/assessed-fields.ts';
import { VERIFICATION_FILTERS } from '#shared/domain/tax-records/verification-states.ts';
import {
  ADDRESS_MAX,
  ADMIN_RECORDS_MAX,
  BULK_RECORDS_MAX,
  LONG_TEXT_MAX,
  NAME_MAX,
  OWN_RECORDS_DEFAULT,
  SPT_NUMBER_MAX,
  YEAR_MAX,
  YEAR_MIN,
} from '#shared/limits.ts';
import { dhkpTexts, fieldTexts } from '#shared/texts.ts';
import { listOf, positiveInteger, singleOf } from '../envelope.ts';
import {
  amount,
  bothIds,
  calendarDate,
  choice,
  expectedUpdatedAt,
  flag,
  optionalChoice,
  optionalText,
  requiredText,
  timestamps,
} from '../fields.ts';
import { dateFilter, filter, flagFilter, idFilter, searchFilter, setFilter } from '../filters.ts';
import { checkedSums, recordSum } from './record-sums.ts';
import { verification } from './verification.ts';

const answerFields = {
  name: z.string(),
  address: z.string(),
  tax_type: z.string(),
  property_type: z.enum(PROPERTY_TYPES).nullable(),
  spt_number: z.string(),
  year: z.number().int(),
  amount: z.number(),
  description: z.string().nullable(),
  status: z.enum(RECORD_STATUSES),
  due_date: z.string().nullable(),
  payment_date: z.string().nullable(),
  notes: z.string().nullable(),
  payment_proof: z.string().nullable(),
} satisfies Record<TaxRecordField, z.ZodType>;

/** A tax record as every answer shows it (R-REC-1). Amounts are rupiah, dates yyyy-mm-dd. */
const taxRecord = z
  .object({
    ...bothIds,
    user_id: z.string(),
    ...answerFields,
    /** The source of the amount (R-YEAR-11). */
    amount_source: z.enum(AMOUNT_SOURCES),
    /** Of the office's list, where the object is linked to the account; `differs`: other values than the record (R-DHKP-35). */
    assessment: z
      .object({
        id: z.string(),
        amount: z.number(),
        due_date: z.string().nullable(),
        differs: z.array(z.enum(COMPARED_FIELDS)),
      })
      .nullable(),
    user: z.object({ ...bothIds, name: z.string(), email: z.string(), has_email: z.boolean() }),
    verification,
    ...timestamps,
  })
  .meta({ id: 'DataPBB' });
export type TaxRecord = z.infer<typeof taxRecord>;

const status = choice(RECORD_STATUSES, fieldTexts.statusRequired, fieldTexts.statusInvalid);
const propertyType = optionalChoice(PROPERTY_TYPES, fieldTexts.propertyTypeInvalid);

const optionalFields = {
  property_type: propertyType.optional(),
  due_date: calendarDate.optional(),
  payment_date: calendarDate.optional(),
  // The error text names it 'Keterangan', the screen 'Deskripsi'. Version 1.0.0 answers so; answer texts do not change.
  description: optionalText('Keterangan', LONG_TEXT_MAX).optional(),
  notes: optionalText(taxRecordFields.notes.label, LONG_TEXT_MAX).optional(),
} satisfies Record<FieldWhere<{ inBody: true; optional: true }>, z.ZodType>;

function requiredFields(texts: { name: string; address: string; spt: string; amount: string }) {
  return {
    name: requiredText(texts.name, 'Nama', NAME_MAX),
    address: requiredText(texts.address, 'Alamat', ADDRESS_MAX),
    spt_number: requiredText(texts.spt, 'Nomor SPT', SPT_NUMBER_MAX),
    amount: amount(texts.amount),
  } satisfies Record<Exclude<FieldWhere<{ optional: false; adminOnly: false }>, 'status'>, z.ZodType>;
}

function sameText(text: string) {
  return { name: text, address: text, spt: text, amount: text };
}

export const yearInRange = (missing: string) =>
  z
    .number({ error: missing })
    .int({ error: fieldTexts.yearRange, abort: true })
    .min(YEAR_MIN, { error: fieldTexts.yearRange })
    .max(YEAR_MAX, { error: fieldTexts.yearRange });
const taxType = (missing: string) => choice([TAX_TYPE], missing, fieldTexts.taxTypeInvalid);

/** The year that a user sent. Whether it is open is up to the service; anything else counts as absent (R-REC-5). */
const openYear = z.number().int().optional().catch(undefined);

/** A record that a user creates; the server sets the tax type, and the year if the sent one is not open (R-REC-5). */
export const createRecordBody = z.object({
  ...requiredFields({
    name: fieldTexts.nameRequired,
    address: fieldTexts.addressRequired,
    spt: fieldTexts.sptRequired,
    amount: fieldTexts.amountRequired,
  }),
  year: openYear,
  status: status.default('belum_lunas'),
  ...optionalFields,
});
export type CreateRecordBody = z.infer<typeof createRecordBody>;

function isEmpty(input: unknown): boolean {
  return input === undefined || input === null || (typeof input === 'string' && input.trim() === '');
}

const editExtras = {
  updated_at: expectedUpdatedAt.optional(),
  /** Removes the stored proof; a new image in the same form wins over it (R-PROOF-4). */
  remove_payment_proof: flag.optional(),
};

/** A user's edit; absent fields stay as they are (R-REC-6). */
export const updateRecordBody = z
  .object({
    ...requiredFields(sameText(fieldTexts.userEditIncomplete)),
    // An edit needs an amount above 0, although a new record may start at 0; only an empty one counts as missing (R-REC-6).
    amount: z
      .number({ error: ({ input }) => (isEmpty(input) ? fieldTexts.userEditIncomplete : fieldTexts.amountInvalid) })
      .refine((value) => value > 0, { error: fieldTexts.amountInvalid, abort: true })
      .refine(isRupiahAmount, { error: fieldTexts.amountRange }),
    year: openYear,
    status,
    ...optionalFields,
  })
  .partial()
  .extend({
    ...editExtras,
    /** Takes back the own newest report, with what the record and its check said before (R-CHECK-44). */
    undo: flag.optional(),
  });
export type UpdateRecordBody = z.infer<typeof updateRecordBody>;

/** A record that an admin creates for a user (R-REC-7). */
export const adminCreateRecordBody = z.object({
  user_id: z.string({ error: fieldTexts.pickUser }).trim().min(1, { error: fieldTexts.pickUser }),
  ...requiredFields(sameText(fieldTexts.adminCreateIncomplete)),
  tax_type: taxType(fieldTexts.adminCreateIncomplete).default(TAX_TYPE),
  /** Left out: the current year in the server's time zone. */
  year: yearInRange(fieldTexts.adminCreateIncomplete).optional(),
  status: status.default('belum_lunas'),
  ...optionalFields,
});
export type AdminCreateRecordBody = z.infer<typeof adminCreateRecordBody>;

/** An admin's edit; absent fields stay as they are (R-REC-8). */
export const adminUpdateRecordBody = z
  .object({
    ...requiredFields(sameText(fieldTexts.adminEditIncomplete)),
    tax_type: taxType(fieldTexts.adminEditIncomplete),
    year: yearInRange(fieldTexts.adminEditIncomplete),
    status,
    ...optionalFields,
  })
  .partial()
  .extend(editExtras);
export type AdminUpdateRecordBody = z.infer<typeof adminUpdateRecordBody>;

/** Fields that are sent for an object that is linked are taken from the office's list. */
export const assessedFields = z.array(z.enum(ASSESSED_FIELDS, { error: dhkpTexts.fieldsRequired }), {
  error: dhkpTexts.fieldsRequired,
});

/** The office's values for some fields of a record (R-DHKP-35). */
export const adoptAssessmentBody = z.object({
  fields: assessedFields.min(1, { error: dhkpTexts.fieldsRequired }),
  updated_at: expectedUpdatedAt,
});
export type AdoptAssessmentBody = z.output<typeof adoptAssessmentBody>;

/** Status and payment date of many records, each as an admin's edit; `updated_at` is required (R-REC-29). */
export const bulkRecordsBody = z.object({
  changes: z
    .array(
      z.object({
        id: z.string(),
        updated_at: expectedUpdatedAt,
        status,
        payment_date: calendarDate.optional(),
        /** Puts back what this call changed before: it matches no report, and takes back the match that came with it. */
        undo: flag.optional(),
      }),
      { error: fieldTexts.changesRequired },
    )
    .max(BULK_RECORDS_MAX, { error: fieldTexts.changesTooMany(BULK_RECORDS_MAX) }),
});
export type RecordChange = z.output<typeof bulkRecordsBody>['changes'][number];

export const ownRecordsQuery = z.object({
  limit: positiveInteger(OWN_RECORDS_DEFAULT).optional(),
  page: positiveInteger().optional(),
});

export const RECORD_SORTS = ['created_at', 'amount', 'year', 'name', 'due_date'] as const;
export type RecordSort = (typeof RECORD_SORTS)[number];

export const adminRecordsQuery = z.object({
  limit: positiveInteger(ADMIN_RECORDS_MAX).optional(),
  page: positiveInteger().optional(),
  search: searchFilter,
  status: filter(z.enum(RECORD_STATUSES)),
  property_type: filter(z.enum(PROPERTY_TYPES)),
  year: filter(
    z
      .string()
      .regex(/^\d{1,15}$/)
      .transform(Number),
  ),
  user_id: idFilter,
  /** 1: only records that are overdue today (R-REC-4). */
  outstanding: flagFilter,
  /** 1: only records that are not `lunas`. */
  unpaid: flagFilter,
  /** 1: only records with a payment proof; 0: only records without. */
  proof: flagFilter,
  /** States of the check (R-CHECK-32). */
  verification: setFilter(VERIFICATION_FILTERS),
  /** Both ends of a range belong to it. A record without the date is in no range. */
  due_from: dateFilter,
  due_to: dateFilter,
  payment_from: dateFilter,
  payment_to: dateFilter,
  /** An unknown one counts as absent: it does not change which rows match. */
  sort: z
    .enum([...RECORD_SORTS, ...RECORD_SORTS.map((sort) => `-${sort}` as const)])
    .optional()
    .catch(undefined),
});
export type AdminRecordsQuery = z.infer<typeof adminRecordsQuery>;

/** The form field that carries the payment proof (R-PROOF-3). */
export const PROOF_FIELD = 'payment_proof';

export const recordAnswer = singleOf(taxRecord);
export const recordsAnswer = listOf(taxRecord);
/** Sums of all records that match, and not only those of the page. */
const listSums = z.object({
  /** Rupiah. */
  total_amount: z.number(),
  /** The paid ones by the result of the check. */
  checked: checkedSums,
  /** Those that are not paid and whose amount nobody has confirmed yet. */
  estimated: recordSum,
});
export type ListSums = z.infer<typeof listSums>;
export const adminRecordsAnswer = recordsAnswer.extend({ data: recordsAnswer.shape.data.extend(listSums.shape) });
/** `sums`: all records of each state, and of the matched ones those that are not `lunas`. */
export const verificationsAnswer = recordsAnswer.extend({
  data: recordsAnswer.shape.data.extend({
    sums: z.object({
      pending: recordSum,
      matched: recordSum.extend({ unpaid: recordSum }),
      rejected: recordSum,
      outdated: recordSum,
    }),
  }),
});

/** In the order of the changes. `message` says why a record was not changed; a changed one has its new `updated_at`. */
const bulkResult = z
  .object({
    ...bothIds,
    changed: z.boolean(),
    message: z.string().nullable(),
    updated_at: z.string().nullable(),
    updatedAt: z.string().nullable(),
  })
  .meta({ id: 'HasilUbah' });
export type BulkResult = z.infer<typeof bulkResult>;
export const bulkRecordsAnswer = singleOf(z.object({ results: z.array(bulkResult) }));

/** `null` as a maximum: no limit. */
const quotaUse = z
  .object({
    records: z.number().int(),
    records_max: z.number().int().nullable(),
    proof_bytes: z.number().int(),
    proof_bytes_max: z.number().int().nullable(),
  })
  .meta({ id: 'BatasAkun' });
export type QuotaUse = z.infer<typeof quotaUse>;
export const quotaAnswer = singleOf(quotaUse);
