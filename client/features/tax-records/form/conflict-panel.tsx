import { Paper, Radio, Stack, Text, Title } from '@mantine/core';
import { IconGitMerge } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { formatRupiah, showDate } from '#client/lib/format.ts';
import { errorTexts } from '#shared/texts.ts';
import { type RecordField, sameField } from './merge-record.ts';
import { parseTypedNumber, type RecordFormValues } from './record-form-values.ts';
import { propertyLabel, statusLabel } from '../display/record-labels.ts';
import { ChoiceCard } from '#client/ui/form/choice-card.tsx';
import classes from './conflict-panel.module.css';

export type Conflict = {
  stored: RecordFormValues;
  typed: RecordFormValues;
  fields: RecordField[];
  proofChanged: boolean;
};

const fieldLabels: Record<RecordField, string> = {
  name: 'Nama',
  address: 'Alamat',
  property_type: 'Jenis Properti',
  spt_number: 'Nomor SPT',
  year: 'Tahun',
  amount: 'Jumlah',
  status: 'Status',
  due_date: 'Tanggal Jatuh Tempo',
  payment_date: 'Tanggal Pembayaran',
  description: 'Deskripsi',
  notes: 'Catatan',
};

function formatFieldValue(values: RecordFormValues, field: RecordField): string {
  if (field === 'amount') {
    const amount = parseTypedNumber(values.amount);
    return amount === null ? '(kosong)' : formatRupiah(amount);
  }
  if (field === 'year') return String(values.year) || '(kosong)';
  if (field === 'status') return statusLabel(values.status);
  if (field === 'property_type') return propertyLabel(values.property_type || null);
  if (field === 'due_date' || field === 'payment_date') return values[field] ? showDate(values[field]) : '(kosong)';
  return values[field].trim() || '(kosong)';
}

type Props = {
  conflict: Conflict;
  values: RecordFormValues;
  onChoose: (field: RecordField, from: RecordFormValues) => void;
};

/** Two versions of one record side by side, and which of them is to count in each field. */
export function ConflictPanel({ conflict, values, onChoose }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { stored, typed, fields, proofChanged } = conflict;

  return (
    <Paper component="section" withBorder p="lg" className={classes['panel']} aria-labelledby="perubahan-lain">
      <Stack gap="md">
        <div>
          <Title order={2} fz="h3" id="perubahan-lain" ref={heading} tabIndex={-1} className={classes['title']}>
            <IconGitMerge size={22} aria-hidden /> {errorTexts.conflict}
          </Title>
          <Text mt={4}>
            {fields.length > 0
              ? 'Data terbaru sudah dimuat, dan isian Anda tidak hilang. Pilih isi yang dipakai, lalu simpan lagi.'
              : 'Data terbaru sudah dimuat, dan sama dengan isian Anda. Simpan lagi untuk melanjutkan.'}
          </Text>
        </div>
        {fields.map((field) => {
          const choice = sameField(values, stored, field) ? 'stored' : 'typed';
          return (
            <Radio.Group
              key={field}
              label={fieldLabels[field]}
              value={choice === 'typed' && !sameField(values, typed, field) ? null : choice}
              onChange={(next) => onChoose(field, next === 'stored' ? stored : typed)}
            >
              <div className={classes['versions']}>
                <ChoiceCard value="stored" title={formatFieldValue(stored, field)} text="Tersimpan sekarang" />
                <ChoiceCard value="typed" title={formatFieldValue(typed, field)} text="Isian Anda" />
              </div>
            </Radio.Group>
          );
        })}
        {proofChanged ? <Text fz="sm">Bukti pembayaran juga telah diubah; yang terbaru terlihat di bawah.</Text> : null}
      </Stack>
    </Paper>
  );
}
