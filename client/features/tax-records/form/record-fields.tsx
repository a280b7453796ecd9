import { NativeSelect, NumberInput, Textarea, TextInput } from '@mantine/core';
import type { FormErrors, UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import { ADDRESS_MAX, LONG_TEXT_MAX, NAME_MAX, SPT_NUMBER_MAX, YEAR_MAX, YEAR_MIN } from '#shared/limits.ts';
import {
  type BodyField,
  LONG_TEXT_FIELDS,
  type LongTextField,
  taxRecordFields,
} from '#shared/domain/tax-record-fields.ts';
import { NO_PROPERTY_TYPE_LABEL, propertyTypeLabels, statusLabels } from '#shared/texts.ts';
import { toPropertyType, toRecordStatus, type RecordFormValues } from './record-form-values.ts';
import { AmountField } from './amount-field.tsx';
import { DateField } from '#client/ui/form/date-field.tsx';
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
  /** Admins may set the year; that of a user is fixed (R-REC-5). */
  isAdminForm: boolean;
  proof: ReactNode;
};

/** The sections of a record's form (R-REC-15). */
export function RecordFields({ values, errors, setField, isAdminForm, proof }: Props) {
  const isPaid = values.status === 'lunas';
  const inputs = {
    name: (
      <TextInput
        label={taxRecordFields.name.label}
        description="Nama pemilik seperti tertulis di SPPT"
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
        minRows={2}
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
        className={classes['readOnly']}
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
      <TextInput
        label={taxRecordFields.year.label}
        value={String(values.year)}
        readOnly
        className={classes['readOnly']}
      />
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
        label={taxRecordFields.due_date.label}
        withAsterisk
        value={values.due_date}
        onChange={(date) => setField('due_date', date)}
      />
    ),
    payment_date: (
      <DateField
        // The key makes a new input, so that an open calendar does not stay over a disabled one.
        key={isPaid ? 'paid' : 'unpaid'}
        label={taxRecordFields.payment_date.label}
        description={isPaid ? undefined : 'Tanggal pembayaran hanya bisa diisi jika status Lunas'}
        disabled={!isPaid}
        value={values.payment_date}
        onChange={(date) => setField('payment_date', date)}
        error={errors['payment_date']}
      />
    ),
  } satisfies Record<Exclude<BodyField, LongTextField>, ReactNode>;

  return (
    <>
      <FormSection title="Informasi Dasar" text="Siapa pemilik dan di mana letak objek pajaknya.">
        {inputs.name}
        {inputs.address}
        {inputs.property_type}
      </FormSection>

      <FormSection
        title="Informasi Pajak"
        text={isAdminForm ? 'Seperti tercantum di SPPT.' : 'Nomor SPT tercantum di bagian atas SPPT Anda.'}
      >
        {inputs.spt_number}
        <div className={classes['pair']}>
          {inputs.tax_type}
          {inputs.year}
        </div>
      </FormSection>

      <FormSection title="Jumlah dan Status" text="Berapa yang harus dibayar, dan sudah sampai di mana.">
        <div className={classes['pair']}>
          {inputs.amount}
          {inputs.status}
        </div>
      </FormSection>

      {proof}

      <FormSection title="Tanggal" text="Tanggal jatuh tempo dipakai untuk mengenali tunggakan.">
        <div className={classes['pair']}>
          {inputs.due_date}
          {inputs.payment_date}
        </div>
      </FormSection>

      <FormSection
        // Names the long texts that exist. A further one needs another title, and no test notices.
        title="Deskripsi dan Catatan"
        text={isAdminForm ? 'Tidak wajib. Terbaca juga oleh warga.' : 'Tidak wajib. Untuk mengingatkan Anda sendiri.'}
      >
        {LONG_TEXT_FIELDS.map((field) => (
          <Textarea
            key={field}
            label={taxRecordFields[field].label}
            maxLength={LONG_TEXT_MAX}
            value={values[field]}
            onChange={(event) => setField(field, event.currentTarget.value)}
            error={errors[field]}
          />
        ))}
      </FormSection>
    </>
  );
}
