import type { AssessedField } from '#shared/domain/tax-records/assessed-fields.ts';
import { senToRupiah } from '#shared/domain/money/rupiah.ts';
import { TAX_TYPE } from '#shared/domain/tax-records/record-values.ts';
import { dhkpTexts } from '#shared/texts.ts';
import { nextUpdatedAt } from '#server/http/row-version.ts';
import type { LinkedAssessment } from '#server/records/linked-assessment-queries.ts';
import { columnsAfterChange, type Writing } from '../changes/check-rules.ts';
import type { NewRecord } from '../changes/record-changes.ts';
import type { RecordRow } from '../queries.ts';

/** The values of the office's list in a record (R-DHKP-34). */

type TakenColumns = Partial<Pick<RecordRow, 'name' | 'address' | 'amountSen' | 'amountSource' | 'dueDate'>>;

const addressOf = ({ objectAddress, payerAddress }: LinkedAssessment): string | null => objectAddress ?? payerAddress;

/** A value that the list lacks replaces nothing. */
const taken: Record<AssessedField, (assessment: LinkedAssessment) => TakenColumns> = {
  name: ({ name }) => (name === null ? {} : { name }),
  address: (assessment) => {
    const address = addressOf(assessment);
    return address === null ? {} : { address };
  },
  amount: ({ amountSen }) => ({ amountSen, amountSource: 'office' }),
  due_date: ({ dueDate }) => (dueDate === null ? {} : { dueDate }),
};

/** @returns the record itself when it has these values already */
export function takeValues(
  record: RecordRow,
  assessment: LinkedAssessment,
  fields: readonly AssessedField[],
  writing: Writing,
): RecordRow {
  const columns: TakenColumns = Object.assign({}, ...fields.map((field) => taken[field](assessment)));
  const changed = { ...record, ...columns };
  const isSame = (Object.keys(columns) as (keyof TakenColumns)[]).every((column) => changed[column] === record[column]);
  if (isSame) return record;
  return {
    ...changed,
    ...columnsAfterChange(record, changed, writing),
    updatedAt: nextUpdatedAt(record, writing.nowMs),
  };
}

/**
 * The record of an assessment, as an admin would type it.
 * @param ownerName used where the list has no name
 */
export function newRecordOf(assessment: LinkedAssessment, ownerName: string): NewRecord {
  return {
    name: assessment.name ?? ownerName,
    address: addressOf(assessment) ?? dhkpTexts.addressNotListed,
    tax_type: TAX_TYPE,
    spt_number: assessment.nop,
    year: assessment.year,
    amount: senToRupiah(assessment.amountSen),
    due_date: assessment.dueDate,
    status: 'belum_lunas',
  };
}
