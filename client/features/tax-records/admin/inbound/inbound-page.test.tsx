import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { today } from '#client/lib/format.ts';
import { setServerReachable } from '#client/lib/api/server-reachability.ts';
import { buildRecord, recordId } from '#client/testing/build-record.ts';
import { failAnswer, fakeServer, networkError, okAnswer, okListAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import { totalAmount } from '#shared/domain/money/rupiah.ts';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { InboundPage } from './inbound-page.tsx';

const LIST = 'GET /api/admin/verifications';
const unchecked = { state: 'none', at: null, by_name: null, reason: null } as const;

/** The office's records as a server keeps them: it checks, undoes and compares versions. */
let records: TaxRecord[];
let server: ReturnType<typeof fakeServer>;
let clock: number;

type CheckBody = {
  updated_at: string;
  result: 'matched' | 'rejected';
  reason?: string;
} & Partial<Pick<TaxRecord, 'status' | 'payment_date'>>;

const verification = (id: string) => `/api/admin/tax-records/${id}/verification`;
const find = (id: string) => records.find((record) => record.id === id);

function store(id: string, fields: Partial<TaxRecord>): TaxRecord {
  clock += 1000;
  records = records.map((record) =>
    record.id === id ? { ...record, ...fields, updated_at: new Date(clock).toISOString() } : record,
  );
  const stored = find(id);
  if (!stored) throw new Error(`no record ${id}`);
  return stored;
}

function addReport(number: number, fields: Partial<TaxRecord> = {}): string {
  const id = recordId(number);
  const at = new Date(clock).toISOString();
  records.push(
    buildRecord({
      id,
      address: `Jl. Melati ${number}`,
      status: 'proses',
      payment_proof: `/uploads/${number}.jpg?s=1`,
      verification: { state: 'pending', at, by_name: null, reason: null },
      ...fields,
    }),
  );
  server.on(`GET /api/admin/tax-records/${id}`, () => {
    const record = find(id);
    return record ? okAnswer(record) : failAnswer(404, 'Data pajak tidak ditemukan');
  });
  server.on(`GET /api/admin/tax-records/${id}/history`, okListAnswer([]));
  server.on(`POST ${verification(id)}`, ({ body }) => {
    const { updated_at, result, reason = null, ...payment } = body as CheckBody;
    const before = find(id);
    if (before?.updated_at !== updated_at) return failAnswer(409, 'Data sudah diubah');
    const checkedAt = new Date(clock).toISOString();
    // One undo takes back the payment, too.
    server.on(`DELETE ${verification(id)}`, () => {
      const { status, payment_date } = before;
      return okAnswer(store(id, { status, payment_date, verification: { ...unchecked, state: 'pending', at } }));
    });
    const checked = { state: result, at: checkedAt, by_name: 'Ratna Dewi', reason };
    return okAnswer(store(id, { ...payment, verification: checked }));
  });
  server.on(`DELETE ${verification(id)}`, () =>
    okAnswer(store(id, { verification: { ...unchecked, state: 'pending', at } })),
  );
  return id;
}

beforeEach(() => {
  signIn({ id: 'a1', name: 'Ratna Dewi', is_admin: true });
  setServerReachable(true);
  vi.stubGlobal('scrollTo', () => undefined);
  records = [];
  clock = Date.parse('2026-08-03T03:00:00.000Z');
  server = fakeServer();
  server.on(LIST, ({ query }) => {
    const inState = (state: string) => records.filter((record) => record.verification.state === state);
    const sumOf = (list: TaxRecord[]) => ({ count: list.length, amount: totalAmount(list) });
    const unpaid = sumOf(inState('matched').filter(({ status }) => status !== 'lunas'));
    const data = inState(query['state'] ?? '');
    const sums = {
      pending: sumOf(inState('pending')),
      matched: { ...sumOf(inState('matched')), unpaid },
      rejected: sumOf(inState('rejected')),
      outdated: sumOf(inState('outdated')),
    };
    return okAnswer({ data, total: data.length, per_page: 50, current_page: 1, last_page: 1, sums });
  });
});

const open = (search = '') =>
  renderPage(<InboundPage />, {
    path: '/admin/tax-records/bukti-masuk',
    at: `/admin/tax-records/bukti-masuk${search}`,
  });
/** The record that is shown, once what was done before is over and the keys count again. */
async function shown(number: number): Promise<HTMLElement> {
  const found = await screen.findByRole('heading', { level: 2, name: `PBB 2025 · Jl. Melati ${number}` });
  await waitFor(() => expect(document.querySelector('[data-loading]')).toBeNull());
  return found;
}
const bodiesOf = (address: string) => server.callsOf(address).map(({ body }) => body);

it('says that the amount of a report is an estimate', async () => {
  addReport(1, { amount_source: 'estimate' });
  open();
  await shown(1);
  expect(screen.getByText('Perkiraan (naik 10 %)')).toBeTruthy();
});

it('decides with Enter and with X and a reason, and shows the next one with its heading focused', async () => {
  const loadedAhead: string[] = [];
  vi.stubGlobal('Image', function FakeImage(this: { src: string }) {
    Object.defineProperty(this, 'src', {
      set(url: string) {
        loadedAhead.push(url);
      },
    });
  });
  const paid = { status: 'lunas', payment_date: '2026-08-01' } as const;
  const [first, second, third] = [addReport(1, paid), addReport(2, paid), addReport(3, paid)];
  const versions = records.map(({ updated_at }) => updated_at);
  const { user, router } = open();
  await shown(1);
  expect(screen.getByText('1 dari 3')).toBeTruthy();
  expect(screen.getByRole('link', { name: /^Menunggu \(3\) Rp\s4\.500\.000$/ })).toBeTruthy();
  expect(screen.getByAltText('Bukti pembayaran').getAttribute('src')).toContain('/uploads/1.jpg');
  expect(loadedAhead.map((url) => new URL(url).pathname)).toEqual(['/uploads/2.jpg', '/uploads/3.jpg']);
  // A key that is held down decides only once.
  fireEvent.keyDown(document.body, { key: 'Enter', repeat: true });
  expect(server.callsOf(`POST ${verification(first)}`)).toHaveLength(0);

  await user.keyboard('{Enter}');
  const heading = await shown(2);
  await waitFor(() => expect(document.activeElement).toBe(heading));
  expect(bodiesOf(`POST ${verification(first)}`)).toEqual([{ result: 'matched', updated_at: versions[0] }]);
  // Both count what is left.
  expect(screen.getByText('1 dari 2')).toBeTruthy();
  expect(screen.getByRole('link', { name: /^Menunggu \(2\) / })).toBeTruthy();
  expect(screen.getByText('Cocok · PBB 2025 · Jl. Melati 1, Siti Aminah').closest('[role="status"]')).toBeTruthy();
  expect(router.state.location.search).toBe(`?data=${second}`);

  await user.keyboard('x');
  const dialog = await screen.findByRole('dialog', { name: 'Tidak cocok' });
  expect(dialog.textContent).toContain('Dikirim juga ke chat warga');
  // The keys of the page wait until the dialog is closed.
  const reason = within(dialog).getByRole('textbox', { name: /Alasan untuk warga/ });
  await user.click(within(dialog).getByRole('button', { name: 'Tidak cocok' }));
  expect(await screen.findByText('Alasan wajib diisi')).toBeTruthy();
  await user.click(within(dialog).getByRole('radio', { name: /Jumlah pada bukti/ }));
  fireEvent.change(reason, { target: { value: 'Jumlah pada bukti tidak sama dengan tagihan. Kurang Rp 5.000.' } });
  await user.type(reason, '{Enter}');
  await shown(3);
  expect(bodiesOf(`POST ${verification(second)}`)).toEqual([
    {
      result: 'rejected',
      reason: 'Jumlah pada bukti tidak sama dengan tagihan. Kurang Rp 5.000.',
      status: 'belum_lunas',
      payment_date: null,
      updated_at: versions[1],
    },
  ]);
  expect(find(third)?.verification.state).toBe('pending');
});

it('skips and goes back with the arrows, undoes with Z, and says when all is checked', async () => {
  const reason = 'Foto buram';
  const [second, third] = [addReport(2), addReport(3)];
  const { user } = open();
  await shown(2);
  await user.keyboard('x');
  fireEvent.change(await screen.findByRole('textbox', { name: /Alasan untuk warga/ }), { target: { value: reason } });
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Tidak cocok' }));
  await shown(3);

  await user.keyboard('{ArrowRight}');
  expect(await screen.findByText('Tidak ada bukti lain yang menunggu')).toBeTruthy();
  await user.keyboard('{ArrowLeft}');
  await shown(2);
  expect(screen.getByText('Sudah Anda putuskan.')).toBeTruthy();
  expect(screen.getByText(`Tidak cocok: ${reason}`)).toBeTruthy();
  await user.keyboard('z');
  expect(
    await screen.findByText('Pencocokan dibatalkan, status Proses · PBB 2025 · Jl. Melati 2, Siti Aminah'),
  ).toBeTruthy();
  expect(bodiesOf(`DELETE ${verification(second)}`)).toHaveLength(1);
  await screen.findByText('Menunggu dicocokkan');
  await shown(2);
  expect(screen.getByText('1 dari 2')).toBeTruthy();

  await user.keyboard('c');
  await shown(3);
  expect(screen.getByText('Cocok, tetap Proses · PBB 2025 · Jl. Melati 2, Siti Aminah')).toBeTruthy();
  await user.keyboard('c');
  expect(await screen.findByText('Semua bukti sudah dicocokkan')).toBeTruthy();
  expect(find(third)?.verification.state).toBe('matched');
  // From the end, too, the newest decision can be taken back.
  await user.keyboard('z');
  await shown(3);
  expect(find(third)?.verification.state).toBe('pending');
});

const dateField = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Tanggal pada STTS' });

it('leads from Enter to an empty date beside the photo, and decides with the next Enter in one call, with one undo', async () => {
  const id = addReport(1);
  const before = find(id)?.updated_at;
  addReport(2);
  const { user } = open();
  await shown(1);
  expect(dateField().value).toBe('');
  const main = screen.getByRole('button', { name: 'Cocok & tandai lunas' });
  expect(main.getAttribute('aria-keyshortcuts')).toBe('Enter');
  await user.click(main);
  expect(document.activeElement).toBe(dateField());
  act(() => dateField().blur());
  await user.keyboard('{Enter}');
  expect(document.activeElement).toBe(dateField());
  // Nothing covers the photo, and a key that is held down does not go on.
  expect(screen.queryByRole('button', { name: 'Bulan berikutnya' })).toBeNull();
  expect(fireEvent.keyDown(dateField(), { key: 'Enter', repeat: true })).toBe(false);
  await user.keyboard('{Enter}');
  expect(await screen.findByText('Tanggal pembayaran wajib diisi jika status Lunas')).toBeTruthy();
  expect(server.callsOf(`POST ${verification(id)}`)).toEqual([]);

  await user.keyboard('3/7/2026{Enter}');
  await shown(2);
  expect(bodiesOf(`POST ${verification(id)}`)).toEqual([
    { result: 'matched', status: 'lunas', payment_date: '2026-07-03', updated_at: before },
  ]);
  expect(screen.getByText('Cocok, Lunas 3 Jul 2026 · PBB 2025 · Jl. Melati 1, Siti Aminah')).toBeTruthy();
  expect(find(id)).toMatchObject({ status: 'lunas', verification: { state: 'matched' } });
  // The date of one record is not that of the next.
  expect(dateField().value).toBe('');
  await user.click(screen.getByRole('button', { name: 'Urungkan (Undo)' }));
  await shown(1);
  expect(bodiesOf(`DELETE ${verification(id)}`)).toHaveLength(1);
  expect(find(id)).toMatchObject({ status: 'proses', payment_date: null, verification: { state: 'pending' } });
});

it('takes today with one press, and Enter decides', async () => {
  const id = addReport(1);
  const { user } = open();
  await shown(1);
  await user.click(screen.getByRole('button', { name: 'Hari ini' }));
  await user.keyboard('{Enter}');
  await screen.findByText('Semua bukti sudah dicocokkan');
  expect(find(id)).toMatchObject({ status: 'lunas', payment_date: today(), verification: { state: 'matched' } });
});

it('says what a match alone leaves, and matches what is paid already without a date', async () => {
  const [first, second] = [addReport(1), addReport(2, { status: 'lunas', payment_date: '2026-08-01' })];
  const { user } = open();
  await shown(1);
  const matchOnly = screen.getByRole('button', { name: 'Cocok saja' });
  expect(screen.getByText('Tetap Proses; masih menunggak').id).toBe(matchOnly.getAttribute('aria-describedby'));
  await user.click(matchOnly);
  const heading = await shown(2);
  await waitFor(() => expect(document.activeElement).toBe(heading));
  expect(find(first)).toMatchObject({ status: 'proses', verification: { state: 'matched' } });
  expect(screen.queryByRole('textbox', { name: 'Tanggal pada STTS' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Cocok saja' })).toBeNull();
  await user.keyboard('c');
  expect(find(second)?.verification.state).toBe('pending');
  await user.keyboard('{Enter}');
  await screen.findByText('Semua bukti sudah dicocokkan');
  expect(bodiesOf(`POST ${verification(second)}`)).toMatchObject([{ result: 'matched' }]);
});

it('lets the office write the day that a user left out, with the match or not at all', async () => {
  const [first, second] = [1, 2].map((number) => addReport(number, { status: 'lunas', payment_date: null }));
  const { user } = open();
  const field = await screen.findByLabelText('Tanggal pada STTS');
  expect(screen.getByText('Warga tidak menulis tanggalnya')).toBeTruthy();
  await user.type(field, '3/7/26{Enter}');
  await screen.findByRole('heading', { name: /Melati 2/ });
  expect(find(first ?? '')).toMatchObject({ payment_date: '2026-07-03', verification: { state: 'matched' } });
  await user.click(screen.getByRole('button', { name: 'Cocok' }));
  await waitFor(() => expect(find(second ?? '')).toMatchObject({ verification: { state: 'matched' } }));
  expect(find(second ?? '')).toMatchObject({ status: 'lunas', payment_date: null });
});

it('decides nothing by a key without a photo, and asks before it matches', async () => {
  const question = 'Tanpa foto. Sudah dilihat di STTS atau kas?';
  const paid = { payment_proof: null, status: 'lunas', payment_date: '2026-08-01' } as const;
  const [first, second] = [addReport(1, { payment_proof: null }), addReport(2, paid)];
  const { user } = open();
  await shown(1);
  await user.keyboard('{Enter}c');
  expect(document.activeElement).not.toBe(dateField());
  await user.click(screen.getByRole('button', { name: 'Hari ini' }));
  await user.keyboard('{Enter}');
  expect(screen.queryByText(question)).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Cocok & tandai lunas' }));
  await screen.findByText(question);
  expect(fireEvent.keyDown(screen.getByRole('button', { name: 'Sudah, cocok' }), { key: 'Enter', repeat: true })).toBe(
    false,
  );
  await user.click(screen.getByRole('button', { name: 'Belum' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(server.callsOf(`POST ${verification(first)}`)).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Cocok & tandai lunas' }));
  await user.click(await screen.findByRole('button', { name: 'Sudah, cocok' }));
  await shown(2);
  expect(find(first)).toMatchObject({ status: 'lunas', payment_date: today(), verification: { state: 'matched' } });

  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.keyboard('{Enter}');
  expect(screen.queryByText(question)).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Cocok' }));
  await screen.findByText(question);
  await user.click(screen.getByRole('button', { name: 'Sudah, cocok' }));
  await screen.findByText('Semua bukti sudah dicocokkan');
  expect(find(second)?.verification.state).toBe('matched');
});

it('takes the status back with a rejection unless told otherwise, in one call, and undoes both', async () => {
  const [first, second] = [
    addReport(1, { status: 'lunas', payment_date: '2026-08-01' }),
    addReport(2, { payment_proof: null }),
  ];
  const before = records.map(({ updated_at }) => updated_at);
  const { user } = open();
  const rejectWith = async (keptText: string, isReset: boolean) => {
    await user.keyboard('x');
    const dialog = within(await screen.findByRole('dialog', { name: 'Tidak cocok' }));
    fireEvent.change(dialog.getByRole('textbox'), { target: { value: 'Salah' } });
    const choice: HTMLInputElement = dialog.getByRole('checkbox', { name: 'Kembalikan status ke Belum Lunas' });
    expect(choice.checked).toBe(true);
    await user.click(choice);
    expect(dialog.getByText(keptText)).toBeTruthy();
    if (isReset) await user.click(choice);
    await user.click(dialog.getByRole('button', { name: 'Tidak cocok' }));
  };
  await shown(1);
  await rejectWith('Tetap dihitung lunas', true);
  await shown(2);
  expect(bodiesOf(`POST ${verification(first)}`)).toEqual([
    { result: 'rejected', reason: 'Salah', status: 'belum_lunas', payment_date: null, updated_at: before[0] },
  ]);
  const undo = screen.getByRole('button', { name: 'Urungkan (Undo)' });
  expect(undo.textContent).toMatch(/\(Z\)$/);
  await user.click(undo);
  await shown(1);
  const paid = { status: 'lunas', payment_date: '2026-08-01', verification: { state: 'pending' } };
  expect(find(first)).toMatchObject(paid);

  await user.keyboard('{ArrowRight}');
  await shown(2);
  await rejectWith('Tetap Proses; masih menunggak', false);
  await shown(1);
  expect(bodiesOf(`POST ${verification(second)}`)).toEqual([
    { result: 'rejected', reason: 'Salah', updated_at: before[1] },
  ]);
  expect(find(second)).toMatchObject({ status: 'proses', verification: { state: 'rejected' } });
});

it('shows a record that has changed as it is now and asks again with the typed reason', async () => {
  const id = addReport(1);
  addReport(2);
  const { user } = open();
  await shown(1);
  store(id, { amount: 2_000_000 });
  await user.keyboard('x');
  const reason = await screen.findByRole('textbox', { name: /Alasan untuk warga/ });
  fireEvent.change(reason, { target: { value: 'Foto buram' } });
  await user.type(reason, '{Enter}');
  expect(await screen.findByText('Data ini baru saja diubah, jadi keputusan Anda belum disimpan.')).toBeTruthy();
  expect(screen.getByText(/Tadi: Tidak cocok: Foto buram\./)).toBeTruthy();
  expect(screen.getByText(/2\.000\.000/)).toBeTruthy();
  await user.keyboard('x');
  await waitFor(() =>
    expect(screen.getByRole('textbox', { name: /Alasan untuk warga/ }).textContent).toBe('Foto buram'),
  );
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Tidak cocok' }));
  await shown(2);
  expect(find(id)?.verification).toMatchObject({ state: 'rejected', reason: 'Foto buram' });
});

it('keeps a decision without an answer, sends it when the server is back, and knows one that was stored all the same', async () => {
  const [first, second] = [addReport(1, { status: 'lunas' }), addReport(2)];
  addReport(3);
  const { user } = open();
  await shown(1);
  const path = `POST ${verification(first)}`;
  server.on(path, networkError);
  await user.keyboard('{Enter}');
  expect((await screen.findByText('Belum tersimpan: Cocok')).closest('[role="alert"]')).toBeTruthy();
  await user.keyboard('{Enter}');
  expect(server.callsOf(path)).toHaveLength(1);
  expect(window.dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(false);
  await user.keyboard('{ArrowRight}');
  await shown(2);
  await user.keyboard('{ArrowRight}');
  await shown(3);

  // It was stored, only its answer was lost. What is looked at meanwhile stays on the screen.
  store(first, {
    verification: { state: 'matched', at: '2026-08-03T03:00:05.000Z', by_name: 'Ratna Dewi', reason: null },
  });
  server.on(path, failAnswer(409, 'Data sudah diubah'));
  act(() => setServerReachable(false));
  act(() => setServerReachable(true));
  await waitFor(() => expect(screen.queryByText(/Belum tersimpan/)).toBeNull());
  await shown(3);
  await user.keyboard('{ArrowLeft}');
  await shown(2);

  server.on(`POST ${verification(second)}`, networkError);
  await user.keyboard('{Enter}3/7/2026{Enter}');
  await screen.findByText('Belum tersimpan: Cocok & tandai lunas, dibayar 3 Jul 2026');
  await user.click(screen.getByRole('button', { name: 'Batalkan keputusan' }));
  expect(screen.queryByText(/Belum tersimpan/)).toBeNull();
  expect(find(second)?.verification.state).toBe('pending');
});

it('keeps the place while others check and report, and says who checked what is looked at', async () => {
  addReport(1);
  const second = addReport(2, {
    payment_proof: null,
    notes: 'Dibayar di kantor pos',
    user: { id: 'u7', _id: 'u7', name: 'Budi', email: 'budi@contoh.id', has_email: true },
  });
  const rejected = {
    id: '1',
    _id: '1',
    created_at: '2026-07-01T02:00:00.000Z',
    createdAt: '2026-07-01T02:00:00.000Z',
    action: 'record.checked',
    actor: { id: 'a2', name: 'Sari', role: 'admin' },
    subject: { id: second, label: 'SPT-2' },
    changes: [
      { field: 'verification', from: 'pending', to: 'rejected' },
      { field: 'verification_reason', from: null, to: 'Foto buram' },
    ],
  };
  server.on(`GET /api/admin/tax-records/${second}/history`, okListAnswer([rejected]));
  const { user, queries } = open(`?data=${second}`);
  await shown(2);
  expect(screen.getByText('Warga melaporkan pembayaran tanpa foto.')).toBeTruthy();
  await user.keyboard('x');
  const reasons = within(await screen.findByRole('dialog', { name: 'Tidak cocok' }));
  expect(reasons.getAllByRole('radio')).toHaveLength(3);
  expect(reasons.queryByRole('radio', { name: /Foto/ })).toBeNull();
  await user.click(reasons.getByRole('button', { name: 'Batal' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.getByText('Dibayar di kantor pos')).toBeTruthy();
  expect(await screen.findByText('Foto buram (Sari, 1 Jul 2026)')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Budi' }).getAttribute('href')).toBe('/admin/users/u7');
  expect(screen.getByRole('link', { name: 'Chat' }).getAttribute('href')).toBe('/admin/chat?user=u7');
  expect(screen.getByText('2 dari 2')).toBeTruthy();

  const sari = { at: '2026-08-03T04:00:00.000Z', by_name: 'Sari', reason: null };
  store(recordId(1), { verification: { ...sari, state: 'matched' } });
  addReport(3);
  await act(() => queries.invalidateQueries());
  // The first one left, the third one came, and the second one is still looked at.
  expect(await screen.findByText('1 dari 2')).toBeTruthy();
  await shown(2);

  store(second, { verification: { ...sari, state: 'matched' } });
  await act(() => queries.invalidateQueries());
  expect(await screen.findByText('Sari sudah memutuskan bukti ini.')).toBeTruthy();
  expect(screen.getByText('Dicocokkan kantor · Sari · 3 Agu 2026')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Cocok' })).toBeNull();
  await user.keyboard('{Enter}');
  await shown(3);
  expect(screen.getByText('1 dari 1')).toBeTruthy();

  records = records.filter(({ id }) => id !== recordId(3));
  await act(() => queries.invalidateQueries());
  expect(await screen.findByText('Data ini sudah dihapus')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Lanjut' }));
  expect(await screen.findByText('Semua bukti sudah dicocokkan')).toBeTruthy();
});

it('looks back at what was checked, from where a check can be undone, and offers a failed load again', async () => {
  const id = addReport(1, {
    verification: { state: 'rejected', at: '2026-08-03T04:00:00.000Z', by_name: 'Sari', reason: 'Foto buram' },
  });
  const { user } = open('?tampil=tidak-cocok');
  expect(await screen.findByText('Tidak cocok: Foto buram')).toBeTruthy();
  expect(screen.getByText('Sari · 3 Agustus 2026 pukul 11.00')).toBeTruthy();
  await user.click(screen.getByRole('link', { name: 'Berubah' }));
  expect(await screen.findByText('Tidak ada data yang berubah sejak dicocokkan')).toBeTruthy();
  await user.click(screen.getByRole('link', { name: /^Tidak cocok/ }));
  await user.click(await screen.findByRole('link', { name: 'PBB 2025 · Jl. Melati 1' }));
  await user.click(await screen.findByRole('button', { name: 'Urungkan pencocokan' }));
  expect(await screen.findByText('Menunggu dicocokkan')).toBeTruthy();
  expect(find(id)?.verification.state).toBe('pending');

  server.on(LIST, failAnswer(500));
  await user.click(screen.getByRole('link', { name: /^Cocok/ }));
  expect(await screen.findByText('Gagal memuat data pajak')).toBeTruthy();
});

it('asks for no decision about a record that the office set back, and lets its check be undone', async () => {
  const id = addReport(1, {
    status: 'belum_lunas',
    payment_proof: null,
    verification: { state: 'outdated', at: '2026-08-03T04:00:00.000Z', by_name: 'Sari', reason: null },
  });
  const { user } = open(`?data=${id}`);
  expect(await screen.findByText('Kantor sudah mengembalikan data ini ke Belum Lunas.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^(Cocok|Tidak cocok)/ })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Urungkan pencocokan' }));
  await waitFor(() => expect(server.callsOf(`DELETE ${verification(id)}`)).toHaveLength(1));
});

it('says of each tab how many and how much, and which matched ones are not paid', async () => {
  const checked = { at: '2026-08-03T04:00:00.000Z', by_name: 'Sari', reason: null };
  addReport(1, { amount: 100_000 });
  addReport(2, { amount: 200_000, status: 'lunas', verification: { ...checked, state: 'matched' } });
  addReport(3, { amount: 300_000, verification: { ...checked, state: 'matched' } });
  open('?tampil=cocok');
  const tab = (name: RegExp) => screen.getByRole('link', { name }).textContent?.replaceAll(/\s/g, ' ');
  const unpaid = await screen.findByRole('link', { name: '1 cocok, belum lunas' });
  expect(unpaid.getAttribute('href')).toBe('/admin/tax-records?pencocokan=matched_unpaid');
  expect(unpaid.parentElement?.textContent?.replaceAll(/\s/g, ' ')).toContain('Rp 300.000');
  expect([tab(/^Menunggu/), tab(/^Cocok/), tab(/^Tidak cocok/)]).toEqual([
    'Menunggu (1) Rp 100.000',
    'Cocok (2) Rp 500.000',
    'Tidak cocok',
  ]);
});

it('lists what waits, says which reports have a photo, and shows the chosen one', async () => {
  addReport(1);
  const second = addReport(2, { payment_proof: null });
  const third = addReport(3, { amount: 7_654_321 });
  const { user, router } = open();
  await shown(1);
  const toggle = screen.getByRole('button', { name: 'Daftar yang menunggu' });
  expect(screen.queryByRole('list', { name: 'Yang menunggu' })).toBeNull();
  await user.click(toggle);
  const list = within(screen.getByRole('list', { name: 'Yang menunggu' }));
  const rows = list.getAllByRole('button');
  expect(rows.map((row) => row.getAttribute('aria-current'))).toEqual(['true', null, null]);
  expect(rows[1]?.textContent).toContain('tanpa foto');
  expect(rows[2]?.textContent).toContain('dengan foto');
  expect(rows[2]?.textContent.replaceAll('\u00A0', ' ')).toContain('Rp 7.654.321');
  await user.click(list.getByRole('button', { name: /Jl\. Melati 2/ }));
  expect(document.activeElement).toBe(await shown(2));
  expect(router.state.location.search).toBe(`?data=${second}`);
  // No box stands where a photo would.
  expect(screen.queryByAltText('Bukti pembayaran')).toBeNull();
  expect(document.querySelector('[data-photo]')).toBeNull();
  // Enter opens the list and decides on nothing.
  toggle.focus();
  await user.keyboard('{Enter}');
  await user.click(screen.getByRole('button', { name: /Jl\. Melati 3/ }));
  await shown(3);
  expect(document.querySelector('[data-photo]')).toBeTruthy();
  expect(server.callsOf(`POST /api/admin/tax-records/${second}/verification`)).toEqual([]);
  expect(server.callsOf(`POST /api/admin/tax-records/${third}/verification`)).toEqual([]);
});

it('offers no list of a single report', async () => {
  addReport(1);
  open();
  await shown(1);
  expect(screen.queryByRole('button', { name: 'Daftar yang menunggu' })).toBeNull();
});
