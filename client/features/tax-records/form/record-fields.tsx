import { NativeSelect, NumberInput, Textarea, TextInput } from '@mantine/core';
import type { FormErrors, UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import { ADDRESS_MAX, LONG_TEXT_MAX, NAME_MAX, SPT_NUMBER_MAX, YEAR_MAX, YEAR_MIN } from '#shared/limits.ts';
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
  /** Must stay the same function: then a key press draws one field and not the whole form, which cheap phones feel. */
  setField: UseFormReturnType<RecordFormValues>['setFieldValue'];
  /** The office may set the year; a resident's is fixed (contract 4). */
  isAdminForm: boolean;
  proof: ReactNode;
};

/** The sections of a record's form (specification 2.3). */
export function RecordFields({ values, errors, setField, isAdminForm, proof }: Props) {
  const isPaid = values.status === 'lunas';
  return (
    <>
      <FormSection title="Informasi Dasar" text="Siapa pemilik dan di mana letak objek pajaknya.">
        <TextInput
          label="Nama"
          description="Nama pemilik seperti tertulis di SPPT"
          required
          maxLength={NAME_MAX}
          autoComplete={isAdminForm ? 'off' : 'name'}
          value={values.name}
          onChange={(event) => setField('name', event.currentTarget.value)}
          error={errors['name']}
        />
        <Textarea
          label="Alamat"
          description="Letak tanah atau bangunan"
          required
          minRows={2}
          maxLength={ADDRESS_MAX}
          autoComplete={isAdminForm ? 'off' : 'street-address'}
          value={values.address}
          onChange={(event) => setField('address', event.currentTarget.value)}
          error={errors['address']}
        />
        <NativeSelect
          label="Jenis Properti"
          data={propertyOptions}
          value={values.property_type}
          onChange={(event) => setField('property_type', toPropertyType(event.currentTarget.value))}
          error={errors['property_type']}
        />
      </FormSection>

      <FormSection
        title="Informasi Pajak"
        text={isAdminForm ? 'Seperti tercantum di SPPT.' : 'Nomor SPT tercantum di bagian atas SPPT Anda.'}
      >
        <TextInput
          label="Nomor SPT"
          required
          maxLength={SPT_NUMBER_MAX}
          autoComplete="off"
          value={values.spt_number}
          onChange={(event) => setField('spt_number', event.currentTarget.value)}
          error={errors['spt_number']}
        />
        <div className={classes['pair']}>
          <TextInput label="Jenis Pajak" value={values.tax_type} readOnly className={classes['readOnly']} />
          {isAdminForm ? (
            <NumberInput
              label="Tahun"
              required
              min={YEAR_MIN}
              max={YEAR_MAX}
              // A wrong year is told, not changed in silence.
              clampBehavior="none"
              allowNegative={false}
              allowDecimal={false}
              value={values.year}
              onChange={(year) => setField('year', year)}
              error={errors['year']}
            />
          ) : (
            <TextInput label="Tahun" value={String(values.year)} readOnly className={classes['readOnly']} />
          )}
        </div>
      </FormSection>

      <FormSection title="Jumlah dan Status" text="Berapa yang harus dibayar, dan sudah sampai di mana.">
        <div className={classes['pair']}>
          <AmountField
            label="Jumlah"
            value={values.amount}
            onChange={(amount) => setField('amount', amount)}
            error={errors['amount']}
          />
          <NativeSelect
            label="Status"
            required
            data={statusOptions}
            value={values.status}
            onChange={(event) => setField('status', toRecordStatus(event.currentTarget.value))}
            error={errors['status']}
          />
        </div>
      </FormSection>

      {proof}

      <FormSection title="Tanggal" text="Tanggal jatuh tempo dipakai untuk mengenali tunggakan.">
        <div className={classes['pair']}>
          <DateField
            label="Tanggal Jatuh Tempo"
            withAsterisk
            value={values.due_date}
            onChange={(date) => setField('due_date', date)}
          />
          <DateField
            // A field of its own each time: the calendar must not stay open over one that is switched off.
            key={isPaid ? 'paid' : 'unpaid'}
            label="Tanggal Pembayaran"
            description={isPaid ? undefined : 'Tanggal pembayaran hanya bisa diisi jika status Lunas'}
            disabled={!isPaid}
            value={values.payment_date}
            onChange={(date) => setField('payment_date', date)}
            error={errors['payment_date']}
          />
        </div>
      </FormSection>

      <FormSection
        title="Deskripsi dan Catatan"
        text={isAdminForm ? 'Tidak wajib. Terbaca juga oleh warga.' : 'Tidak wajib. Untuk mengingatkan Anda sendiri.'}
      >
        <Textarea
          label="Deskripsi"
          maxLength={LONG_TEXT_MAX}
          value={values.description}
          onChange={(event) => setField('description', event.currentTarget.value)}
          error={errors['description']}
        />
        <Textarea
          label="Catatan"
          maxLength={LONG_TEXT_MAX}
          value={values.notes}
          onChange={(event) => setField('notes', event.currentTarget.value)}
          error={errors['notes']}
        />
      </FormSection>
    </>
  );
}
