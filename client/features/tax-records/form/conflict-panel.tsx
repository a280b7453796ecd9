import { ConflictChoices } from '#client/ui/form/conflict-choices.tsx';
import { taxRecordFields } from '#shared/domain/tax-records/tax-record-fields.ts';
import { formatRecordValue } from '../display/record-field-texts.ts';
import { comparableValue, type MergedField, sameField } from './merge-record.ts';
import type { RecordFormValues } from './record-form-values.ts';

export type Conflict = {
  stored: RecordFormValues;
  typed: RecordFormValues;
  fields: MergedField[];
  proofChanged: boolean;
};

function formatTypedValue(values: RecordFormValues, field: MergedField): string {
  // A year that is not a number is shown as it was typed.
  const value = field === 'year' ? String(values.year) : comparableValue(values, field);
  return formatRecordValue(field, value);
}

type Props = {
  conflict: Conflict;
  values: RecordFormValues;
  onChoose: (field: MergedField, from: RecordFormValues) => void;
};

/** Shows two versions of a record side by side, with a choice for each field. */
export function ConflictPanel({ conflict, values, onChoose }: Props) {
  const { stored, typed, fields, proofChanged } = conflict;

  function choiceOf(field: MergedField): 'stored' | 'typed' | null {
    if (sameField(values, stored, field)) return 'stored';
    return sameField(values, typed, field) ? 'typed' : null;
  }

  return (
    <ConflictChoices
      fields={fields.map((field) => ({
        field,
        label: taxRecordFields[field].label,
        stored: formatTypedValue(stored, field),
        typed: formatTypedValue(typed, field),
        choice: choiceOf(field),
      }))}
      onChoose={(field, version) => onChoose(field, version === 'stored' ? stored : typed)}
      note={proofChanged ? 'Bukti pembayaran juga telah diubah; yang terbaru terlihat di bawah.' : null}
    />
  );
}
