import { Checkbox, NativeSelect, NumberInput, Radio, SimpleGrid, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useId, useState } from 'react';
import { formatNumber } from '#client/lib/format.ts';
import { ChoiceCard } from '#client/ui/fields/choice-card.tsx';
import { FormSection } from '#client/ui/form/form-section.tsx';
import type { Batch } from '#shared/api/dhkp/batches.ts';
import type { ListField } from '#shared/domain/dhkp/list-fields.ts';
import type { Choices } from './batch-choices.ts';
import { kindLabels } from './batch-texts.ts';
import { columnLetters, isNopPart, listFieldLabels, NOP_PART_FIELDS } from './list-field-labels.ts';

const PREFIX_LENGTH = 10;

type Props = {
  batch: Batch;
  choices: Choices;
  onChange: (changed: Partial<Choices>) => void;
};

/** Everything that can be chosen about a file: sheets, header, columns, prefix and unit. */
export function ChoicesFields(props: Props) {
  return (
    <Stack gap="md">
      <LayoutFields {...props} />
      <ColumnFields {...props} />
      <MeaningFields {...props} />
    </Stack>
  );
}

function LayoutFields({ batch, choices, onChange }: Props) {
  return (
    <FormSection title="Lembar dan baris judul">
      {batch.sheets.length > 0 ? (
        <Checkbox.Group
          label="Lembar yang dibaca"
          value={choices.sheets.map(String)}
          onChange={(chosen) => onChange({ sheets: chosen.map(Number).toSorted((a, b) => a - b) })}
        >
          <Stack gap="xs" mt="xs">
            {batch.sheets.map(({ index, name, rows, hidden, header_row: header }) => (
              <Checkbox
                key={index}
                value={String(index)}
                label={name === '' ? 'Berkas ini' : name}
                description={[
                  `${formatNumber(rows)} baris`,
                  hidden ? 'lembar tersembunyi' : null,
                  header === null ? 'tanpa judul kolom' : `judul di baris ${formatNumber(header)}`,
                ]
                  .filter((part) => part !== null)
                  .join(' · ')}
              />
            ))}
          </Stack>
        </Checkbox.Group>
      ) : null}
      <NumberInput
        label="Baris judul kolom"
        description="Nomor baris seperti di lembar kerja. Judul dua atau tiga baris: baris pertamanya."
        w={{ base: '100%', xs: '16rem' }}
        value={choices.headerRow}
        onChange={(headerRow) => onChange({ headerRow })}
        min={1}
        allowDecimal={false}
        hideControls
      />
    </FormSection>
  );
}

const fields = Object.keys(listFieldLabels) as ListField[];

function ColumnFields({ batch, choices, onChange }: Props) {
  const hasParts = NOP_PART_FIELDS.some((field) => choices.columns[field] !== undefined);
  const [isSplit, setIsSplit] = useState(hasParts);
  const shown = fields.filter((field) => (isNopPart(field) ? isSplit : field !== 'nop' || !isSplit));
  const options = [
    { value: '', label: 'Tidak ada' },
    ...batch.headers.map((header, index) => ({
      value: String(index),
      label: columnLabel(header, index),
    })),
  ];

  function chooseColumn(field: ListField, column: string): void {
    const { [field]: _before, ...others } = choices.columns;
    onChange({ columns: column === '' ? others : { ...others, [field]: Number(column) } });
  }

  function split(next: boolean): void {
    setIsSplit(next);
    const kept = Object.entries(choices.columns).filter(([field]) =>
      next ? field !== 'nop' : !isNopPart(field as ListField),
    );
    onChange({ columns: Object.fromEntries(kept) });
  }

  return (
    <FormSection title="Kolom" text="Kolom NOP dan kolom ketetapan harus dipilih. Kolom lain boleh dikosongkan.">
      <Switch
        label="NOP terbagi di tujuh kolom"
        checked={isSplit}
        onChange={(event) => split(event.currentTarget.checked)}
      />
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 3 }} spacing="md">
        {shown.map((field) => (
          <NativeSelect
            key={field}
            label={listFieldLabels[field]}
            description={sampleText(choices.columns[field], batch.samples)}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            required={field === 'amount' || field === 'nop' || isNopPart(field)}
            data={options}
            value={String(choices.columns[field] ?? '')}
            onChange={(event) => chooseColumn(field, event.currentTarget.value)}
          />
        ))}
      </SimpleGrid>
      {batch.unknown_headers.length > 0 ? (
        <Text fz="sm" c="dimmed">
          Kolom yang tidak dipakai: {batch.unknown_headers.join(', ')}
        </Text>
      ) : null}
    </FormSection>
  );
}

