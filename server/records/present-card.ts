import type { RecordCard, RecordCardFields } from '#shared/api/tax-records/record-card.ts';
import { senToRupiah } from '#shared/domain/money/rupiah.ts';
import type { CardRow } from './card-queries.ts';
import { presentVerification } from './verification-state.ts';

/** The fields of a record that a card shows; stored with a message as the record is then (R-CARD-1). */
export function cardFieldsOf(row: CardRow): RecordCardFields {
  return {
    name: row.name,
    address: row.address,
    property_type: row.propertyType,
    spt_number: row.sptNumber,
    year: row.year,
    amount: senToRupiah(row.amountSen),
    amount_source: row.amountSource,
    status: row.status,
    due_date: row.dueDate,
    payment_date: row.paymentDate,
    updated_at: new Date(row.updatedAt).toISOString(),
  };
}

/** A record as it is now; it has no link and so is the same for every session. */
export function presentCardNow(row: CardRow): NonNullable<RecordCard['now']> {
  return { ...cardFieldsOf(row), has_proof: row.proofFile !== null, verification: presentVerification(row) };
}
