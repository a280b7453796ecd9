import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { senToRupiah } from '#shared/domain/money/rupiah.ts';
import {
  type ColumnOf,
  mapFields,
  TAX_RECORD_FIELDS,
  type TaxRecordField,
  taxRecordFields,
} from '#shared/domain/tax-records/tax-record-fields.ts';
import { presentIds, presentTimes } from '#server/http/answers/present.ts';
import type { CreateLink } from '#server/uploads/upload-links.ts';
import type { OwnedRecord, RecordRow } from './queries.ts';
import { presentVerification } from '#server/records/verification-state.ts';

type StoredFields = { [Field in TaxRecordField]: RecordRow[ColumnOf<Field>] };

/** A record as every answer shows it: rupiah, both spellings of ids and times, the image as a link of this session. */
export function presentRecord({ record, owner }: OwnedRecord, linkFor: CreateLink): TaxRecord {
  const stored = mapFields<StoredFields>(TAX_RECORD_FIELDS, (field) => record[taxRecordFields[field].column]);
  return {
    ...presentIds(record.id),
    user_id: record.userId,
    ...stored,
    amount: senToRupiah(record.amountSen),
    amount_source: record.amountSource,
    payment_proof: record.proofFile === null ? null : linkFor(record.proofFile),
    verification: presentVerification(record),
    user: { ...presentIds(owner.id), name: owner.name, email: owner.email },
    ...presentTimes(record),
  };
}
