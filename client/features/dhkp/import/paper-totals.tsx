import { NumberInput, SimpleGrid, Stack, Switch } from '@mantine/core';
import { useState } from 'react';
import { FormSection } from '#client/ui/form/form-section.tsx';
import { BOOKS } from '#shared/domain/dhkp/books.ts';
import { bookText } from '../display/assessment-texts.ts';
import type { Choices } from './batch-choices.ts';

type Total = Choices['total'];

type Props = { choices: Choices; onChange: (changed: Partial<Choices>) => void };

/** The totals that a paper list states, typed to be compared with the rows: all, or by book. */
export function PaperTotals({ choices, onChange }: Props) {
  const hasBooks = choices.books.some(({ objects, amount }) => objects !== '' || amount !== '');
  const [isByBook, setIsByBook] = useState(hasBooks);
  return (
    <FormSection
      title="Jumlah di daftar kertas"
      text="Bila daftar kertas menyebut jumlah, ketik di sini. Yang dikosongkan tidak dibandingkan."
    >
      <TotalFields label="Semua" total={choices.total} onChange={(total) => onChange({ total })} />
      <Switch
        label="Juga per buku"
        checked={isByBook}
        onChange={(event) => {
          setIsByBook(event.currentTarget.checked);
          if (!event.currentTarget.checked) onChange({ books: BOOKS.map(() => ({ objects: '', amount: '' })) });
        }}
      />
      {isByBook ? (
        <Stack gap="md">
          {BOOKS.map((book, index) => (
            <TotalFields
              key={book}
              label={bookText(book)}
              total={choices.books[index] ?? { objects: '', amount: '' }}
              onChange={(total) => onChange({ books: choices.books.with(index, total) })}
            />
          ))}
        </Stack>
      ) : null}
    </FormSection>
  );
}

type TotalProps = { label: string; total: Total; onChange: (total: Total) => void };

function TotalFields({ label, total, onChange }: TotalProps) {
  return (
    <SimpleGrid cols={2} spacing="md" maw="32rem">
      <NumberInput
        label={`${label}: objek`}
        value={total.objects}
        onChange={(objects) => onChange({ ...total, objects })}
        min={0}
        allowDecimal={false}
        thousandSeparator="."
        decimalSeparator=","
        hideControls
      />
      <NumberInput
        label={`${label}: rupiah`}
        value={total.amount}
        onChange={(amount) => onChange({ ...total, amount })}
        min={0}
        decimalScale={2}
        thousandSeparator="."
        decimalSeparator=","
        allowedDecimalSeparators={[',']}
        hideControls
      />
    </SimpleGrid>
  );
}
