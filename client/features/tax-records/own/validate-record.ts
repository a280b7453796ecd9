import { schemaResolver } from '@mantine/form';
import { nameMissing } from '../form/missing-fields.ts';
import { bodyOf, type RecordFormValues } from '../form/record-form-values.ts';
import { createRecordBody, updateRecordBody } from '#shared/api/tax-records.ts';
import { fieldTexts } from '#shared/texts.ts';

type Errors = Record<string, string>;

const checkNew = schemaResolver(createRecordBody, { sync: true });
const checkEdit = schemaResolver(updateRecordBody, { sync: true });

/** What is wrong with a new record, by field (specification 5). */
export function newRecordErrors(values: RecordFormValues): Errors {
  return checkNew(bodyOf(values)) as Errors;
}

/** What is wrong with an edit, by field (specification 5). */
export function editErrors(values: RecordFormValues): Errors {
  return nameMissing(checkEdit(bodyOf(values)) as Errors, fieldTexts.userEditIncomplete);
}
