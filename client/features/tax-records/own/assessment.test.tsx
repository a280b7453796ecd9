import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { buildRecord, recordId } from '#client/testing/build-record.ts';
import { failAnswer, fakeServer, networkError, okAnswer, okListAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import { screenWidth } from '#client/testing/screen-width.ts';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { AdminRecordDetail } from '../admin/detail-page.tsx';
import { OwnRecordDetail } from './detail-page.tsx';
import { OwnRecordListPage } from './list/list-page.tsx';

const ID = recordId(5);
const NOP = '351518001200100340';
const WRITTEN = '35.15.180.012.001-0034.0';
const ADOPT = `POST /api/tax-records/${ID}/adopt-assessment`;
const EDIT = `PUT /api/tax-records/${ID}`;
const AMOUNT_DIFFERS = 'Ketetapan kantor Rp 52.000, data Anda Rp 49.500';
const DATE_DIFFERS = 'Jatuh tempo menurut kantor 31 Agu 2026, data Anda tanpa tanggal';

const different = buildRecord({
  id: ID,
  spt_number: NOP,
  year: 2026,
  amount: 49_500,
  due_date: null,
  assessment: { id: 'a1', amount: 52_000, due_date: '2026-08-31', differs: ['amount', 'due_date'] },
});
const adopted: TaxRecord = {
  ...different,
  amount: 52_000,
  amount_source: 'office',
  due_date: '2026-08-31',
  assessment: { id: 'a1', amount: 52_000, due_date: '2026-08-31', differs: [] },
  updated_at: '2026-06-10T05:00:00.000Z',
};

let server: ReturnType<typeof fakeServer>;
let stored: TaxRecord;
beforeEach(() => {
  signIn();
  server = fakeServer();
  stored = different;
  server.on(`GET /api/tax-records/${ID}`, () => okAnswer(stored));
  server.on(`GET /api/admin/tax-records/${ID}`, () => okAnswer(stored));
  server.on('GET /api/tax-records', () => okListAnswer([stored]));
  server.on(ADOPT, () => {
    stored = adopted;
    return okAnswer(stored);
  });
  server.on(EDIT, () => {
    stored = different;
    return okAnswer(stored);
  });
});

const openPage = () =>
  renderPage(<OwnRecordDetail renderAudit={() => null} />, { path: '/tax-records/:id', at: `/tax-records/${ID}` });
const findAdopt = () => screen.findByRole('button', { name: `Samakan Siti Aminah, ${WRITTEN}, 2026` });

describe("a record that differs from the office's list", () => {
  it("takes the office's amount and due date with one press, and gives the own ones back with another", async () => {
    openPage();
    fireEvent.click(await findAdopt());
    await screen.findByText('Menurut daftar kantor');
    expect(server.callsOf(ADOPT).map(({ body }) => body)).toEqual([
      { fields: ['amount', 'due_date'], updated_at: different.updated_at },
    ]);
    expect(screen.queryByText(AMOUNT_DIFFERS)).toBeNull();
    fireEvent.click(await screen.findByRole('button', { name: 'Urungkan (Undo)' }));
    await screen.findByText(AMOUNT_DIFFERS);
    expect(server.callsOf(EDIT).map(({ body }) => body)).toEqual([
      { amount: 49_500, due_date: null, updated_at: adopted.updated_at },
    ]);
  });

  it.each([
    ['the table', true],
    ['the cards', false],
  ])('says so in %s of the list, too', async (_name, isWide) => {
    screenWidth.wide = isWide;
    renderPage(<OwnRecordListPage />, { path: '/tax-records', at: '/tax-records' });
    await screen.findByText(AMOUNT_DIFFERS);
    expect(screen.getByText(DATE_DIFFERS)).toBeTruthy();
    expect(screen.getByText(new RegExp(`^(SPT )?${WRITTEN}$`))).toBeTruthy();
    fireEvent.click(await findAdopt());
    await waitFor(() => expect(screen.queryByText(AMOUNT_DIFFERS)).toBeNull());
  });

  it('tells admins of the data of the user, and takes it over by their own call', async () => {
    signIn({ is_admin: true });
    server.on(`POST /api/admin/tax-records/${ID}/adopt-assessment`, () => {
      stored = adopted;
      return okAnswer(stored);
    });
    renderPage(<AdminRecordDetail renderAudit={() => null} />, {
      path: '/admin/tax-records/:id',
      at: `/admin/tax-records/${ID}`,
    });
    await screen.findByText('Ketetapan kantor Rp 52.000, data warga Rp 49.500');
    fireEvent.click(await findAdopt());
    await screen.findByText('Menurut daftar kantor');
  });

  it('offers nothing for a record that is paid', async () => {
    stored = { ...different, status: 'lunas', payment_date: '2026-05-01' };
    openPage();
    await screen.findByText(AMOUNT_DIFFERS);
    expect(screen.queryByRole('button', { name: /^Samakan/ })).toBeNull();
  });

  it.each([
    'Data telah diubah oleh pengguna lain. Muat ulang lalu coba lagi.',
    'Data ini sudah lunas',
    'Tidak ada ketetapan kantor untuk data ini',
  ])('says in place why it was refused: %s', async (message) => {
    server.on(ADOPT, () => {
      stored = { ...different, assessment: null };
      return failAnswer(409, message);
    });
    openPage();
    fireEvent.click(await findAdopt());
    expect((await screen.findByRole('alert')).textContent).toBe(message);
    // The page shows what is stored now.
    await waitFor(() => expect(screen.queryByText(AMOUNT_DIFFERS)).toBeNull());
  });

  it('can be pressed again after the connection failed', async () => {
    server.on(ADOPT, networkError);
    openPage();
    fireEvent.click(await findAdopt());
    await screen.findByRole('alert');
    expect(await findAdopt()).toBeTruthy();
  });
});

it.each([
  ['office', 'Menurut daftar kantor'],
  ['estimate', 'Perkiraan (naik 10 %)'],
] as const)('names the source %s of an amount on the page and the receipt', async (source, label) => {
  stored = { ...adopted, amount_source: source };
  const print = vi.spyOn(window, 'print').mockImplementation(() => {});
  openPage();
  fireEvent.click(await screen.findByRole('button', { name: 'Print Nota' }));
  const receipt = (await screen.findByText('NOTA PBB')).parentElement ?? document.body;
  expect(within(receipt).getByText(label)).toBeTruthy();
  expect(screen.getAllByText(label)).toHaveLength(2);
  expect(within(receipt).getByText(WRITTEN)).toBeTruthy();
  print.mockRestore();
});
