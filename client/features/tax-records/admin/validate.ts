import { schemaResolver } from '@mantine/form';
import { nameMissing } from '../form/missing-fields.ts';
import { bodyOf, type RecordFormValues } from '../form/record-form-values.ts';
import { adminCreateRecordBody, adminUpdateRecordBody } from '#shared/api/tax-records.ts';
import { fieldTexts } from '#shared/texts.ts';

type Errors = Record<string, string>;

const checkNew = schemaResolver(adminCreateRecordBody, { sync: true });
const checkEdit = schemaResolver(adminUpdateRecordBody, { sync: true });

/** What is wrong with a record for somebody, by field; `user_id` for nobody picked (specification 5). */
export function newRecordErrors(values: RecordFormValues, userId: string): Errors {
  return nameMissing(checkNew({ ...bodyOf(values), user_id: userId }) as Errors, fieldTexts.adminCreateIncomplete);
}

/** What is wrong with an edit, by field (specification 5). */
export function editErrors(values: RecordFormValues): Errors {
  const errors = nameMissing(checkEdit(bodyOf(values)) as Errors, fieldTexts.adminEditIncomplete);
  const undated = values.status === 'lunas' && values.payment_date === null;
  return undated ? { ...errors, payment_date: fieldTexts.paymentDateRequired } : errors;
}
