import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { buildHistory, buildMessage, buildSummary } from '#client/features/chat/testing/build-chat-data.ts';
import { buildUser } from '#client/features/users/testing/build-user.ts';
import type { RealtimeConnection } from '#client/realtime/socket.ts';
import { fakeSocket } from '#client/realtime/testing/fake-socket.ts';
import { buildRecord } from '#client/testing/build-record.ts';
import { failAnswer, fakeServer, okAnswer, okListAnswer } from '#client/testing/fake-server.ts';
import { screenWidth } from '#client/testing/screen-width.ts';
import { buildChecked } from '#client/testing/build-sums.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import { AdminUserDetailPage } from './admin-user-detail-page.tsx';

const socket = fakeSocket();
vi.mock('#client/realtime/socket.ts', () => ({ openRealtimeConnection: (): RealtimeConnection => socket.connection }));

const siti = buildUser({ id: 'u1', name: 'Siti Aminah', email: 'siti@contoh.id' });
const STATISTICS = 'GET /api/admin/users/u1/statistics';
const RECORDS = 'GET /api/admin/tax-records';
const HISTORY = 'GET /api/messages/conversation/u1';
const AUDIT = 'GET /api/admin/audit';

const statistics = {
  total_tax: 900_000,
  paid_tax: 200_000,
  unpaid_tax: 700_000,
  total_records: 3,
  paid_records: 1,
  unpaid_records: 2,
  outstanding_amount: 400_000,
  outstanding_records: 1,
  outstanding_estimated: { count: 1, amount: 400_000 },
  checked: buildChecked(1, 200_000, { outdated: { count: 1, amount: 200_000 } }),
};
const home = { spt_number: '33.74', address: 'Jl. Melati 1' };
const records = [
  buildRecord({ ...home, year: 2026, amount: 300_000 }),
  buildRecord({ ...home, year: 2025, amount: 400_000, due_date: '2025-09-30' }),
  buildRecord({ ...home, year: 2024, amount: 200_000, status: 'lunas', payment_date: '2024-08-14' }),
];

let server: ReturnType<typeof fakeServer>;
beforeEach(() => {
  signIn({ id: 'a1', name: 'Ratna Dewi', email: 'ratna@kantor.id', is_admin: true });
  server = fakeServer();
  server.on('GET /api/admin/users/u1', okAnswer(siti));
  server.on(STATISTICS, okAnswer(statistics));
  server.on(RECORDS, okListAnswer(records));
  server.on(HISTORY, okAnswer(buildHistory([buildMessage({ from_admin: false, content: 'Berapa tunggakan saya?' })])));
  server.on('GET /api/messages/conversations', okAnswer([]));
  server.on(AUDIT, okListAnswer([]));
});

const open = (id = 'u1') => renderPage(<AdminUserDetailPage />, { path: '/admin/users/:id', at: `/admin/users/${id}` });
const section = async (name: string) => within(await screen.findByRole('region', { name }));

