import { hasEmail } from '#shared/domain/users/no-email.ts';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { COMPARED_FIELDS, type ComparedField } from '#shared/domain/tax-records/assessed-fields.ts';
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
import type { LinkedAssessment } from '#server/records/linked-assessment-queries.ts';
import { presentVerification } from '#server/records/verification-state.ts';

type StoredFields = { [Field in TaxRecordField]: RecordRow[ColumnOf<Field>] };

/**
 * A record as every answer shows it: rupiah, both spellings of ids and times, the image as a link of this session.
 * @param assessment that of its linked object
 */
export function presentRecord(
  { record, owner }: OwnedRecord,
  linkFor: CreateLink,
  assessment: LinkedAssessment | undefined,
): TaxRecord {
  const stored = mapFields<StoredFields>(TAX_RECORD_FIELDS, (field) => record[taxRecordFields[field].column]);
  return {
    ...presentIds(record.id),
    user_id: record.userId,
    ...stored,
    amount: senToRupiah(record.amountSen),
    amount_source: record.amountSource,
    assessment: assessment ? presentAssessment(record, assessment) : null,
    payment_proof: record.proofFile === null ? null : linkFor(record.proofFile),
    verification: presentVerification(record),
    user: { ...presentIds(owner.id), name: owner.name, email: owner.email, has_email: hasEmail(owner.email) },
    ...presentTimes(record),
  };
}

const hasOther: Record<ComparedField, (record: RecordRow, assessment: LinkedAssessment) => boolean> = {
  amount: (record, { amountSen }) => record.amountSen !== amountSen,
  // A list without due dates says nothing about them.
  due_date: (record, { dueDate }) => dueDate !== null && record.dueDate !== dueDate,
};

const presentAssessment = (record: RecordRow, assessment: LinkedAssessment): TaxRecord['assessment'] => ({
  id: assessment.id,
  amount: senToRupiah(assessment.amountSen),
  due_date: assessment.dueDate,
  differs: COMPARED_FIELDS.filter((field) => hasOther[field](record, assessment)),
});
