import type { Assessment } from '#shared/api/dhkp/assessments.ts';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { findNop } from '#shared/domain/dhkp/nop.ts';
import {
  ASSESSED_FIELDS,
  type AssessedField,
  isSettled,
  unchosenFields,
} from '#shared/domain/tax-records/assessed-fields.ts';

/** A value of a record that a link would leave alone, beside that of the office's list. */
export type ReplacedValue = {
  field: AssessedField;
  year: number;
  own: string | number | null;
  office: string | number;
};

/** The value that the list has for a field; null replaces nothing. */
function officeValue(assessment: Assessment, field: AssessedField): string | number | null {
  return field === 'address' ? (assessment.object_address ?? assessment.payer_address) : assessment[field];
}

/** The record that a link joins: the oldest of its object and year. */
function joinedRecord({ nop, year }: Assessment, records: readonly TaxRecord[]): TaxRecord | undefined {
  return records
    .filter((record) => record.year === year && findNop(record.spt_number) === nop)
    .toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1))[0];
}

/** The values that an admin may take from the list when these records of an account are joined (R-DHKP-31), by field. */
export function replacedValues(years: readonly Assessment[], records: readonly TaxRecord[]): ReplacedValue[] {
  const found = years
    .filter(({ listed }) => listed)
    .flatMap((assessment) => {
      const record = joinedRecord(assessment, records);
      if (!record) return [];
      const { status, payment_proof: proof, amount_source: amountSource, due_date: dueDate } = record;
      const decided = { status, hasProof: proof !== null, amountSource, dueDate };
      if (isSettled(decided)) return [];
      const unchosen = unchosenFields(decided);
      return ASSESSED_FIELDS.flatMap((field) => {
        const [own, office] = [record[field], officeValue(assessment, field)];
        if (office === null || own === office || unchosen.includes(field)) return [];
        return [{ field, year: assessment.year, own, office }];
      });
    });
  return found.toSorted((a, b) => ASSESSED_FIELDS.indexOf(a.field) - ASSESSED_FIELDS.indexOf(b.field));
}
