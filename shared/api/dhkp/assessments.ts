import { z } from 'zod';
import { BOOKS } from '#shared/domain/dhkp/books.ts';
import { CLAIM_STATES, OBJECT_CONDITIONS, PAID_FILTERS } from '#shared/domain/dhkp/list-states.ts';
import { ASSESSMENTS_MAX, BULK_OBJECTS_MAX, HANDED_OUT_TO_MAX, LONG_TEXT_MAX } from '#shared/limits.ts';
import { dhkpTexts } from '#shared/texts.ts';
import { listOf, positiveInteger, singleOf } from '../envelope.ts';
import { bothIds, calendarDate, expectedUpdatedAt, optionalText } from '../fields.ts';
import { filter, flagFilter, idFilter, searchFilter } from '../filters.ts';

/** The office's own list: one object in one tax year is an assessment (R-DHKP-11 to R-DHKP-13). */

export const ASSESSMENT_SORTS = ['nop', 'name', 'amount', 'area'] as const;
export type AssessmentSort = (typeof ASSESSMENT_SORTS)[number];

const numberFilter = filter(
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number),
);

const filters = {
  /** Without it the newest year with a list. */
  year: numberFilter,
  search: searchFilter,
  /** With all areas below it. */
  area_id: idFilter,
  block: idFilter,
  book: filter(z.string().transform(Number).pipe(z.literal(BOOKS))),
  collector_id: idFilter,
  linked: flagFilter,
  listed: flagFilter,
  condition: filter(z.enum(OBJECT_CONDITIONS)),
  handed_out: flagFilter,
  paid: filter(z.enum(PAID_FILTERS)),
};

export const assessmentsQuery = z.object({
  ...filters,
  sort: z
    .enum([...ASSESSMENT_SORTS, ...ASSESSMENT_SORTS.map((sort) => `-${sort}` as const)])
    .optional()
    .catch(undefined),
  limit: positiveInteger(ASSESSMENTS_MAX).optional(),
  page: positiveInteger().optional(),
});
export type AssessmentsQuery = z.output<typeof assessmentsQuery>;

/** The filters in a body: there a year is a number and a flag may be one. */
const filterInBody = z.preprocess(
  (sent) =>
    typeof sent === 'object' && sent !== null
      ? Object.fromEntries(
          Object.entries(sent).map(([name, value]) => [
            name,
            typeof value === 'number' || typeof value === 'boolean' ? String(value) : (value ?? undefined),
          ]),
        )
      : sent,
  z.object(filters, { error: dhkpTexts.objectsRequired }),
);
export type AssessmentFilter = z.output<typeof filterInBody>;

const officeFields = {
  condition: z.enum(OBJECT_CONDITIONS, { error: dhkpTexts.conditionInvalid }),
  note: optionalText('Catatan', LONG_TEXT_MAX),
  handed_out_on: calendarDate,
  handed_out_to: optionalText('Penerima SPPT', HANDED_OUT_TO_MAX),
  area_id: z.string({ error: dhkpTexts.areaUnknown }).nullable(),
  collector_id: z.string({ error: dhkpTexts.collectorInvalid }).nullable(),
};
/** The fields that the office decides; absent ones stay. */
const officeChanges = z.object(officeFields).partial();
export type OfficeChanges = z.output<typeof officeChanges>;

export const updateAssessmentBody = officeChanges.extend({ updated_at: expectedUpdatedAt.optional() });
export type UpdateAssessmentBody = z.output<typeof updateAssessmentBody>;

/** One change of many objects: those named, or all that a filter finds. */
export const bulkAssessmentsBody = z.object({
  ids: z
    .array(z.string({ error: dhkpTexts.objectsRequired }), { error: dhkpTexts.objectsRequired })
    .max(BULK_OBJECTS_MAX, { error: dhkpTexts.tooManyObjects })
    .optional(),
  filter: filterInBody.optional(),
  set: officeChanges.refine((set) => Object.values(set).some((value) => value !== undefined), {
    error: dhkpTexts.nothingToSet,
  }),
});
export type BulkAssessmentsBody = z.output<typeof bulkAssessmentsBody>;

const named = z.object({ id: z.string(), name: z.string() });

export const assessment = z
  .object({
    ...bothIds,
    /** 18 digits, and as people read them. */
    nop: z.string(),
    nop_text: z.string(),
    year: z.number().int(),
    name: z.string().nullable(),
    payer_address: z.string().nullable(),
    object_address: z.string().nullable(),
    land_m2: z.number().nullable(),
    building_m2: z.number().nullable(),
    njop: z.number().nullable(),
    amount: z.number(),
    /** That of the file, else that of the settings for the year. */
    due_date: z.string().nullable(),
    /** By the amount and the limits of the settings; null: not issued. */
    book: z.number().int().nullable(),
    /** As the file says it. */
    file_book: z.string().nullable(),
    block: z.string(),
    old_number: z.string().nullable(),
    /** False when a newer, complete file lacks it. */
    listed: z.boolean(),
    condition: z.enum(OBJECT_CONDITIONS),
    note: z.string().nullable(),
    handed_out_on: z.string().nullable(),
    handed_out_to: z.string().nullable(),
    /** Its own area, else the one that the file names, else that of the block. */
    area: z.object({ id: z.string(), path: z.string() }).nullable(),
    /** The area that the office gave this object, if any. */
    own_area_id: z.string().nullable(),
    collector: named.nullable(),
    /** The collector as the file names him. */
    file_collector: z.string().nullable(),
    dusun: z.string().nullable(),
    rt: z.string().nullable(),
    rw: z.string().nullable(),
    /** A payment as the tax office says it. It is no receipt and changes no record. */
    authority_paid: z
      .object({
        on: z.string().nullable(),
        amount: z.number().nullable(),
        fine: z.number().nullable(),
        place: z.string().nullable(),
        batch_id: z.string(),
      })
      .nullable(),
    account: named.nullable(),
    /** The record that this account has of the object in this year. */
    record_id: z.string().nullable(),
    /** Of money that collectors took; there is none yet. */
    payment: z.null(),
    created_at: z.string(),
    createdAt: z.string(),
    updated_at: z.string(),
    updatedAt: z.string(),
  })
  .meta({ id: 'Ketetapan' });
export type Assessment = z.infer<typeof assessment>;

export const assessmentAnswer = singleOf(assessment);
/** A user's request for the object, as its page lists it. */
const claimOfObject = z.object({
  id: z.string(),
  user: named,
  note: z.string().nullable(),
  state: z.enum(CLAIM_STATES),
  reason: z.string().nullable(),
  answered_by: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
});
export type ClaimOfObject = z.infer<typeof claimOfObject>;

/** `history`: the same NOP in all years; `claims`: the newest requests for it. Both newest first. */
export const assessmentWithHistoryAnswer = singleOf(
  assessment.extend({ history: z.array(assessment), claims: z.array(claimOfObject) }),
);

const page = listOf(assessment).shape;
export const assessmentsAnswer = z.object({
  ...page,
  data: page.data.extend({
    /** Of all that match, in rupiah. */
    total_amount: z.number(),
    /** The year of the list; null without any list. */
    year: z.number().int().nullable(),
    /** All years with a list, newest first. */
    years: z.array(z.number().int()),
  }),
});

/** `changed`: the objects that the call changed; `missing`: ids that do not exist. */
export const bulkAssessmentsAnswer = singleOf(z.object({ changed: z.number().int(), missing: z.number().int() }));
