import { schemaResolver } from '@mantine/form';
import { withRequiredRecordTexts } from '../form/missing-fields.ts';
import { formValuesToBody, type RecordFormValues } from '../form/record-form-values.ts';
import { createRecordBody, updateRecordBody } from '#shared/api/tax-records.ts';
import { fieldTexts } from '#shared/texts.ts';

type Errors = Record<string, string>;

const validateNew = schemaResolver(createRecordBody, { sync: true });
const validateEdit = schemaResolver(updateRecordBody, { sync: true });

/** What is wrong with a new record, by field (specification 5). */
export function ownNewRecordErrors(values: RecordFormValues): Errors {
  return validateNew(formValuesToBody(values)) as Errors;
}

/** What is wrong with an edit, by field (specification 5). */
export function ownEditErrors(values: RecordFormValues): Errors {
  return withRequiredRecordTexts(validateEdit(formValuesToBody(values)) as Errors, fieldTexts.userEditIncomplete);
}
