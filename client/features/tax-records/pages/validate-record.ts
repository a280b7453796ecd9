import { schemaResolver } from '@mantine/form';
import { type RequiredTexts, withRequiredTexts } from '#client/ui/form/field-errors.ts';
import {
  adminCreateRecordBody,
  adminUpdateRecordBody,
  createRecordBody,
  updateRecordBody,
} from '#shared/api/tax-records/tax-records.ts';
import { fieldTexts } from '#shared/texts.ts';
import type { RecordScope } from '../scope.ts';
import { formValuesToBody, type RecordFormValues } from '../form/record-form-values.ts';

export const requiredRecordTexts: RequiredTexts = {
  name: fieldTexts.nameRequired,
  address: fieldTexts.addressRequired,
  spt_number: fieldTexts.sptRequired,
  year: fieldTexts.yearRequired,
  amount: fieldTexts.amountRequired,
};

type Errors = Record<string, string>;

const validateOwnNew = schemaResolver(createRecordBody, { sync: true });
const validateOwnEdit = schemaResolver(updateRecordBody, { sync: true });
const validateAdminNew = schemaResolver(adminCreateRecordBody, { sync: true });
const validateAdminEdit = schemaResolver(adminUpdateRecordBody, { sync: true });

/** The errors of a user's new record, by field (R-REC-5). */
export function ownNewRecordErrors(values: RecordFormValues): Errors {
  return validateOwnNew(formValuesToBody(values)) as Errors;
}

/** The errors of an admin's new record, by field; `user_id` when no owner is picked (R-REC-7). */
export function adminNewRecordErrors(values: RecordFormValues, userId: string): Errors {
  return withRequiredTexts(
    validateAdminNew({ ...formValuesToBody(values), user_id: userId }),
    fieldTexts.adminCreateIncomplete,
    requiredRecordTexts,
  );
}

function ownEditErrors(values: RecordFormValues): Errors {
  return withRequiredTexts(
    validateOwnEdit(formValuesToBody(values)),
    fieldTexts.userEditIncomplete,
    requiredRecordTexts,
  );
}

function adminEditErrors(values: RecordFormValues): Errors {
  const errors = withRequiredTexts(
    validateAdminEdit(formValuesToBody(values)),
    fieldTexts.adminEditIncomplete,
    requiredRecordTexts,
  );
  const lacksPaymentDate = values.status === 'lunas' && values.payment_date === null;
  return lacksPaymentDate ? { ...errors, payment_date: fieldTexts.paymentDateRequired } : errors;
}

/** The errors of an edit, by field (R-REC-6, R-REC-8). */
export const editErrors: Record<RecordScope, (values: RecordFormValues) => Errors> = {
  own: ownEditErrors,
  admin: adminEditErrors,
};
