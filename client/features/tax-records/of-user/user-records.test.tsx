import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { today } from '#client/lib/format.ts';
import { buildRecord, recordId } from '#client/testing/build-record.ts';
import { fakeServer, okAnswer, okListAnswer } from '#client/testing/fake-server.ts';
import { buildChecked } from '#client/testing/build-sums.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { OverdueSection } from './overdue-section.tsx';
import { UserRecordsSection } from './records-section.tsx';

const BULK = 'POST /api/admin/tax-records/bulk';
const overdue = buildRecord({ id: recordId(1), year: 2024, spt_number: 'SPT-A', due_date: '2024-09-30' });
const paid = buildRecord({
  id: recordId(2),
  year: 2023,
  spt_number: 'SPT-A',
  status: 'lunas',
  payment_date: '2023-09-01',
});

let server: ReturnType<typeof fakeServer>;
let records: TaxRecord[];
beforeEach(() => {
  signIn({ id: 'a1', name: 'Ratna Dewi', email: 'ratna@kantor.id', is_admin: true });
  server = fakeServer();
  records = [overdue, paid];
  server.on('GET /api/admin/tax-records', () => okListAnswer(records));
  server.on('GET /api/admin/users/u1/statistics', () => {
    const unpaid = records.filter(({ status }) => status !== 'lunas');
    const amount = unpaid.length * overdue.amount;
    return okAnswer({
      total_tax: 3_000_000,
      paid_tax: 3_000_000 - amount,
      unpaid_tax: amount,
      total_records: 2,
      paid_records: 2 - unpaid.length,
      unpaid_records: unpaid.length,
      outstanding_amount: amount,
      outstanding_records: unpaid.length,
      outstanding_estimated: { count: 0, amount: 0 },
      checked: buildChecked(2 - unpaid.length, 3_000_000 - amount),
    });
  });
  server.on(BULK, () => {
    records = [{ ...overdue, status: 'lunas', payment_date: today() }, paid];
    const updatedAt = '2026-01-02T00:00:00.000Z';
    const result = { changed: true, message: null, updated_at: updatedAt, updatedAt };
    return okAnswer({ results: [{ id: overdue.id, _id: overdue.id, ...result }] });
  });
});

const open = () =>
  renderPage(
    <>
      <h1 tabIndex={-1}>Siti Aminah</h1>
      <OverdueSection userId="u1" />
      <UserRecordsSection userId="u1" />
    </>,
  );
const section = (name: string) => within(screen.getByRole('region', { name }));
const NAME = 'Tandai Lunas Siti Aminah, SPT-A, 2024';

it('marks an unpaid record of a user as paid, and offers that for no paid one', async () => {
  const { user } = open();
  await user.click(await section('Tunggakan').findByRole('button', { name: NAME }));
  expect(section('Data PBB').getAllByRole('button')).toEqual([section('Data PBB').getByRole('button', { name: NAME })]);
  const question = within(await screen.findByRole('dialog', { name: 'Tandai 1 data lunas' }));
  await user.click(question.getByRole('button', { name: 'Hari ini' }));
  await user.click(question.getByRole('button', { name: 'Tandai Lunas' }));
  await section('Tunggakan').findByText('Tidak ada tunggakan');
  await waitFor(() => expect(section('Data PBB').queryByRole('button')).toBeNull());
  expect(server.callsOf(BULK).map(({ body }) => body)).toEqual([
    { changes: [{ id: overdue.id, updated_at: overdue.updated_at, status: 'lunas', payment_date: today() }] },
  ]);
  await waitFor(() => expect(document.activeElement?.tagName).toBe('H1'));
});

it('gives the focus back to the button when the question is cancelled', async () => {
  const { user } = open();
  const button = await section('Data PBB').findByRole('button', { name: NAME });
  await user.click(button);
  const question = within(await screen.findByRole('dialog', { name: 'Tandai 1 data lunas' }));
  await user.click(question.getByRole('button', { name: 'Batal' }));
  await waitFor(() => expect(document.activeElement).toBe(button));
  expect(server.callsOf(BULK)).toEqual([]);
});
