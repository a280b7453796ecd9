import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { failAnswer, fakeServer, okAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import type { ChatStatistics } from '#shared/api/office/chat-statistics.ts';
import { chatReport } from './chat-report.ts';
import { ChatReportPage } from './chat-report-page.tsx';

const URL = 'GET /api/admin/chat-statistics';
const MINUTE = 60_000;
const waits = (answered: number, median: number, p90: number, longest: number) => ({
  answered,
  median_ms: median * MINUTE,
  p90_ms: p90 * MINUTE,
  longest_wait_ms: longest * MINUTE,
});
const none = { answered: 0, median_ms: null, p90_ms: null, longest_wait_ms: null };
const statistics: ChatStatistics = {
  period: { from: '2026-06-01', to: '2026-06-03' },
  days: [
    { date: '2026-06-01', incoming: 0, ...none, admins: [] },
    {
      date: '2026-06-02',
      incoming: 12,
      ...waits(5, 4, 9, 80),
      admins: [{ id: 'a1', name: 'Ibu Ratna', ...waits(5, 4, 9, 80) }],
    },
    { date: '2026-06-03', incoming: 3, ...none, admins: [] },
  ],
  total: { incoming: 15, answered: 5, median_ms: 4 * MINUTE, p90_ms: 9 * MINUTE },
  admins: [{ id: 'a1', name: 'Ibu Ratna', ...waits(5, 4, 9, 80) }],
  left_out: { admins: 0, admins_by_day: false },
  longest_wait_ms: 80 * MINUTE,
  waiting: null,
};
let server: ReturnType<typeof fakeServer>;

beforeEach(() => {
  vi.setSystemTime('2026-06-03T05:00:00Z');
  signIn({ is_admin: true, name: 'Ibu Ratna' });
  server = fakeServer();
  server.on(URL, okAnswer(statistics));
  return () => vi.useRealTimers();
});

const cellsOf = (table: string): (string | null)[][] =>
  within(screen.getByRole('table', { name: table }))
    .getAllByRole('row')
    .map((row) => [...row.querySelectorAll('th, td:not([aria-hidden])')].map(({ textContent }) => textContent));

it('says what is left out of a period that is too large', async () => {
  server.on(URL, okAnswer({ ...statistics, left_out: { admins: 20, admins_by_day: true } }));
  renderPage(<ChatReportPage />);
  const note = await screen.findByText(/^Tidak termasuk: /);
  expect(note.textContent).toBe(
    'Tidak termasuk: 20 admin dengan balasan paling sedikit dan angka tiap admin per hari. Pilih periode yang lebih pendek untuk melihatnya.',
  );
});

it('shows the waits of each day and each admin, and leaves out empty days', async () => {
  renderPage(<ChatReportPage />);
  await screen.findByRole('table', { name: 'Per Hari' });
  expect(cellsOf('Per Hari')).toEqual([
    ['Tanggal', 'Pesan masuk', 'Dibalas', 'Separuh dijawab dalam', '9 dari 10 dijawab dalam', 'Terlama'],
    ['2 Jun 2026', '12', '5', '4 mnt', '9 mnt', '1 jam 20 mnt'],
    ['3 Jun 2026', '3', '0', '–', '–', '–'],
    ['Seluruh periode', '15', '5', '4 mnt', '9 mnt', '1 jam 20 mnt'],
  ]);
  expect(cellsOf('Per Admin')[1]).toEqual(['Ibu Ratna', '5', '4 mnt', '9 mnt', '1 jam 20 mnt']);
  expect(screen.getByLabelText('Angka utama').textContent).toContain('Separuh dijawab dalam4 mnt');
});

it('says first who still waits, also where the period has no conversation', async () => {
  const waiting = { count: 17, longest_ms: (5 * 24 + 3) * 60 * MINUTE };
  server.on(URL, okAnswer({ ...statistics, days: [], waiting }));
  const { unmount } = renderPage(<ChatReportPage />);
  const link = await screen.findByRole('link', { name: 'Masih menunggu: 17 warga, terlama 5 hari 3 jam' });
  expect(link.getAttribute('href')).toBe('/admin/chat?show=waiting');
  expect(link.closest('p')?.dataset['alert']).toBe('true');
  expect(link.compareDocumentPosition(screen.getByText('Tidak ada percakapan'))).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  expect(chatReport({ ...statistics, waiting }, 'Ibu Ratna', 0).details[0]?.value).toBe(
    '17 warga, terlama 5 hari 3 jam',
  );
  unmount();
  server.on(URL, okAnswer(statistics));
  renderPage(<ChatReportPage />);
  expect((await screen.findByText('Masih menunggu: tidak ada')).dataset['alert']).toBeUndefined();
});

it.each([
  ['Minggu ini', 'this_week', 'minggu-ini'],
  ['Minggu lalu', 'last_week', 'minggu-lalu'],
  ['7 hari terakhir', 'last_7_days', '7-hari'],
])('offers %s', async (label, range, name) => {
  const { user, router } = renderPage(<ChatReportPage />);
  await screen.findByRole('table', { name: 'Per Hari' });
  await user.selectOptions(screen.getByRole('combobox', { name: 'Periode' }), label);
  await waitFor(() => expect(server.callsOf(URL).at(-1)?.query['range']).toBe(range));
  expect(router.state.location.search).toBe(`?periode=${name}`);
});

it('loads the chosen period and keeps it in the address', async () => {
  const { user, router } = renderPage(<ChatReportPage />);
  await screen.findByRole('table', { name: 'Per Hari' });
  await user.selectOptions(screen.getByRole('combobox', { name: 'Periode' }), 'Bulan lalu');
  await waitFor(() =>
    expect(server.callsOf(URL).map(({ query }) => query['range'])).toEqual(['this_month', 'last_month']),
  );
  expect(router.state.location.search).toBe('?periode=bulan-lalu');
});

it('says when there was no conversation', async () => {
  server.on(
    URL,
    okAnswer({
      ...statistics,
      days: [],
      total: { incoming: 0, answered: 0, median_ms: null, p90_ms: null },
      admins: [],
      longest_wait_ms: null,
    }),
  );
  renderPage(<ChatReportPage />);
  expect(await screen.findByText('Tidak ada percakapan')).toBeTruthy();
  expect(screen.queryByRole('table')).toBeNull();
});

it('shows a failed load, and loads again', async () => {
  server.on(URL, failAnswer(503, 'Server sedang sibuk. Coba lagi.'));
  const { user } = renderPage(<ChatReportPage />);
  expect(await screen.findByText('Server sedang sibuk. Coba lagi.')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Export Excel' }).getAttribute('aria-disabled')).toBe('true');
  server.on(URL, okAnswer(statistics));
  await user.click(screen.getByRole('button', { name: /Coba [Ll]agi/ }));
  expect(await screen.findByRole('table', { name: 'Per Hari' })).toBeTruthy();
});

it('exports the same numbers, waits in minutes', () => {
  const { fileName, details, sections } = chatReport(statistics, 'Ibu Ratna', Date.now());
  expect(fileName).toBe('layanan-chat_2026-06-01_2026-06-03');
  expect(details.map(({ label }) => label)).toEqual(['Masih menunggu', 'Periode', 'Lama tunggu', 'Dibuat oleh']);
  expect(sections.map(({ heading, rows, totals }) => [heading, rows, totals])).toEqual([
    [
      'Per Hari',
      [
        ['2026-06-02', 12, 5, 4, 9, 80],
        ['2026-06-03', 3, 0, null, null, null],
      ],
      ['Seluruh periode', 15, 5, 4, 9, 80],
    ],
    ['Per Admin', [['Ibu Ratna', 5, 4, 9, 80]], undefined],
    ['Per Hari dan Admin', [['2026-06-02', 'Ibu Ratna', 5, 4, 9, 80]], undefined],
  ]);
});

it('exports what is left out of a period that is too large', () => {
  const { details } = chatReport(
    { ...statistics, left_out: { admins: 0, admins_by_day: true } },
    'Ibu Ratna',
    Date.now(),
  );
  expect(details.at(-1)).toEqual({ label: 'Tidak termasuk', value: 'angka tiap admin per hari' });
});
