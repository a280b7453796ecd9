import { z } from 'zod';
import { AMOUNT_SOURCES, PROPERTY_TYPES, RECORD_STATUSES } from '#shared/domain/tax-records/record-values.ts';
import { verification } from './verification.ts';

/** The fields of a record that a card in a message shows. Amounts are rupiah, dates 'yyyy-mm-dd'. */
const cardFields = z.object({
  name: z.string(),
  address: z.string(),
  property_type: z.enum(PROPERTY_TYPES).nullable(),
  spt_number: z.string(),
  year: z.number().int(),
  amount: z.number(),
  /** The source of the amount (R-YEAR-11); `typed` in messages of before it was stored. */
  amount_source: z.enum(AMOUNT_SOURCES),
  status: z.enum(RECORD_STATUSES),
  due_date: z.string().nullable(),
  payment_date: z.string().nullable(),
  /** The version of the record, for a change that starts at the card. */
  updated_at: z.string(),
});
export type RecordCardFields = z.infer<typeof cardFields>;
/** As messages store it; those of earlier versions lack what was added since. */
export type StoredCardFields = Omit<RecordCardFields, 'amount_source'> &
  Partial<Pick<RecordCardFields, 'amount_source'>>;

/** `then`: as it was when the message was sent; `now`: as it is, or null when it was deleted (R-CARD-1). */
export const recordCard = z
  .object({
    id: z.string(),
    now: cardFields.extend({ has_proof: z.boolean(), verification }).nullable(),
    // An object and no function, so `await` takes no notice of it.
    // oxlint-disable-next-line unicorn/no-thenable
    then: cardFields,
  })
  .meta({ id: 'KartuDataPBB' });
export type RecordCard = z.infer<typeof recordCard>;