/** A column of the file: 'B: NOP', or its letters alone where the file has no header. */
function columnLabel(header: string, index: number): string {
  const letters = columnLetters(index);
  if (header === `Kolom ${letters}`) return header;
  return `${letters}: ${header === '' ? '(tanpa judul)' : header}`;
}

/** The first texts of a chosen column: 'Contoh: 45.000 · 52.000'. */
function sampleText(column: number | undefined, samples: Batch['samples']): string | undefined {
  if (column === undefined) return undefined;
  const texts = samples.map((row) => row[column] ?? '').filter((text) => text !== '');
  return texts.length === 0 ? 'Baris pertamanya kosong' : `Contoh: ${texts.join(' · ')}`;
}

const isMultiplier = (value: string): value is '1' | '1000' => value === '1' || value === '1000';
const isKind = (value: string): value is Choices['kind'] => value === 'list' || value === 'payments';

function MeaningFields({ choices, onChange }: Props) {
  const multiplierId = useId();
  const kindId = useId();
  return (
    <FormSection title="Isi berkas">
      <Radio.Group
        id={multiplierId}
        label="Satuan ketetapan"
        value={choices.multiplier}
        onChange={(value) => {
          if (isMultiplier(value)) onChange({ multiplier: value });
        }}
      >
        <SimpleGrid cols={{ base: 1, xs: 2 }} mt="xs">
          <ChoiceCard value="1" title="Rupiah penuh" text="45.000 berarti Rp 45.000" />
          <ChoiceCard value="1000" title="Ribuan rupiah" text="45 berarti Rp 45.000" />
        </SimpleGrid>
      </Radio.Group>
      <Radio.Group
        id={kindId}
        label="Isi berkas"
        value={choices.kind}
        onChange={(value) => {
          if (isKind(value)) onChange({ kind: value });
        }}
      >
        <SimpleGrid cols={{ base: 1, xs: 2 }} mt="xs">
          <ChoiceCard value="list" title={kindLabels.list} text="Objek dengan ketetapannya" />
          <ChoiceCard
            value="payments"
            title={kindLabels.payments}
            text="Hanya mencatat pembayaran menurut kantor pajak"
          />
        </SimpleGrid>
      </Radio.Group>
      <TextInput
        label="Awalan NOP"
        description="10 angka pertama NOP desa, untuk NOP yang ditulis 8 angka."
        inputMode="numeric"
        maxLength={PREFIX_LENGTH}
        w={{ base: '100%', xs: '16rem' }}
        value={choices.prefix}
        onChange={(event) => onChange({ prefix: event.currentTarget.value.replaceAll(/\D/g, '') })}
      />
      <Switch
        label="Berkas memuat semua objek desa"
        description="Objek yang tidak ada di berkas ditandai 'Tidak ada lagi'. Tidak ada yang dihapus."
        checked={choices.complete}
        onChange={(event) => onChange({ complete: event.currentTarget.checked })}
      />
      <Switch
        label="Pakai kolom perubahan pajak sebagai ketetapan"
        checked={choices.useChanged}
        onChange={(event) => onChange({ useChanged: event.currentTarget.checked })}
      />
      <Switch
        label="Ikutkan objek desa lain"
        checked={choices.includeOtherVillage}
        onChange={(event) => onChange({ includeOtherVillage: event.currentTarget.checked })}
      />
    </FormSection>
  );
}
