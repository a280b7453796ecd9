import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { today } from '#client/lib/format.ts';
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

function PaidForm({ onSend }: { onSend: (date: string | null) => void }) {
  const [date, setDate] = useState<string | null>(null);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSend(date);
      }}
    >
      <DateField label="Bayar" value={date} onChange={setDate} withToday />
      <button type="submit">Simpan</button>
    </form>
  );
}

it('takes today with one press in place of an unfinished text, and the next Enter sends the form', async () => {
  const onSend = vi.fn<(date: string | null) => void>();
  const { user } = renderPage(<PaidForm onSend={onSend} />, { path: '/' });
  expect(field('Bayar').value).toBe('');
  await user.type(field('Bayar'), '31/2');
  await user.click(screen.getByRole('button', { name: 'Hari ini' }));
  expect(field('Bayar').value).toBe(today().split('-').toReversed().join('/'));
  expect(field('Bayar').dataset['invalidDate']).toBeUndefined();
  expect(document.activeElement).toBe(field('Bayar'));
  expect(isCalendarOpen()).toBe(false);
  // The key is still held down since the press.
  expect(fireEvent.keyDown(field('Bayar'), { key: 'Enter', repeat: true })).toBe(false);
  expect(onSend).not.toHaveBeenCalled();
  await user.keyboard('{Enter}');
  expect(onSend.mock.calls).toEqual([[today()]]);
});

it('opens no phone keyboard after a touch of today', async () => {
  renderPage(<PaidForm onSend={() => {}} />, { path: '/' });
  fireEvent(
    screen.getByRole('button', { name: 'Hari ini' }),
    new PointerEvent('click', { bubbles: true, pointerType: 'touch' }),
  );
  expect(field('Bayar').value).not.toBe('');
  expect(document.activeElement).toBe(document.body);
});
