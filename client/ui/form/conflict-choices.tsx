import { Paper, Radio, Stack, Text, Title } from '@mantine/core';
import { IconGitMerge } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { errorTexts } from '#shared/texts.ts';
import { ChoiceCard } from '../fields/choice-card.tsx';
import classes from './conflict-choices.module.css';

/** A field in which the stored and the typed version differ. `choice` is null once the field has a third value. */
export type ConflictField<Field extends string> = {
  field: Field;
  label: string;
  stored: string;
  typed: string;
  choice: 'stored' | 'typed' | null;
};

type Props<Field extends string> = {
  fields: readonly ConflictField<Field>[];
  onChoose: (field: Field, version: 'stored' | 'typed') => void;
  /** A change that no field shows. */
  note?: string | null;
};

/** Shows what is stored now beside what was typed, with a choice for each field. */
export function ConflictChoices<Field extends string>({ fields, onChoose, note = null }: Props<Field>) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
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
        {fields.map(({ field, label, stored, typed, choice }) => (
          <Radio.Group
            key={field}
            label={label}
            value={choice}
            onChange={(next) => onChoose(field, next === 'stored' ? 'stored' : 'typed')}
          >
            <div className={classes['versions']}>
              <ChoiceCard value="stored" title={stored} text="Tersimpan sekarang" />
              <ChoiceCard value="typed" title={typed} text="Isian Anda" />
            </div>
          </Radio.Group>
        ))}
        {note === null ? null : <Text fz="sm">{note}</Text>}
      </Stack>
    </Paper>
  );
}
