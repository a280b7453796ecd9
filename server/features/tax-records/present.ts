import type { TaxRecord } from '#shared/api/tax-records.ts';
import { senToRupiah } from '#shared/domain/rupiah.ts';
import { presentIds, presentTimes } from '#server/http/present.ts';
import type { CreateLink } from './proofs/proof-links.ts';
import type { OwnedRecord } from './queries.ts';

/** A record as every answer shows it: rupiah, both spellings of ids and times, the image as a link for this viewer. */
export function presentRecord({ record, owner }: OwnedRecord, linkFor: CreateLink): TaxRecord {
  return {
    ...presentIds(record.id),
    user_id: record.userId,
    name: record.name,
    address: record.address,
    tax_type: record.taxType,
    property_type: record.propertyType,
    spt_number: record.sptNumber,
    year: record.year,
    amount: senToRupiah(record.amountSen),
    description: record.description,
    status: record.status,
    due_date: record.dueDate,
    payment_date: record.paymentDate,
    notes: record.notes,
    payment_proof: record.proofFile === null ? null : linkFor(record.proofFile),
    user: { ...presentIds(owner.id), name: owner.name, email: owner.email },
    ...presentTimes(record),
  };
}
