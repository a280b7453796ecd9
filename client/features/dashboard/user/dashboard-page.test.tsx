import { screen, waitFor, within } from '@testing-library/react';
import { getDefaultStore } from 'jotai';
import { beforeEach, describe, expect, it } from 'vitest';
import { today } from '#client/lib/format.ts';
import { failAnswer, fakeServer, networkError, okAnswer } from '#client/testing/fake-server.ts';
import { buildChecked } from '#client/testing/build-sums.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import type { CheckedSums } from '#shared/api/tax-records/record-sums.ts';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import type { CheckedPart } from '#shared/domain/tax-records/checked-sums.ts';
import { yearOf } from '#shared/domain/dates/dates.ts';
import { UserDashboardPage } from './dashboard-page.tsx';
import { buildRecord, recordId } from '#client/testing/build-record.ts';
import { newYearNoticeAtom } from './use-year-check.ts';

const CHECK = 'GET /api/tax-records/check-year';
const STATISTICS = 'GET /api/tax-records/statistics';
const RECORDS = 'GET /api/tax-records';
const FAILED = 'Gagal memuat data dashboard. Silakan coba lagi.';

const statistics = {
  total_tax: 16_000_000,
  paid_tax: 10_000_000,
  unpaid_tax: 6_000_000,
  total_records: 12,
  total_objects: 12,
  paid_records: 7,
  unpaid_records: 5,
  outstanding_amount: 4_000_000,
  outstanding_records: 3,
  outstanding_since: '2022-09-30',
  outstanding_record_id: null,
  outstanding_estimated: { count: 0, amount: 0 },
  checked: buildChecked(7, 10_000_000),
  due_soon: { records: 0, amount: 0, due_date: null, record_id: null },
  rejected_records: 0,
  rejected_record_id: null,
};

let server: ReturnType<typeof fakeServer>;

/** Answers the list page by page, as the server does. */
function serveRecords(records: TaxRecord[]) {
  server.on(RECORDS, ({ query }) => {
    const limit = Number(query['limit']);
    const page = Number(query['page']);
    const data = records.slice((page - 1) * limit, page * limit);
    const last_page = Math.max(1, Math.ceil(records.length / limit));
    return okAnswer({ data, total: records.length, per_page: limit, current_page: page, last_page });
  });
}

beforeEach(() => {
  getDefaultStore().set(newYearNoticeAtom, null);
  signIn({ name: 'Siti Aminah' });
  server = fakeServer();
  server.on(CHECK, okAnswer({ autoCreated: false, count: 0 }));
  server.on(STATISTICS, okAnswer(statistics));
  serveRecords([]);
});

const open = (search = '') => renderPage(<UserDashboardPage />, { path: '/dashboard', at: `/dashboard${search}` });

describe('UserDashboardPage: statistics', () => {
  it('greets the user by name and shows the five cards', async () => {
    open();
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Selamat datang, Siti Aminah');
    const cards = within(await screen.findByLabelText('Ringkasan'));
    await cards.findByText('Rp 16.000.000');
    for (const text of ['Rp 10.000.000', 'Rp 6.000.000', 'Rp 4.000.000']) expect(cards.getByText(text)).toBeTruthy();
    for (const label of ['Total PBB', 'Lunas', 'Total Properti', 'Belum Lunas', 'Tunggakan', '12', '3 tagihan']) {
      expect(cards.getByText(label)).toBeTruthy();
    }
  });

  it('says what the office knows of what is paid, and what of the arrears is an estimate', async () => {
    const checked = buildChecked(7, 10_000_000, {
      matched: { count: 2, amount: 4_000_000 },
      pending: { count: 5, amount: 6_000_000 },
    });
    server.on(STATISTICS, okAnswer({ ...statistics, checked, outstanding_estimated: { count: 1, amount: 206_250 } }));
    open();
    const cards = within(screen.getByLabelText('Ringkasan'));
    const text = async (label: string) =>
      (await cards.findByText(label)).closest('a')?.textContent?.replaceAll(/\s/g, ' ');
    await cards.findByText('Rp 10.000.000');
    expect(await text('Lunas')).toContain('7 tagihanDicocokkan Rp 4.000.000 · menunggu Rp 6.000.000');
    expect(await text('Tunggakan')).toContain('3 tagihan, termasuk perkiraan Rp 206.250 (1 data)');
  });

  it('says how many objects the records are of, where these are fewer', async () => {
    const { unmount } = open();
    const hint = async () => (await screen.findByText('Total Properti')).closest('a')?.textContent;
    await screen.findByText('Rp 16.000.000');
    expect(await hint()).toBe('Total Properti12Data PBB tercatat');
    unmount();
    server.on(STATISTICS, okAnswer({ ...statistics, total_objects: 3 }));
    open();
    await screen.findByText('Rp 16.000.000');
    expect(await hint()).toBe('Total Properti12Data PBB tercatat, 3 objek');
  });

  it('makes each card a link to the records that it counts', async () => {
    open();
    const cards = within(screen.getByLabelText('Ringkasan'));
    expect(cards.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
      '/tax-records',
      '/tax-records?status=lunas',
      '/tax-records',
      '/tax-records?tampilan=belum-lunas',
      '/tax-records?tampilan=tunggakan',
    ]);
  });

  it('links to creating a record, the list and the reports', () => {
    open();
    const links = within(screen.getByRole('navigation', { name: 'Pintasan' })).getAllByRole('link');
    expect(links.map((link) => link.getAttribute('href'))).toEqual(['/tax-records/create', '/tax-records', '/reports']);
  });
});

