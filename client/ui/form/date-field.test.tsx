import { screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { renderPage } from '#client/testing/render.tsx';
import { DateField } from './date-field.tsx';

const latest = { date: '2026-11-22', text: 'Terlalu lama' };

function Fields() {
  const [date, setDate] = useState<string | null>('2026-11-20');
  const [other, setOther] = useState<string | null>('2026-11-21');
  return (
    <>
      <DateField label="Bayar" value={date} onChange={setDate} latest={latest} />
      <DateField label="Lain" value={other} onChange={setOther} />
      <output>{date ?? 'kosong'}</output>
    </>
  );
}

const open = () => renderPage(<Fields />, { path: '/' });
const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });
const isCalendarOpen = () => screen.queryByRole('button', { name: 'Bulan berikutnya' }) !== null;

it('closes the calendar with Enter, and opens it again with a press or a key', async () => {
  const { user } = open();
  await user.click(field('Lain'));
  await screen.findByRole('button', { name: 'Bulan berikutnya' });
  await user.keyboard('{Enter}');
  await expect.poll(isCalendarOpen).toBe(false);
  await user.click(field('Lain'));
  await screen.findByRole('button', { name: 'Bulan berikutnya' });
});

it('leads with Tab from a date to the next one, and is cleared by emptying its text', async () => {
  const { user } = open();
  await user.click(field('Bayar'));
  await user.tab();
  expect(document.activeElement).toBe(field('Lain'));
  await user.clear(field('Bayar'));
  expect(screen.getByRole('status').textContent).toBe('kosong');
});

it('says at once that a date is later than the latest one, and does not take it', async () => {
  const { user } = open();
  await user.clear(field('Bayar'));
  await user.type(field('Bayar'), '28/11/2026');
  await screen.findByText(latest.text);
  expect(screen.getByRole('status').textContent).toBe('kosong');
  await user.clear(field('Bayar'));
  await user.type(field('Bayar'), '22/11/2026');
  expect(screen.queryByText(latest.text)).toBeNull();
  expect(screen.getByRole('status').textContent).toBe('2026-11-22');
});
