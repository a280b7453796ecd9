import { Paper, Radio, Stack, Text, Title } from '@mantine/core';
import { IconGitMerge } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { taxRecordFields } from '#shared/domain/tax-records/tax-record-fields.ts';
import { errorTexts } from '#shared/texts.ts';
import { comparableValue, type MergedField, sameField } from './merge-record.ts';
import type { RecordFormValues } from './record-form-values.ts';
import { formatRecordValue } from '../display/record-field-texts.ts';
import { ChoiceCard } from '#client/ui/fields/choice-card.tsx';
import classes from './conflict-panel.module.css';

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
              label={taxRecordFields[field].label}
              value={choice === 'typed' && !sameField(values, typed, field) ? null : choice}
              onChange={(next) => onChoose(field, next === 'stored' ? stored : typed)}
            >
              <div className={classes['versions']}>
                <ChoiceCard value="stored" title={formatTypedValue(stored, field)} text="Tersimpan sekarang" />
                <ChoiceCard value="typed" title={formatTypedValue(typed, field)} text="Isian Anda" />
              </div>
            </Radio.Group>
          );
        })}
        {proofChanged ? <Text fz="sm">Bukti pembayaran juga telah diubah; yang terbaru terlihat di bawah.</Text> : null}
      </Stack>
    </Paper>
  );
}
