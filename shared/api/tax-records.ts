import { z } from 'zod';
import { mapCheckedParts } from '../domain/checked-sums.ts';
import { isRupiahAmount } from '../domain/rupiah.ts';
import {
  AMOUNT_SOURCES,
  type FieldWhere,
  PROPERTY_TYPES,
  RECORD_STATUSES,
  TAX_TYPE,
  type TaxRecordField,
  taxRecordFields,
} from '../domain/tax-record-fields.ts';
import { VERIFICATION_FILTERS } from '../domain/verification-states.ts';
import {
  ADDRESS_MAX,
  ADMIN_RECORDS_MAX,
  BULK_RECORDS_MAX,
  LONG_TEXT_MAX,
  NAME_MAX,
  OWN_RECORDS_DEFAULT,
  ROLLOVER_RECORDS_MAX,
  SPT_NUMBER_MAX,
  YEAR_MAX,
  YEAR_MIN,
} from '../limits.ts';
import { fieldTexts } from '../texts.ts';
import { listOf, positiveInteger, singleOf } from './envelope.ts';
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
} from './fields.ts';
import { dateFilter, filter, flagFilter, idFilter, searchFilter, setFilter } from './filters.ts';
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
    /** Where the amount comes from (R-YEAR-11). */
    amount_source: z.enum(AMOUNT_SOURCES),
    user: z.object({ ...bothIds, name: z.string(), email: z.string() }),
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

const yearInRange = (missing: string) =>
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
  .extend(editExtras);

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

/** A number of records and the sum of their amounts in rupiah. */
export const recordSum = z.object({ count: z.number().int(), amount: z.number() });
/** What the office knows of a sum of paid money; the parts add up to it (R-CHECK-30). */
export const checkedSums = z.object(mapCheckedParts(() => recordSum)).meta({ id: 'JumlahPencocokan' });
export type CheckedSums = z.infer<typeof checkedSums>;
export const paidSum = recordSum.extend({ checked: checkedSums });
/** `estimated`: the part of it whose amount nobody has confirmed yet (R-YEAR-11). */
export const overdueSum = recordSum.extend({ estimated: recordSum });