describe('AdminUserDetailPage', () => {
  it('shows the sum of the arrears first, with the overdue records', async () => {
    open();
    const overdue = await section('Tunggakan');
    const hint = await overdue.findByText(/lewat jatuh tempo/);
    expect(hint.textContent.replaceAll(/\s/g, ' ')).toBe(
      '1 data lewat jatuh tempo, termasuk perkiraan Rp 400.000 (1 data)',
    );
    expect(overdue.getByRole('link', { name: /^Berubah sejak dicocokkan/ }).getAttribute('href')).toBe(
      '/admin/tax-records?status=lunas&pemilik=u1&pencocokan=outdated',
    );
    expect(overdue.getAllByText('Rp 400.000')).toHaveLength(2);
    expect(overdue.getAllByRole('listitem').map(({ textContent }) => textContent?.replace(/\s/g, ' '))).toEqual([
      '2025 · 33.74Jl. Melati 1Menunggak sejak 30 Sep 2025 Rp 400.000Tandai Lunas',
    ]);
    const regions = screen.getAllByRole('region').map((region) => region.getAttribute('aria-labelledby'));
    expect(regions[0]).toBe('tunggakan');
  });

  it.each([
    [false, ['Tunggakan', 'Percakapan', 'Data PBB']],
    [true, ['Tunggakan', 'Data PBB', 'Percakapan']],
  ])('shows the conversation above the records on a phone (wide: %s)', async (isWide, order) => {
    screenWidth.wide = isWide;
    open();
    await section('Tunggakan');
    const names = screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent ?? '');
    expect(names.filter((name) => order.includes(name))).toEqual(order);
  });

  it('lists all records of the user by object and year', async () => {
    open();
    const object = await section('Jl. Melati 1, 33.74');
    const years = object.getAllByRole('link').map(({ textContent }) => textContent);
    expect(years).toEqual(['2026', '2025', '2024']);
    expect(object.getByText('Dibayar 14 Agu 2024')).toBeTruthy();
    expect(server.callsOf(RECORDS).map(({ query }) => query)).toEqual([
      { user_id: 'u1', sort: '-year', limit: '1000' },
    ]);
  });

  it('says that nothing is owed and that there are no records', async () => {
    server.on(STATISTICS, okAnswer({ ...statistics, outstanding_amount: 0, outstanding_records: 0 }));
    server.on(RECORDS, okListAnswer([]));
    open();
    await screen.findByText('Tidak ada tunggakan');
    await screen.findByText('Belum ada data PBB');
  });

  it('shows how long the user waits, and a new message without a reload', async () => {
    const summary = buildSummary('u1', null, { unread_count: 2, unanswered_since: new Date().toISOString() });
    server.on('GET /api/messages/conversations', okAnswer([summary]));
    open();
    const conversation = await section('Percakapan');
    await conversation.findByText('Berapa tunggakan saya?');
    await conversation.findByText(/^Menunggu balasan/);
    expect(conversation.getByRole('link', { name: 'Buka chat' }).getAttribute('href')).toBe('/admin/chat?user=u1');
    server.on(HISTORY, okAnswer(buildHistory([buildMessage({ content: 'Rp 400.000, Bu.' })])));
    act(() => socket.connect());
    act(() => socket.push('message:new', buildMessage({ user_id: 'u2' })));
    act(() => socket.push('message:new', buildMessage()));
    await conversation.findByText('Rp 400.000, Bu.');
    expect(server.callsOf(HISTORY)).toHaveLength(2);
  });

  it('shows the audit of the account, or of what the user did', async () => {
    const { user } = open();
    const audit = await section('Riwayat perubahan');
    await audit.findByText('Belum ada perubahan yang tercatat.');
    await user.click(audit.getByRole('radio', { name: 'Oleh orang ini' }));
    await waitFor(() =>
      expect(server.callsOf(AUDIT).map(({ query }) => query)).toEqual([
        { limit: '5', subject_id: 'u1' },
        { limit: '5', actor_id: 'u1' },
      ]),
    );
  });

  it('shows an error in each section that cannot be loaded, and loads it again', async () => {
    server.on(STATISTICS, failAnswer(500));
    server.on(RECORDS, failAnswer(500));
    server.on(HISTORY, failAnswer(500));
    server.on(AUDIT, failAnswer(500));
    const { user } = open();
    for (const [name, text] of [
      ['Tunggakan', 'Gagal memuat statistik'],
      ['Data PBB', 'Gagal memuat data pajak'],
      ['Percakapan', 'Gagal memuat percakapan'],
      ['Riwayat perubahan', 'Gagal memuat riwayat perubahan'],
    ] as const) {
      await (await section(name)).findByText(text);
    }
    server.on(STATISTICS, okAnswer(statistics));
    await user.click((await section('Tunggakan')).getByRole('button', { name: 'Coba lagi' }));
    await screen.findByText(/^1 data lewat jatuh tempo/);
  });

  it('shows account and audit of an admin, and asks for nothing else', async () => {
    server.on('GET /api/admin/users/a2', okAnswer(buildUser({ id: 'a2', name: 'Hendra', is_admin: true })));
    open('a2');
    await section('Akun');
    await section('Riwayat perubahan');
    expect(screen.queryByRole('region', { name: 'Tunggakan' })).toBeNull();
    expect(server.callsOf(RECORDS)).toEqual([]);
  });
});
