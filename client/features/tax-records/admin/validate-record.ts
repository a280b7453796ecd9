import { schemaResolver } from '@mantine/form';
import { withRequiredRecordTexts } from '../form/missing-fields.ts';
import { formValuesToBody, type RecordFormValues } from '../form/record-form-values.ts';
import { adminCreateRecordBody, adminUpdateRecordBody } from '#shared/api/tax-records.ts';
import { fieldTexts } from '#shared/texts.ts';

type Errors = Record<string, string>;

const validateNew = schemaResolver(adminCreateRecordBody, { sync: true });
const validateEdit = schemaResolver(adminUpdateRecordBody, { sync: true });

/** What is wrong with a record for somebody, by field; `user_id` for nobody picked (specification 5). */
export function adminNewRecordErrors(values: RecordFormValues, userId: string): Errors {
  return withRequiredRecordTexts(
    validateNew({ ...formValuesToBody(values), user_id: userId }) as Errors,
    fieldTexts.adminCreateIncomplete,
  );
}

/** What is wrong with an edit, by field (specification 5). */
export function adminEditErrors(values: RecordFormValues): Errors {
  const errors = withRequiredRecordTexts(
    validateEdit(formValuesToBody(values)) as Errors,
    fieldTexts.adminEditIncomplete,
  );
  const lacksPaymentDate = values.status === 'lunas' && values.payment_date === null;
  return lacksPaymentDate ? { ...errors, payment_date: fieldTexts.paymentDateRequired } : errors;
}