describe('UserDashboardPage: what is owed', () => {
  const dueSoon = { records: 0, amount: 0, due_date: null, record_id: null };
  const only = recordId(77);
  const none = { outstanding_amount: 0, outstanding_records: 0 };
  const sums = (counts: Partial<Record<CheckedPart, number>>) =>
    buildChecked(
      7,
      7000,
      Object.fromEntries(Object.entries(counts).map(([part, count]) => [part, { count, amount: count * 1000 }])),
    );
  const allPaid = (checked: CheckedSums) => ({ ...none, unpaid_records: 0, unpaid_tax: 0, checked });

  it.each([
    ['3 tagihan menunggak sejak 30 Sep 2022Rp 4.000.000Lihat tunggakan', {}, '/tax-records?tampilan=tunggakan'],
    [
      '1 tagihan menunggakRp 900Lihat tunggakan',
      { outstanding_records: 1, outstanding_amount: 900, outstanding_since: null, outstanding_record_id: only },
      `/tax-records/${only}`,
    ],
    [
      '1 tagihan jatuh tempo 30 Sep 2026Rp 500Lihat tagihan',
      { ...none, due_soon: { records: 1, amount: 500, due_date: '2026-09-30', record_id: only } },
      `/tax-records/${only}`,
    ],
    [
      '2 tagihan segera jatuh tempo, mulai 30 Sep 2026Rp 700Lihat tagihan',
      { ...none, due_soon: { ...dueSoon, records: 2, amount: 700, due_date: '2026-09-30' } },
      '/tax-records?tampilan=belum-lunas',
    ],
    ['Tidak ada tagihan yang menunggak', none, undefined],
    ['Semua tagihan sudah lunas', allPaid(sums({ matched: 4 })), undefined],
    [
      'Anda melaporkan semuanya lunas; 3 menunggu diperiksa kantor',
      allPaid(sums({ matched: 3, pending: 2, outdated: 1, rejected: 1 })),
      undefined,
    ],
    ['Anda melaporkan semuanya lunas; 1 ditolak kantor', allPaid(sums({ matched: 6, rejected: 1 })), undefined],
  ])('says %s', async (text, fields, href) => {
    server.on(STATISTICS, okAnswer({ ...statistics, due_soon: dueSoon, ...fields }));
    open();
    const owed = await screen.findByRole('region', { name: 'Tagihan' });
    expect(owed.textContent.replaceAll('\u00A0', ' ').trim()).toBe(text);
    expect(within(owed).queryByRole('link')?.getAttribute('href')).toBe(href);
  });

  it.each([
    [1, only, `/tax-records/${only}`],
    [2, null, '/tax-records?tampilan=ditolak'],
  ])(
    'says above all else that the office refused %d of the proofs, beside what is overdue',
    async (count, id, href) => {
      server.on(STATISTICS, okAnswer({ ...statistics, rejected_records: count, rejected_record_id: id }));
      open();
      const refused = await screen.findByRole('region', { name: 'Bukti ditolak' });
      expect(refused.textContent.replaceAll('\u00A0', ' ').trim()).toBe(`${count} bukti ditolak kantorLihat`);
      expect(within(refused).getByRole('link').getAttribute('href')).toBe(href);
      const owed = screen.getByRole('region', { name: 'Tagihan' });
      expect(owed.textContent).toContain('3 tagihan menunggak');
      expect(refused.compareDocumentPosition(owed)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    },
  );

  it('says nothing of refused proofs where there are none', async () => {
    open();
    await screen.findByRole('region', { name: 'Tagihan' });
    expect(screen.queryByText(/ditolak/)).toBeNull();
  });

  it('asks for each of its data once', async () => {
    open();
    await screen.findByRole('region', { name: 'Tagihan' });
    await screen.findByText('Belum ada aktivitas terbaru');
    const calls = server.calls.map(({ method, path }) => `${method} ${path}`);
    expect(calls.toSorted((a, b) => a.localeCompare(b))).toEqual([RECORDS, CHECK, STATISTICS]);
  });

  it('explains the first day in three steps when there are no records', async () => {
    const noRecords = { total_records: 0, paid_records: 0, unpaid_records: 0, ...none };
    server.on(STATISTICS, okAnswer({ ...statistics, ...noRecords }));
    open();
    const steps = within(await screen.findByRole('region', { name: 'Mulai dengan tiga langkah' }));
    expect(steps.getAllByRole('listitem')).toHaveLength(3);
    const link = steps.getByRole('link', { name: 'Tambah data PBB pertama' });
    expect(link.getAttribute('href')).toBe('/tax-records/create');
    expect(screen.queryByRole('region', { name: 'Tagihan' })).toBeNull();
    expect(await screen.findByText('Belum ada aktivitas terbaru')).toBeTruthy();
  });
});

describe('UserDashboardPage: new-year notice', () => {
  it('shows the created records, reloads the statistics, and stays closed once it is closed', async () => {
    let isCreated = false;
    server.on(CHECK, () => {
      isCreated = true;
      return okAnswer({ autoCreated: true, count: 3 });
    });
    server.on(STATISTICS, () => okAnswer({ ...statistics, total_records: isCreated ? 15 : 12 }));
    const { unmount } = open();
    const year = yearOf(today());
    const banner = await screen.findByText(new RegExp(`^3 data PBB tahun ${year} dibuat otomatis`));
    expect(await screen.findByText('15')).toBeTruthy();

    // The server reports the records only once, so the notice must survive a visit to another page.
    server.on(CHECK, okAnswer({ autoCreated: false, count: 0 }));
    unmount();
    const again = open();
    await screen.findByText(banner.textContent);
    await waitFor(() => expect(server.callsOf(CHECK)).toHaveLength(2));
    await again.user.click(screen.getByRole('button', { name: 'Tutup pemberitahuan' }));
    expect(screen.queryByText(/dibuat otomatis/)).toBeNull();
  });

  it('shows the created records although the list was asked for before they were created', async () => {
    let answerOldList: () => void = () => {};
    let lists = 0;
    server.on(RECORDS, () => {
      lists += 1;
      const data = lists === 1 ? [] : [buildRecord({ spt_number: 'BARU-1' })];
      const answer = okAnswer({ data, total: data.length, per_page: 5, current_page: 1, last_page: 1 });
      if (lists > 1) return answer;
      return new Promise((resolve) => {
        answerOldList = () => resolve(answer);
      });
    });
    server.on(CHECK, okAnswer({ autoCreated: true, count: 1 }));
    open();
    expect(await screen.findByText(/BARU-1/)).toBeTruthy();
    answerOldList();
    expect(await screen.findByText(/BARU-1/)).toBeTruthy();
  });

  it('does not appear for another user who signs in in the same browser', async () => {
    server.on(CHECK, okAnswer({ autoCreated: true, count: 3 }));
    const { unmount } = open();
    await screen.findByText(/dibuat otomatis/);
    unmount();
    server.on(CHECK, okAnswer({ autoCreated: false, count: 0 }));
    signIn({ id: 'u2', name: 'Budi' });
    open();
    await screen.findByText('Selamat datang, Budi');
    expect(screen.queryByText(/dibuat otomatis/)).toBeNull();
  });

  it('says how many records of the new year the quota left out, also when none was created', async () => {
    server.on(CHECK, okAnswer({ autoCreated: false, count: 0, leftOutCount: 4 }));
    open();
    const text =
      /^4 data PBB tahun \d{4} belum dibuat karena batas jumlah data akun ini tercapai\. Hubungi administrator\.$/;
    expect(await screen.findByText(text)).toBeTruthy();
    expect(screen.queryByText(/dibuat otomatis/)).toBeNull();
  });

  it('offers the copies that nobody made, until they are made or the offer was closed', async () => {
    const year = yearOf(today());
    const text = `Sudah terima SPPT ${year}? Buat datanya dari data ${year - 1}.`;
    const offer = okAnswer({ autoCreated: false, count: 0, leftOutCount: 0, offered: 3 });
    server.on(CHECK, offer);
    const first = open();
    expect(await screen.findByText(text)).toBeTruthy();
    expect(screen.queryByText(/dibuat otomatis/)).toBeNull();
    const link = screen.getByRole('link', { name: `Buat data tahun ${year}` });
    expect(link.getAttribute('href')).toBe('/tax-records#tahun-baru');
    first.unmount();
    server.on(CHECK, okAnswer({ autoCreated: false, count: 0, leftOutCount: 0, offered: 0 }));
    const second = open();
    await waitFor(() => expect(screen.queryByText(text)).toBeNull());
    second.unmount();
    server.on(CHECK, offer);
    const third = open();
    await screen.findByText(text);
    await third.user.click(screen.getByRole('button', { name: 'Tutup pemberitahuan' }));
    third.unmount();
    open();
    await waitFor(() => expect(server.callsOf(CHECK)).toHaveLength(4));
    expect(screen.queryByText(text)).toBeNull();
  });

  it('shows no error when check-year fails', async () => {
    server.on(CHECK, failAnswer(500, 'Terjadi kesalahan pada server'));
    open();
    await screen.findByText('Belum ada aktivitas terbaru');
    expect(screen.queryByText(FAILED)).toBeNull();
  });
});

describe('UserDashboardPage: recent activity', () => {
  it('shows tax type, SPT number, description, year, time, status and amount of a record', async () => {
    serveRecords([
      buildRecord({ spt_number: 'SPT-77', description: 'Dibayar di bank', status: 'proses', amount: 2500 }),
    ]);
    open();
    const link = await screen.findByRole('link', { name: /SPT-77/ });
    for (const text of ['PBB · SPT-77', 'Dibayar di bank', 'Tahun 2025 · dicatat 3 Februari 2025', 'Proses']) {
      expect(within(link).getByText(text)).toBeTruthy();
    }
    expect(within(link).getByText('Rp 2.500')).toBeTruthy();
  });

  it('shows an empty text when the user has no records', async () => {
    open();
    expect(await screen.findByText('Belum ada aktivitas terbaru')).toBeTruthy();
  });

  it('shows five records on a page and keeps the page number in the URL', async () => {
    serveRecords(Array.from({ length: 7 }, (_, index) => buildRecord({ spt_number: `NO-${index + 1}` })));
    const { user, router } = open();
    await screen.findByText('PBB · NO-1');
    expect(screen.getByText('Halaman 1 dari 2')).toBeTruthy();
    expect(screen.queryByText('PBB · NO-6')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Berikutnya (Next)' }));
    await screen.findByText('PBB · NO-6');
    expect(screen.getByText('Halaman 2 dari 2')).toBeTruthy();
    expect(router.state.location.search).toBe('?halaman=2');
  });

  it('goes to the last page when the URL names a page beyond it', async () => {
    serveRecords(Array.from({ length: 7 }, (_, index) => buildRecord({ spt_number: `NO-${index + 1}` })));
    const { router } = open('?halaman=9');
    await screen.findByText('PBB · NO-6');
    expect(router.state.location.search).toBe('?halaman=2');
  });
});

describe('UserDashboardPage: failed loads', () => {
  beforeEach(() => {
    server.on(STATISTICS, failAnswer(500, 'Terjadi kesalahan pada server'));
    server.on(RECORDS, networkError);
  });

  it('shows zeros and an error banner that can be closed', async () => {
    const { user } = open();
    await screen.findByText(FAILED);
    const cards = within(screen.getByLabelText('Ringkasan'));
    expect(cards.getAllByText('Rp 0')).toHaveLength(4);
    expect(cards.getByText('0')).toBeTruthy();
    await screen.findByText('Aktivitas tidak dapat ditampilkan.');
    await user.click(screen.getByRole('button', { name: 'Tutup pemberitahuan' }));
    expect(screen.queryByText(FAILED)).toBeNull();
  });

  it('loads again and removes the banner when Coba lagi is pressed', async () => {
    const { user } = open();
    await screen.findByText(FAILED);
    await screen.findByText('Aktivitas tidak dapat ditampilkan.');
    server.on(STATISTICS, okAnswer(statistics));
    serveRecords([]);
    await user.click(screen.getByRole('button', { name: 'Coba lagi' }));
    await screen.findByText('Rp 16.000.000');
    expect(screen.queryByText(FAILED)).toBeNull();
  });
});
