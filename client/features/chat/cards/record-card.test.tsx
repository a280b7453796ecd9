import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { closeSession } from '#client/lib/session/session.ts';
import { today } from '#client/lib/format.ts';
import type { RealtimeConnection } from '#client/realtime/socket.ts';
import { fakeSocket, type FakeSocket } from '#client/realtime/testing/fake-socket.ts';
import { buildRecord, recordId } from '#client/testing/build-record.ts';
import { failAnswer, fakeServer, okAnswer, okListAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { RecordCardView } from './record-card.tsx';
import { buildCard } from './testing/build-card.ts';

let socket: FakeSocket;
vi.mock('#client/realtime/socket.ts', () => ({
  openRealtimeConnection: (): RealtimeConnection => {
    socket = fakeSocket();
    return socket.connection;
  },
}));

const sent = buildRecord({
  id: recordId(1),
  address: 'Jl. Melati No. 12, Sukamaju',
  spt_number: '33.74.1',
  year: 2026,
  amount: 45_000,
  due_date: '2999-09-30',
});
let server: ReturnType<typeof fakeServer>;
/** The records that the server has stored, by id. */
let stored: Map<string, TaxRecord>;

beforeEach(() => {
  server = fakeServer();
  stored = new Map();
  return () => closeSession();
});

function store(record: TaxRecord): void {
  stored.set(record.id, record);
  for (const scope of ['', '/admin']) {
    server.on(`GET /api${scope}/tax-records/${record.id}`, () => {
      const now = stored.get(record.id);
      return now ? okAnswer(now) : failAnswer(404, 'Data pajak tidak ditemukan');
    });
  }
}
const readsOf = (path: string) => server.callsOf(`GET /api${path}`).length;
const cards = () => screen.findAllByRole('region', { name: /^Data PBB/ });

async function open(records: TaxRecord[], cardsOf = (record: TaxRecord) => buildCard(record)) {
  records.forEach(store);
  const view = renderPage(
    <>
      {records.map((record) => (
        <RecordCardView key={record.id} card={cardsOf(record)} message={{ user_id: 'u1' }} />
      ))}
    </>,
  );
  await cards();
  await waitFor(() => expect(socket.listenerCount()).toBeGreaterThan(0));
  act(() => socket.connect());
  return view;
}
function change(id: string, fields: Partial<TaxRecord> | null): void {
  const before = stored.get(id);
  if (fields === null || !before) stored.delete(id);
  else stored.set(id, { ...before, ...fields });
  act(() => socket.push('tax-record:changed', { id, user_id: 'u1', change: fields ? 'updated' : 'deleted' }));
}

it('shows a record as it is, follows its changes, and says what it was when it was sent', async () => {
  signIn();
  const other = buildRecord({ id: recordId(2), address: 'Jl. Mawar 3' });
  const { queries } = await open([sent, other]);
  const [card] = await cards();
  const link = within(card as HTMLElement).getByRole('link', { name: 'Buka data PBB Siti Aminah, 33.74.1, 2026' });
  expect(link.textContent).toBe('Jl. Melati No. 12');
  expect(link.getAttribute('href')).toBe(`/tax-records/${sent.id}`);
  expect(card?.textContent.replaceAll(/\s/g, ' ')).toBe(
    'Jl. Melati No. 12PBB 2026 · 33.74.1Rp 45.000Belum LunasJatuh tempo 30 Sep 2999',
  );
  await waitFor(() => expect(queries.isFetching()).toBe(0));
  expect(readsOf(`/tax-records/${sent.id}`)).toBeGreaterThan(0);
  const otherReads = readsOf(`/tax-records/${other.id}`);

  change(sent.id, { status: 'lunas', payment_date: '2026-08-02', updated_at: '2026-08-03T03:42:00.000Z' });
  const year = today().startsWith('2026') ? '' : ' 2026';
  const line = `Saat dikirim: Belum Lunas → kini Lunas (3 Agu${year} 10.42)`;
  expect((await screen.findByText(line)).tagName).toBe('OUTPUT');
  expect(card?.textContent).toContain('LunasDibayar 2 Agu 2026');
  // A change of one record reads no other one.
  expect(readsOf(`/tax-records/${other.id}`)).toBe(otherReads);

  change(sent.id, { amount: 50_000, due_date: null, updated_at: '2026-08-03T03:43:00.000Z' });
  await screen.findByText(
    `Saat dikirim: Belum Lunas, Rp 45.000, jatuh tempo 30 Sep 2999 → kini Lunas, Rp 50.000, tanpa jatuh tempo (3 Agu${year} 10.43)`,
  );
  change(sent.id, null);
  await screen.findByText('Data sudah dihapus');
  expect(card?.isConnected && within(card).queryByRole('link')).toBeFalsy();
  expect(screen.getByText('Saat dikirim: Belum Lunas, Rp 45.000')).toBeTruthy();
  expect(screen.queryByRole('button')).toBeNull();
});

it('says that an amount is an estimate, and shows 18 digits as a NOP', async () => {
  signIn();
  await open([buildRecord({ amount_source: 'estimate', spt_number: '351518001200100340' })]);
  expect(await screen.findByText('Perkiraan (naik 10 %)')).toBeTruthy();
  expect(screen.getByText(/35\.15\.180\.012\.001-0034\.0/)).toBeTruthy();
});

it('reads what changed while it was not connected, many cards with one call', async () => {
  signIn();
  const records = Array.from({ length: 5 }, (_, index) => buildRecord({ id: recordId(10 + index) }));
  const [first, second] = records as [TaxRecord, TaxRecord];
  server.on('GET /api/tax-records', () => okListAnswer([...stored.values()]));
  await open(records);
  await waitFor(() => expect(readsOf('/tax-records')).toBeGreaterThan(0));
  act(() => socket.drop());
  stored.set(first.id, { ...first, status: 'proses', updated_at: '2026-08-03T03:42:00.000Z' });
  stored.delete(second.id);
  const listReads = readsOf('/tax-records');
  act(() => socket.connect());
  await screen.findByText('Proses');
  await screen.findByText('Data sudah dihapus');
  expect(readsOf('/tax-records')).toBe(listReads + 1);
  expect(readsOf(`/tax-records/${first.id}`)).toBe(0);
});

it('lets an admin mark the record as paid, and open it', async () => {
  signIn({ id: 'a1', is_admin: true });
  server.on('POST /api/admin/tax-records/bulk', ({ body }) => {
    const [{ id, status, payment_date }] = (body as { changes: [TaxRecord] }).changes;
    const updated_at = '2026-08-03T03:42:00.000Z';
    stored.set(id, { ...sent, status, payment_date, updated_at });
    return okAnswer({ results: [{ id, _id: id, changed: true, message: null, updated_at, updatedAt: updated_at }] });
  });
  const { user } = await open([sent]);
  const open_ = await screen.findByRole('link', { name: 'Buka data Siti Aminah, 33.74.1, 2026' });
  expect(open_.getAttribute('href')).toBe(`/admin/tax-records/${sent.id}`);
  await user.click(screen.getByRole('button', { name: 'Tandai Lunas Siti Aminah, 33.74.1, 2026' }));
  const question = within(await screen.findByRole('dialog'));
  await user.click(question.getByRole('button', { name: 'Hari ini' }));
  await user.click(question.getByRole('button', { name: 'Tandai Lunas' }));
  // No event is needed for an own change.
  await screen.findByText(/^Saat dikirim: Belum Lunas → kini Lunas/);
  expect(server.callsOf('POST /api/admin/tax-records/bulk')[0]?.body).toEqual({
    changes: [{ id: sent.id, updated_at: sent.updated_at, status: 'lunas', payment_date: today() }],
  });
  expect(screen.queryByRole('button', { name: /^Tandai Lunas/ })).toBeNull();
  expect(await screen.findByRole('button', { name: 'Urungkan (Undo)' })).toBeTruthy();
});

it('shows the newer of the message and what was read, and never asks for a deleted record', async () => {
  signIn();
  store({ ...sent, status: 'proses', updated_at: '2020-01-01T00:00:00.000Z' });
  const deleted = { ...buildCard(buildRecord({ id: recordId(3) })), now: null };
  renderPage(
    <>
      <RecordCardView card={buildCard(sent)} message={{ user_id: 'u1' }} />
      <RecordCardView card={deleted} message={{ user_id: 'u1' }} />
    </>,
  );
  await waitFor(() => expect(readsOf(`/tax-records/${sent.id}`)).toBe(1));
  expect(screen.getByText('Data sudah dihapus')).toBeTruthy();
  expect(screen.queryByText('Proses')).toBeNull();
  expect(readsOf(`/tax-records/${recordId(3)}`)).toBe(0);
});

it('reads the record every 10 s while there is no connection', async () => {
  vi.useFakeTimers();
  signIn();
  store(sent);
  renderPage(<RecordCardView card={buildCard(sent)} message={{ user_id: 'u1' }} />);
  await act(() => vi.advanceTimersByTimeAsync(1000));
  expect(screen.getByText('Belum Lunas')).toBeTruthy();
  stored.set(sent.id, { ...sent, status: 'proses', updated_at: '2026-08-03T03:42:00.000Z' });
  await act(() => vi.advanceTimersByTimeAsync(10_100));
  expect(screen.getByText('Proses')).toBeTruthy();
});
