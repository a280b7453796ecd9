import { Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Money } from '#client/ui/data/money.tsx';
import { formatNumber } from '#client/lib/format.ts';
import type { NewYearPreview } from './new-year-preview.ts';
import { ChoiceCard } from '#client/ui/form/choice-card.tsx';

type Props = { previews: NewYearPreview[]; onChoose: (year: number) => void };

function previewText({ year, count, hasSource }: NewYearPreview): string {
  if (count > 0) return `${formatNumber(count)} data baru`;
  return hasSource ? 'Sudah lengkap' : `Belum ada data tahun ${year - 1}`;
}

function NewYearOutcome({ preview: { year, count, amount, hasSource } }: { preview: NewYearPreview }) {
  if (count > 0) {
    return (
      <>
        <strong>{formatNumber(count)} data PBB</strong> untuk <strong>tahun {year}</strong> akan dibuat dari data tahun{' '}
        {year - 1}, dengan jumlah seluruhnya <Money amount={amount} />.
      </>
    );
  }
  return (
    <>
      Tidak ada data yang perlu dibuat untuk <strong>tahun {year}</strong>:{' '}
      {hasSource ? 'datanya sudah lengkap.' : `belum ada data tahun ${year - 1} untuk disalin.`}
    </>
  );
}

/** The content of the question: the records that will be created, and the choice of the year (R-YEAR-9). */
export function NewYearChoice({ previews, onChoose }: Props) {
  const [year, setYear] = useState(previews[0]?.year);
  const chosen = previews.find((preview) => preview.year === year);
  if (!chosen) return null;

  function choose(value: string) {
    setYear(Number(value));
    onChoose(Number(value));
  }

  return (
    <Stack gap="md">
      <Text aria-live="polite">
        <NewYearOutcome preview={chosen} />
      </Text>
      {previews.length > 1 ? (
        <Radio.Group label="Tahun yang dibuat" value={String(chosen.year)} onChange={choose}>
          <Stack gap="xs" mt={4}>
            {previews
              .toSorted((a, b) => a.year - b.year)
              .map((preview) => (
                <ChoiceCard
                  key={preview.year}
                  value={String(preview.year)}
                  title={String(preview.year)}
                  text={previewText(preview)}
                />
              ))}
          </Stack>
        </Radio.Group>
      ) : null}
      <Text c="dimmed" fz="sm">
        Jumlah pajak naik 10% dan statusnya Belum Lunas. Data tahun {chosen.year - 1} tidak berubah.
      </Text>
    </Stack>
  );
}
