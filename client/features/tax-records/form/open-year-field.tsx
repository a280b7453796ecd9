import { NativeSelect, TextInput } from '@mantine/core';
import { today } from '#client/lib/format.ts';
import { yearOf } from '#shared/domain/dates.ts';
import { taxRecordFields } from '#shared/domain/tax-record-fields.ts';
import classes from './record-form.module.css';

/** What a user does about an SPPT of a year that is not open. */
export const askToOpen = (year: number): string => `minta kantor membuka tahun ${year} lewat chat.`;

type Props = {
  year: number | string;
  years: readonly number[];
  isNew: boolean;
  onChange: (year: number) => void;
};

/** The tax year of a user's record: one of those that are open, or fixed when there is one alone (R-REC-15). */
export function OpenYearField({ year, years, isNew, onChange }: Props) {
  if (years.length > 1) {
    return (
      <NativeSelect
        label={taxRecordFields.year.label}
        description="Tahun pajak yang tertulis pada SPPT"
        required
        data={years.map(String)}
        value={String(year)}
        onChange={(event) => onChange(Number(event.currentTarget.value))}
      />
    );
  }
  const thisYear = yearOf(today());
  return (
    <TextInput
      label={taxRecordFields.year.label}
      value={String(year)}
      readOnly
      variant="unstyled"
      className={classes['fixed'] ?? ''}
      inputWrapperOrder={['label', 'input', 'description']}
      description={isNew && Number(year) < thisYear ? `SPPT tahun ${thisYear}: ${askToOpen(thisYear)}` : undefined}
    />
  );
}
