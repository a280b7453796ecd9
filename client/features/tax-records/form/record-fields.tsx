import { Group, NativeSelect, NumberInput, Textarea, TextInput } from '@mantine/core';
import type { FormErrors, UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import { ADDRESS_MAX, NAME_MAX, SPT_NUMBER_MAX, YEAR_MAX, YEAR_MIN } from '#shared/limits.ts';
import { type BodyField, type LongTextField, taxRecordFields } from '#shared/domain/tax-records/tax-record-fields.ts';
import { NO_PROPERTY_TYPE_LABEL, propertyTypeLabels, statusLabels } from '#shared/labels.ts';
import { toPropertyType, toRecordStatus, type RecordFormValues } from './record-form-values.ts';
import { PaymentDateField } from '../display/payment-date-field.tsx';
import { AmountField } from './amount-field.tsx';
import { RecordNotes } from './record-notes.tsx';
import { today } from '#client/lib/format.ts';
import { yearOf } from '#shared/domain/dates/dates.ts';
import { DateField } from '#client/ui/fields/date-field.tsx';
import { FormSection } from '#client/ui/form/form-section.tsx';
import classes from './record-form.module.css';

const statusOptions = Object.entries(statusLabels).map(([value, label]) => ({ value, label }));
const propertyOptions = [
  { value: '', label: NO_PROPERTY_TYPE_LABEL },
  ...Object.entries(propertyTypeLabels).map(([value, label]) => ({ value, label })),
];

type Props = {
  values: RecordFormValues;
  errors: FormErrors;
  /** Must stay the same function. Then a key press renders one field and not the whole form, which is slow on cheap phones. */
  setField: UseFormReturnType<RecordFormValues>['setFieldValue'];
  /** Admins may set any year (R-REC-7). */
  isAdminForm: boolean;
  /** The years that a user may choose, newest first; with one the year is fixed (R-REC-5). */
  years: readonly number[];
  isNew: boolean;
  proof: ReactNode;
};

/** The sections of a record's form (R-REC-15). */
export function RecordFields({ values, errors, setField, isAdminForm, years, isNew, proof }: Props) {
  const isPaid = values.status === 'lunas';

  const inputs = {
    name: (
      <TextInput
        label={taxRecordFields.name.label}
        required
        maxLength={NAME_MAX}
        autoComplete={isAdminForm ? 'off' : 'name'}
        value={values.name}
        onChange={(event) => setField('name', event.currentTarget.value)}
        error={errors['name']}
      />
    ),
    address: (
      <Textarea
        label={taxRecordFields.address.label}
        description="Letak tanah atau bangunan"
        required
        minRows={1}
        maxLength={ADDRESS_MAX}
        autoComplete={isAdminForm ? 'off' : 'street-address'}
        value={values.address}
        onChange={(event) => setField('address', event.currentTarget.value)}
        error={errors['address']}
      />
    ),
    property_type: (
      <NativeSelect
        label={taxRecordFields.property_type.label}
        data={propertyOptions}
        value={values.property_type}
        onChange={(event) => setField('property_type', toPropertyType(event.currentTarget.value))}
        error={errors['property_type']}
      />
    ),
    spt_number: (
      <TextInput
        label={taxRecordFields.spt_number.label}
        description="NOP, 18 angka, di bagian atas SPPT"
        placeholder="contoh: 32.04.050.001.012-0034.0"
        required
        maxLength={SPT_NUMBER_MAX}
        autoComplete="off"
        value={values.spt_number}
        onChange={(event) => setField('spt_number', event.currentTarget.value)}
        error={errors['spt_number']}
      />
    ),
    tax_type: (
      <TextInput
        label={taxRecordFields.tax_type.label}
        value={values.tax_type}
        readOnly
        variant="unstyled"
        className={classes['fixed'] ?? ''}
      />
    ),
    year: isAdminForm ? (
      <NumberInput
        label={taxRecordFields.year.label}
        required
        min={YEAR_MIN}
        max={YEAR_MAX}
        // A year out of range gets an error message; the input does not change it silently.
        clampBehavior="none"
        allowNegative={false}
        allowDecimal={false}
        value={values.year}
        onChange={(year) => setField('year', year)}
        error={errors['year']}
      />
    ) : (
      <OpenYearField year={values.year} years={years} isNew={isNew} onChange={(year) => setField('year', year)} />
    ),
    amount: (
      <AmountField
        label={taxRecordFields.amount.label}
        value={values.amount}
        onChange={(amount) => setField('amount', amount)}
        error={errors['amount']}
      />
    ),
    status: (
      <NativeSelect
        label={taxRecordFields.status.label}
        required
        data={statusOptions}
        value={values.status}
        onChange={(event) => setField('status', toRecordStatus(event.currentTarget.value))}
        error={errors['status']}
      />
    ),
    due_date: (
      <DateField
        // The key makes a new calendar, which opens at another year.
        key={`due-${values.year}`}
        label={taxRecordFields.due_date.label}
        withAsterisk
        openAt={dueMonth(values.year)}
        description={<OtherYearHint values={values} years={isAdminForm ? null : years} isNew={isNew} />}
        value={values.due_date}
        onChange={(date) => setField('due_date', date)}
      />
    ),
    payment_date: (
      <PaymentDateField
        // The key makes a new input, so that an open calendar does not stay over a disabled one.
        key={isPaid ? 'paid' : 'unpaid'}
        acceptsLater
        description={
          isPaid ? paymentDateWarning(values.payment_date) : 'Tanggal pembayaran hanya bisa diisi jika status Lunas'
        }
        disabled={!isPaid}
        value={values.payment_date}
        onChange={(date) => setField('payment_date', date)}
        error={errors['payment_date']}
      />
    ),
  } satisfies Record<Exclude<BodyField, LongTextField>, ReactNode>;

  return (
    <>
      <div className={classes['columns']}>
        <div className={classes['column']}>
          <FormSection title="Informasi Dasar">
            {inputs.name}
            {inputs.address}
            {inputs.property_type}
          </FormSection>
          <FormSection title="Informasi Pajak">
            {inputs.spt_number}
            {isAdminForm || years.length > 1 ? (
              <div className={classes['pair']}>
                {inputs.tax_type}
                {inputs.year}
              </div>
            ) : (
              <Group gap="0 1.5rem" align="stretch">
                {inputs.tax_type}
                {inputs.year}
              </Group>
            )}
          </FormSection>
        </div>
        <div className={classes['column']}>
          <FormSection title="Jumlah dan Status">
            <div className={classes['pair']}>
              {inputs.amount}
              {inputs.status}
            </div>
            {isPaid || isAdminForm ? inputs.payment_date : null}
          </FormSection>
          {proof}
          <FormSection title="Tanggal">{inputs.due_date}</FormSection>
        </div>
      </div>
      <RecordNotes values={values} errors={errors} setField={setField} isAdminForm={isAdminForm} />
    </>
  );
}

/** A date after today is mostly a slip of typing. It can still be saved. */
function paymentDateWarning(date: string | null): ReactNode {
  if (date === null || date <= today()) return undefined;
  return (
    <span className={classes['warning']}>Tanggal ini setelah hari ini. Periksa sekali lagi sebelum menyimpan.</span>
  );
}

/** PBB is mostly due at the end of September. undefined while the year is unfinished. */
function dueMonth(year: number | string): string | undefined {
  return typeof year === 'number' && year >= YEAR_MIN && year <= YEAR_MAX ? `${year}-09-01` : undefined;
}

type OtherYearProps = {
  values: RecordFormValues;
  /** The years that a user may choose; null for an admin, who may choose any. */
  years: readonly number[] | null;
  isNew: boolean;
};

/** A hint when the due date is in another year than the tax. It is allowed (R-REC-15). */
function OtherYearHint({ values: { due_date: dueDate, year }, years, isNew }: OtherYearProps) {
  if (dueDate === null || typeof year !== 'number' || dueMonth(year) === undefined) return null;
  const dueYear = yearOf(dueDate);
  if (dueYear === year) return null;
  const text = `Jatuh tempo ${dueYear}, tetapi tahun pajak ${year}.`;
  if (years === null) return text;
  // Never 'Tahun Baru': it would make a second bill of the same paper.
  const asking = isNew ? `jangan disimpan dulu: ${askToOpen(dueYear)}` : 'minta kantor memperbaikinya lewat chat.';
  const advice = years.includes(dueYear) ? `pilih Tahun ${dueYear} di atas.` : asking;
  return (
    <span className={classes['warning']}>
      {text} Bila pada SPPT tertulis tahun {dueYear}, {advice}
    </span>
  );
}

/** The advice for an SPPT of a year that is not open. */
const askToOpen = (year: number): string => `minta kantor membuka tahun ${year} lewat chat.`;

type OpenYearProps = {
  year: number | string;
  years: readonly number[];
  isNew: boolean;
  onChange: (year: number) => void;
};

/** The tax year of a user's record: one of those that are open, or fixed when there is one alone (R-REC-15). */
function OpenYearField({ year, years, isNew, onChange }: OpenYearProps) {
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