export const recordAnswer = singleOf(taxRecord);
export const recordsAnswer = listOf(taxRecord);
/** Sums of all records that match, and not only those of the page. */
const listSums = z.object({
  /** Rupiah. */
  total_amount: z.number(),
  /** What the office knows of the paid ones. */
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

/** The statistics of a user's own records, in rupiah and counts (R-STAT-2). */
export const ownStatistics = z
  .object({
    total_tax: z.number(),
    paid_tax: z.number(),
    unpaid_tax: z.number(),
    total_records: z.number().int(),
    /** Different objects among the records, by the digits of their SPT numbers (R-STAT-22). */
    total_objects: z.number().int(),
    paid_records: z.number().int(),
    unpaid_records: z.number().int(),
    outstanding_amount: z.number(),
    outstanding_records: z.number().int(),
    /** The part of the overdue sum whose amount nobody has confirmed yet (R-YEAR-11). */
    outstanding_estimated: recordSum,
    /** The oldest due date of the overdue records, 'yyyy-mm-dd'; null when none of them has one. */
    outstanding_since: z.string().nullable(),
    /** The overdue record when there is exactly one, so that a page can link to it without another call. */
    outstanding_record_id: z.string().nullable(),
    /** Unpaid records due from today until `DUE_SOON_DAYS` later; `due_date` is the first of their dates. */
    due_soon: z.object({
      records: z.number().int(),
      amount: z.number(),
      due_date: z.string().nullable(),
      record_id: z.string().nullable(),
    }),
    /** What the office knows of `paid_tax`. */
    checked: checkedSums,
    /** Records whose newest report the office refused, whatever their status is now. */
    rejected_records: z.number().int(),
    /** The refused record when there is exactly one. */
    rejected_record_id: z.string().nullable(),
  })
  .meta({ id: 'StatistikUser' });
export type OwnStatistics = z.infer<typeof ownStatistics>;
export const ownStatisticsAnswer = singleOf(ownStatistics);

const periodStatistics = z.object({
  total_tax: z.number(),
  paid_tax: z.number(),
  unpaid_tax: z.number(),
  total_records: z.number().int(),
  /** What the office knows of `paid_tax`. */
  checked: checkedSums,
});
/**
 * `previous`: the whole period before; `previous_same_days`: its part that has gone as far as this one has today (R-STAT-20).
 */
const periodStatisticsWithPrevious = periodStatistics.extend({
  previous: periodStatistics,
  previous_same_days: periodStatistics,
});
const paidSumWithPrevious = paidSum.extend({ previous: paidSum });

const groupStatistics = {
  lunas: z.number().int(),
  total_records: z.number().int(),
  total_tax: z.number(),
  paid_tax: z.number(),
  checked: checkedSums,
};

/** The statistics of all records, in rupiah and counts; `periods` by created_at (R-STAT-3, R-STAT-4). */
export const adminStatistics = z
  .object({
    total_users: z.number().int(),
    active_users: z.number().int(),
    total_records: z.number().int(),
    /** Different objects among the records, by the digits of their SPT numbers (R-STAT-22). */
    total_objects: z.number().int(),
    lunas: z.number().int(),
    belum_lunas: z.number().int(),
    proses: z.number().int(),
    total_tax: z.number(),
    paid_tax: z.number(),
    unpaid_tax: z.number(),
    /** What the office knows of `paid_tax`. */
    checked: checkedSums,
    periods: z.object({
      today: periodStatisticsWithPrevious,
      week: periodStatisticsWithPrevious,
      month: periodStatisticsWithPrevious,
      year: periodStatisticsWithPrevious,
    }),
    /** By the day of the payment, in the same periods (R-STAT-13). */
    payments: z.object({
      today: paidSumWithPrevious,
      week: paidSumWithPrevious,
      month: paidSumWithPrevious,
      year: paidSumWithPrevious,
    }),
    /**
     * What waits for an admin: status proses, overdue, due from today to Sunday (R-STAT-14), unchecked reports (R-CHECK-9), and
     * reports that the office matched although they are not paid (R-CHECK-31).
     */
    tasks: z.object({
      reported: recordSum,
      overdue: overdueSum,
      due_this_week: recordSum,
      to_check: recordSum,
      matched_unpaid: recordSum,
    }),
    /** By tax year, newest first; only years that occur. */
    by_year: z.array(z.object({ year: z.number().int(), ...groupStatistics })),
    /** By property type, largest tax first; null stands for records without one. */
    by_property: z.array(z.object({ property_type: z.enum(PROPERTY_TYPES).nullable(), ...groupStatistics })),
  })
  .meta({ id: 'StatistikAdmin' });
export type AdminStatistics = z.infer<typeof adminStatistics>;
export const adminStatisticsAnswer = singleOf(adminStatistics);

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

/** How many copies were not made because the account has reached its quota (R-YEAR-10). */
const leftOutCount = z.number().int();
const checkYearFields = {
  autoCreated: z.boolean(),
  count: z.number().int(),
  leftOutCount,
  /** How many copies 'Tahun Baru' can make, while new years are only offered; else 0 (R-YEAR-14). */
  offered: z.number().int(),
};
/** Its fields stand both at the top level and in `data` (R-API-4). */
export const checkYearAnswer = singleOf(z.object(checkYearFields)).extend(checkYearFields);
export type CheckYear = { autoCreated: boolean; count: number; leftOutCount: number; offered: number };

/** A copy as a person saw it before it existed (R-YEAR-15). */
const chosenCopy = z.object({
  source_id: z.string({ error: fieldTexts.sourcesRequired }),
  amount: amount(fieldTexts.amountRequired),
  due_date: calendarDate.optional(),
  /** The person says that the amount stands on the SPPT, also when it is the one that was suggested. */
  confirmed: flag.optional(),
});
export type ChosenCopy = z.output<typeof chosenCopy>;

/** Without a year the service chooses one, and checks it against the same range; without records it makes all copies. */
export const autoCreateBody = z
  .object({
    year: yearInRange(fieldTexts.yearRange).nullish(),
    records: z
      .array(chosenCopy, { error: fieldTexts.sourcesRequired })
      .min(1, { error: fieldTexts.sourcesRequired })
      .max(ROLLOVER_RECORDS_MAX, { error: fieldTexts.changesTooMany(ROLLOVER_RECORDS_MAX) })
      .refine((records) => new Set(records.map(({ source_id: id }) => id)).size === records.length, {
        error: fieldTexts.sourceTwice,
      })
      .nullish(),
  })
  .nullish();
export type AutoCreateBody = z.output<typeof autoCreateBody>;
const autoCreateFields = {
  year: z.number().int(),
  count: z.number().int(),
  outstandingCount: z.number().int(),
  newYearCount: z.number().int(),
  leftOutCount,
};
export const autoCreateAnswer = singleOf(z.object(autoCreateFields)).extend(autoCreateFields);
export type AutoCreate = {
  year: number;
  count: number;
  outstandingCount: number;
  newYearCount: number;
  leftOutCount: number;
};
