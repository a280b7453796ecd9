import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { buildRecord } from '#client/testing/build-record.ts';
import { failAnswer, fakeServer, networkError, okAnswer } from '#client/testing/fake-server.ts';
import { screenWidth } from '#client/testing/screen-width.ts';
import { buildChecked, buildPaid } from '#client/testing/build-sums.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import { formatDateRange, today } from '#client/lib/format.ts';
import { samePartBefore, statisticsDates } from '#shared/domain/dates/dates.ts';
import type { FirstSteps, FirstStepState } from '#shared/api/first-steps.ts';
import { FIRST_STEPS, type FirstStep } from '#shared/domain/office/first-steps.ts';
import type { UserAnswer } from '#shared/api/users.ts';
import { AdminDashboard } from './admin-dashboard.tsx';
import { dashboardKeys } from './api.ts';
import { exampleStatistics } from './testing/build-statistics.ts';

const USERS = 'GET /api/admin/users';
const RECORDS = 'GET /api/admin/tax-records';
const STATISTICS = 'GET /api/admin/statistics';
const STEPS = 'GET /api/admin/first-steps';
const CONVERSATIONS = 'GET /api/messages/conversations';
const CLAIMS = 'GET /api/admin/claims';
const RECOVERIES = 'GET /api/admin/recoveries';
const ERASURES = 'GET /api/admin/erasures';
const FAILED = 'Gagal memuat data dashboard. Silakan coba lagi.';

const buildUserAnswer = (id: string, fields: Partial<UserAnswer>): UserAnswer => {
  const times = { created_at: '2025-02-03T04:05:06.000Z', updated_at: '2025-02-03T04:05:06.000Z' };
  const plain = {
    is_admin: false,
    is_active: true,
    role: 'user' as const,
    name: id,
    email: `${id}@contoh.id`,
    has_email: true,
  };
  return { id, _id: id, ...plain, ...times, createdAt: times.created_at, updatedAt: times.updated_at, ...fields };
};
const ratna = buildUserAnswer('a1', { name: 'Ratna Dewi', is_admin: true, role: 'admin' });
const siti = buildUserAnswer('u1', { name: 'Siti Aminah', is_active: false });
const paid = buildRecord({ name: 'Rumah', status: 'lunas', amount: 1_500_000, year: 2025 });
const unpaid = buildRecord({ name: 'Toko', status: 'belum_lunas', amount: 500_000, year: 2026 });

const page = (data: unknown[], total: number) =>
  okAnswer({ data, total, per_page: data.length, current_page: 1, last_page: 1 });

const okConversations = (total: number, unanswered_since: string | null) => ({
  status: 200,
  body: { success: true, message: 'Daftar percakapan', total, data: total > 0 ? [{ unanswered_since }] : [] },
});

/** All done, but for those that are named. */
const stepsIn = (states: Partial<Record<FirstStep, FirstStepState>>): FirstSteps =>
  FIRST_STEPS.map((step) => ({ step, state: states[step] ?? 'done' }));

let server: ReturnType<typeof fakeServer>;
const onDeleteUser = vi.fn<(user: UserAnswer) => void>();

beforeEach(() => {
  onDeleteUser.mockClear();
  signIn({ id: 'a1', name: 'Ratna Dewi', is_admin: true });
  server = fakeServer();
  server.on(USERS, page([siti, ratna], 64));
  server.on(RECORDS, page([unpaid, paid], 412));
  server.on(STATISTICS, okAnswer(exampleStatistics));
  server.on(CONVERSATIONS, okConversations(0, null));
  server.on(CLAIMS, page([], 0));
  server.on(RECOVERIES, okAnswer([]));
  server.on(ERASURES, okAnswer([]));
  server.on(STEPS, okAnswer(stepsIn({})));
});

const open = () => renderPage(<AdminDashboard onDeleteUser={onDeleteUser} />, { path: '/admin/dashboard' });
const loaded = () => screen.findByText(/^Keadaan kantor per/);
const counterCards = () => [...screen.getByRole('region', { name: 'Statistik' }).querySelectorAll('dl > div')];
const counters = () =>
  counterCards().map((card) => `${card.querySelector('dt')?.textContent}${card.querySelector('dd')?.textContent}`);
// Amounts contain a non-breaking space.
const soFar = (period: 'month' | 'year') =>
  formatDateRange({ fromDate: statisticsDates(today())[period].current.fromDate, toDate: today() });
const amount = (label: string) => screen.getByText(label).closest('div')?.textContent?.replace(/\s/g, ' ') ?? '';

describe('AdminDashboard: statistics', () => {
  it('greets the admin by name and shows the counters, cards and amounts of this month', async () => {
    open();
    expect(screen.getByText('Memuat Dashboard...')).toBeTruthy();
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Selamat datang, Ratna Dewi');
    await loaded();
    expect(counters()).toEqual(['Total Users64', 'Total Records412', 'Lunas250', 'Belum Lunas150']);
    const cards = within(screen.getByRole('region', { name: 'Statistik' }));
    for (const text of ['61 aktif', 'Rp 900.000.000', 'Rp 600.000.000', 'Rp 300.000.000']) {
      expect(cards.getByText(text)).toBeTruthy();
    }
    expect(counterCards()[3]?.textContent).toContain('belum terbayar (162 data, termasuk Proses)');
    expect(amount('Total Pajak')).toContain('Rp 11.230.000');
    const both = `${soFar('month')} dibanding ${formatDateRange(samePartBefore(today()).month)}`;
    expect(amount('Total Pajak')).toContain(`+12,3% ${both}`);
    expect(amount('Pajak Terbayar')).toContain(`0% ${both}`);
    // The trend above is that of the payments; nothing above counts by the time of recording.
    expect(counterCards().map((card) => card.querySelector('[data-mood]')?.textContent ?? '')).toEqual([
      '',
      '',
      `+20% menurut tanggal bayar, ${both}`,
      '',
    ]);
  });

  it('says first what is to do, with links, and names payments by the day they were paid', async () => {
    server.on(CONVERSATIONS, okConversations(14, '2020-01-01T00:00:00.000Z'));
    renderPage(
      <AdminDashboard
        backupIssue={{ message: 'Pencadangan gagal', hint: 'Disk penuh.' }}
        onDeleteUser={onDeleteUser}
      />,
      { path: '/admin/dashboard' },
    );
    await loaded();
    const links = within(screen.getByRole('region', { name: 'Perlu ditindak' })).getAllByRole('link');
    expect(links.map((link) => link.textContent?.replaceAll(/\s/g, ' ').slice(0, 24))).toEqual([
      '3 bukti masuk belum dico',
      '14 chat belum dibalaster',
      '31 tagihan menunggakRp 1',
      '4 jatuh tempo minggu ini',
      ' Pencadangan gagalDisk p',
    ]);
    const payments = within(screen.getByRole('region', { name: 'Pembayaran Diterima' }));
    const month = payments.getByRole('link', { name: 'Bulan ini' });
    expect(month.closest('li')?.textContent?.replaceAll(/\s/g, ' ')).toBe(
      `Bulan ini12 pembayaranRp 6.000.000+20% ${soFar('month')} dibanding ${formatDateRange(samePartBefore(today()).month)}Semua sudah dicocokkan`,
    );
    expect(month.getAttribute('href')).toMatch(/bayar_dari=\d{4}-\d\d-01&bayar_sampai=\d{4}-\d\d-\d\d$/);
    expect(server.calls.find(({ path }) => path === '/api/messages/conversations')?.query).toEqual({
      state: 'waiting',
      sort: 'waiting',
      limit: '1',
    });
  });

  it('compares a day with the one before only once there is a payment', async () => {
    const { payments } = exampleStatistics;
    const previous = buildPaid(2, 500_000);
    const paidToday = (rupiah: number) =>
      okAnswer({
        ...exampleStatistics,
        payments: { ...payments, today: { ...buildPaid(rupiah / 1000, rupiah), previous } },
      });
    const day = () => screen.getByRole('link', { name: 'Hari ini' }).closest('li')?.textContent?.replaceAll(/\s/g, ' ');
    server.on(STATISTICS, paidToday(0));
    const { unmount } = open();
    await loaded();
    expect(day()).toBe('Hari ini0 pembayaranRp 0');
    unmount();
    server.on(STATISTICS, paidToday(1000));
    open();
    await loaded();
    expect(day()).toBe('Hari ini1 pembayaranRp 1.000-99,8% hari ini dibanding kemarinSemua sudah dicocokkan');
  });

  it('tells no number three times, and the reported payments once', async () => {
    const reported = { count: 12, amount: 7_200_000 };
    server.on(
      STATISTICS,
      okAnswer({ ...exampleStatistics, tasks: { ...exampleStatistics.tasks, reported, to_check: reported } }),
    );
    open();
    await loaded();
    const words = [...document.querySelectorAll('header *, section *')].flatMap(({ childNodes }) =>
      [...childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE).map(({ nodeValue }) => nodeValue),
    );
    const text = words.join(' ');
    const times = (number: string) =>
      text.split(new RegExp(`(?<![\\d.])${number.replaceAll('.', '\\.')}(?!\\.?\\d)`)).length - 1;
    const { total_users, total_records, lunas, belum_lunas } = exampleStatistics;
    // Both lists say their totals once more.
    for (const number of [total_users, total_records]) expect(times(String(number)), String(number)).toBe(2);
    for (const number of [lunas, belum_lunas]) expect(times(String(number)), String(number)).toBe(1);
    expect(times('7.200.000')).toBe(1);
    expect(screen.queryByText(/data berstatus Proses/)).toBeNull();
  });

  it('says in one line below the tasks that the backups are well', async () => {
    renderPage(<AdminDashboard backupLine="Cadangan: aman, 8 menit lalu" onDeleteUser={onDeleteUser} />, {
      path: '/admin/dashboard',
    });
    await loaded();
    const tasks = within(screen.getByRole('region', { name: 'Perlu ditindak' }));
    const line = tasks.getByRole('link', { name: 'Cadangan: aman, 8 menit lalu' });
    expect(line.getAttribute('href')).toBe('/admin/settings');
    expect(screen.getByText('9 data, menurut waktu pencatatan, bukan tanggal bayar')).toBeTruthy();
  });

  it.each([true, false])(
    'shows what was recorded below what was paid, under a heading of its own (wide: %s)',
    async (isWide) => {
      screenWidth.wide = isWide;
      open();
      await loaded();
      const order = ['Perlu ditindak', 'Pembayaran Diterima', 'Statistik', 'Data yang dicatat', 'Ringkasan Keuangan'];
      const names = [...document.querySelectorAll('section[aria-label], h2, h3')].map(
        (one) => one.ariaLabel ?? one.textContent,
      );
      expect(names.filter((name) => order.includes(name ?? ''))).toEqual(order);
    },
  );

  it('says below the paid sums what the office knows of them, and each part opens its list', async () => {
    const checked = buildChecked(250, 600_000_000, {
      matched: { count: 100, amount: 279_500_000 },
      pending: { count: 40, amount: 82_000_000 },
      rejected: { count: 3, amount: 18_795_080 },
    });
    const year = {
      ...exampleStatistics.payments.year,
      ...buildPaid(90, 45_000_000, { outdated: { count: 2, amount: 5_000_000 } }),
    };
    server.on(
      STATISTICS,
      okAnswer({ ...exampleStatistics, checked, payments: { ...exampleStatistics.payments, year } }),
    );
    open();
    await loaded();
    expect(counterCards()[2]?.textContent?.replaceAll(/\s/g, ' ')).toContain(
      'Dicocokkan Rp 279.500.000 · menunggu Rp 82.000.000 · tidak cocok Rp 18.795.080 · dicatat kantor Rp 219.704.920',
    );
    const href = (name: RegExp) => screen.getByRole('link', { name }).getAttribute('href');
    expect(href(/^tidak cocok/)).toBe('/admin/tax-records?status=lunas&pencocokan=rejected');
    const { fromDate, toDate } = statisticsDates(today()).year.current;
    expect(href(/^Berubah sejak dicocokkan/)).toBe(
      `/admin/tax-records?status=lunas&pencocokan=outdated&bayar_dari=${fromDate}&bayar_sampai=${toDate}`,
    );
  });

  it('says calmly that nothing is to do, but only when everything is known', async () => {
    const nothing = { count: 0, amount: 0 };
    const tasks = {
      reported: nothing,
      overdue: nothing,
      due_this_week: nothing,
      to_check: nothing,
      matched_unpaid: nothing,
    };
    server.on(STATISTICS, okAnswer({ ...exampleStatistics, tasks }));
    const { unmount } = open();
    expect(await screen.findByText('Tidak ada yang perlu ditindak saat ini.')).toBeTruthy();
    unmount();
    server.on(CONVERSATIONS, failAnswer(500));
    open();
    expect(await screen.findByText('Sebagian belum dapat dihitung. Tekan Refresh untuk mencoba lagi.')).toBeTruthy();
    expect(screen.queryByText('Tidak ada yang perlu ditindak saat ini.')).toBeNull();
  });

  describe('while users cannot enter the SPPT of this year', () => {
    const SETTINGS = 'GET /api/admin/record-settings';
    const SAVE = 'PUT /api/admin/record-settings';
    const thisYear = new Date().getFullYear();
    const openName = `Buka tahun ${thisYear}`;

    async function openWith(user_years: number[]) {
      const settings = { user_years, rollover: 'automatic' };
      server.on(SETTINGS, okAnswer(settings));
      server.on(SAVE, (call) => {
        const stored = okAnswer({ ...settings, ...(call.body as object) });
        server.on(SETTINGS, stored);
        return stored;
      });
      const { user } = open();
      await loaded();
      return user;
    }

    it('opens the year with one press, and takes it back', async () => {
      const user = await openWith([thisYear - 1]);
      const tasks = within(screen.getByRole('region', { name: 'Perlu ditindak' }));
      expect(await tasks.findByText(`Warga belum dapat mengisi SPPT ${thisYear}`)).toBeTruthy();
      await user.click(tasks.getByRole('button', { name: openName }));
      expect(await screen.findByText(`Tahun ${thisYear} dibuka untuk warga`)).toBeTruthy();
      await waitFor(() => expect(tasks.queryByRole('button', { name: openName })).toBeNull());
      await user.click(screen.getByRole('button', { name: 'Urungkan (Undo)' }));
      expect(await tasks.findByRole('button', { name: openName })).toBeTruthy();
      expect(server.callsOf(SAVE).map(({ body }) => body)).toEqual([
        { user_years: [thisYear, thisYear - 1] },
        { user_years: [thisYear - 1] },
      ]);
    });

    it('replaces the oldest of six, says so, and takes back only that', async () => {
      const user = await openWith([1, 2, 3, 4, 5, 6].map((ago) => thisYear - ago));
      await user.click(await screen.findByRole('button', { name: openName }));
      const text = `Tahun ${thisYear} dibuka untuk warga, tahun ${thisYear - 6} ditutup`;
      expect(await screen.findByText(text)).toBeTruthy();
      // Meanwhile a colleague has chosen other years.
      server.on(SETTINGS, okAnswer({ user_years: [thisYear, thisYear - 1, thisYear - 9], rollover: 'automatic' }));
      await user.click(screen.getByRole('button', { name: 'Urungkan (Undo)' }));
      await waitFor(() => expect(server.callsOf(SAVE)).toHaveLength(2));
      expect(server.callsOf(SAVE)[1]?.body).toEqual({ user_years: [thisYear - 1, thisYear - 6, thisYear - 9] });
    });

    it('keeps the task when the call fails, and has none when the year is open', async () => {
      const user = await openWith([thisYear - 1]);
      server.on(SAVE, failAnswer(503, 'Server sedang sibuk. Coba lagi.'));
      await user.click(await screen.findByRole('button', { name: openName }));
      expect(await screen.findByText('Server sedang sibuk. Coba lagi.')).toBeTruthy();
      expect(screen.getByRole('button', { name: openName })).toBeTruthy();
      cleanup();
      await openWith([thisYear]);
      await waitFor(() => expect(server.callsOf(SETTINGS)).not.toHaveLength(0));
      expect(screen.queryByRole('button', { name: openName })).toBeNull();
    });
  });

  it('shows another period without a call, and a trend only where there is something to compare with', async () => {
    const { user } = open();
    await loaded();
    const calls = server.calls.length;
    const period = screen.getByRole('combobox', { name: 'Periode ringkasan keuangan' });
    await user.selectOptions(period, 'Hari Ini');
    expect(amount('Total Pajak')).toBe('Total PajakRp 1.000.000');
    await user.selectOptions(period, 'Minggu Ini');
    expect(amount('Total Pajak')).toMatch(/-50% .+ dibanding .+/);
    expect(amount('Belum Terbayar')).toContain('Rp 0');
    await user.selectOptions(period, 'Tahun Ini');
    expect(amount('Total Pajak')).toContain(
      `+200% ${soFar('year')} dibanding ${formatDateRange(samePartBefore(today()).year)}`,
    );
    // No tax was unpaid in the year before.
    expect(amount('Belum Terbayar')).toBe('Belum TerbayarRp 40.000.000');
    expect(server.calls).toHaveLength(calls);
  });

  it('computes the statistics from the lists when only the call for statistics fails', async () => {
    server.on(STATISTICS, failAnswer(500));
    open();
    expect(await screen.findByText('Gagal memuat statistik')).toBeTruthy();
    expect(screen.queryByText(FAILED)).toBeNull();
    expect(counters()).toEqual(['Total Users64', 'Total Records412', 'Lunas1', 'Belum Lunas1']);
    expect(screen.getByText('Angka di bawah dihitung dari 2 data PBB terbaru dari 412.')).toBeTruthy();
    const cards = within(screen.getByRole('region', { name: 'Statistik' }));
    expect(cards.getByText('Rp 1.500.000')).toBeTruthy();
    expect(cards.getByText('Rp 500.000')).toBeTruthy();
  });

  it('computes them also from rows that have `total` instead of `amount`, or neither', async () => {
    const { amount: total, ...withoutAmount } = paid;
    const { amount: _amount, ...withNothing } = buildRecord({ name: 'Gudang', status: 'lunas' });
    server.on(STATISTICS, failAnswer(500));
    server.on(RECORDS, page([unpaid, { ...withoutAmount, total }, withNothing], 412));
    open();
    expect(await screen.findByText('Gagal memuat statistik')).toBeTruthy();
    expect(screen.queryByText(FAILED)).toBeNull();
    expect(counters()).toEqual(['Total Users64', 'Total Records412', 'Lunas2', 'Belum Lunas1']);
    const cards = within(screen.getByRole('region', { name: 'Statistik' }));
    expect(cards.getByText('Rp 1.500.000')).toBeTruthy();
    expect(cards.getByText('Rp 500.000')).toBeTruthy();
    expect(document.body.textContent).not.toContain('NaN');
  });
});

describe('AdminDashboard: failed loads', () => {
  it('shows zeros and an error banner that can be closed when every call fails', async () => {
    for (const address of [USERS, RECORDS, STATISTICS]) server.on(address, networkError);
    const { user } = open();
    await screen.findByText(FAILED);
    expect(counters()).toEqual(['Total Users0', 'Total Records0', 'Lunas0', 'Belum Lunas0']);
    await user.click(screen.getByRole('button', { name: 'Tutup pemberitahuan' }));
    expect(screen.queryByText(FAILED)).toBeNull();
    expect(document.activeElement?.textContent).toBe('Selamat datang, Ratna Dewi');
  });

  it('shows zeros after a failed Refresh, and the statistics again after a successful one', async () => {
    const { user } = open();
    await loaded();
    server.on(RECORDS, failAnswer(503, 'Server sedang sibuk. Coba lagi.'));
    await user.click(screen.getByRole('button', { name: 'Refresh' }));
    await screen.findByText(FAILED);
    expect(screen.getByText('Server sedang sibuk. Coba lagi.')).toBeTruthy();
    expect(counters()[1]).toBe('Total Records0');
    server.on(RECORDS, page([unpaid], 413));
    server.on(STATISTICS, okAnswer({ ...exampleStatistics, total_records: 413 }));
    await user.click(screen.getByRole('button', { name: 'Refresh' }));
    await waitFor(() => expect(counters()[1]).toBe('Total Records413'));
    expect(screen.queryByText(FAILED)).toBeNull();
  });

  it('keeps the numbers on screen when an automatic refetch fails', async () => {
    const { queries: queryClient } = open();
    await loaded();
    server.on(RECORDS, failAnswer(503));
    await queryClient.invalidateQueries({ queryKey: dashboardKeys.records });
    await screen.findByText(FAILED);
    expect(counters()[1]).toBe('Total Records412');
    expect(screen.getByText('Toko')).toBeTruthy();
  });
});

describe('AdminDashboard: lists and links', () => {
  it('offers edit and delete for each user, but does not delete the own account', async () => {
    const { user } = open();
    const users = within(screen.getByRole('region', { name: 'Users Terbaru' }));
    await users.findByText('Siti Aminah');
    expect(users.getByText('Total 64 pengguna')).toBeTruthy();
    expect(users.getByText('Nonaktif')).toBeTruthy();
    expect(users.getByText('Admin')).toBeTruthy();
    expect(users.getByRole('link', { name: 'Siti Aminah' }).getAttribute('href')).toBe('/admin/users/u1');
    await user.click(users.getByRole('button', { name: 'Tindakan untuk Siti Aminah' }));
    const edit = await screen.findByRole('menuitem', { name: 'Edit Siti Aminah' });
    expect(edit.getAttribute('href')).toBe('/admin/users?edit=u1');
    await user.click(screen.getByRole('menuitem', { name: 'Hapus (Delete) Siti Aminah' }));
    expect(onDeleteUser).toHaveBeenCalledExactlyOnceWith(siti);
    expect(document.activeElement).toBe(users.getByRole('button', { name: 'Tindakan untuk Siti Aminah' }));
    await user.click(users.getByRole('button', { name: 'Tindakan untuk Ratna Dewi' }));
    const own = await screen.findByRole('menuitem', { name: 'Hapus (Delete) Ratna Dewi' });
    expect(own.getAttribute('aria-description')).toBe(
      'Anda tidak dapat menghapus, menonaktifkan, atau menurunkan akun sendiri',
    );
    await user.click(own);
    expect(onDeleteUser).toHaveBeenCalledTimes(1);
  });

  it('shows records as cards by default and remembers the choice of a table', async () => {
    const { user, unmount } = open();
    const records = () => within(screen.getByRole('region', { name: 'Catatan Pajak Terbaru' }));
    await records().findByText('Toko');
    expect(records().getByText('PBB · 2026')).toBeTruthy();
    expect(records().getByText('Belum Lunas')).toBeTruthy();
    expect(records().getByText('Rp 500.000')).toBeTruthy();
    const href = (name: RegExp) => records().getByRole('link', { name }).getAttribute('href');
    expect(href(/^Toko$/)).toBe(`/admin/tax-records/${unpaid.id}`);
    expect(href(/^Lihat Semua/)).toBe('/admin/tax-records');
    await user.click(records().getByRole('button', { name: /^Tindakan untuk Toko/ }));
    const action = async (name: RegExp) => (await screen.findByRole('menuitem', { name })).getAttribute('href');
    expect(await action(/^Lihat \(View\) Toko/)).toBe(`/admin/tax-records/${unpaid.id}`);
    expect(await action(/^Edit Toko/)).toBe(`/admin/tax-records/${unpaid.id}/edit`);
    await user.keyboard('{Escape}');
    expect(records().queryByRole('table')).toBeNull();
    await user.click(records().getByRole('radio', { name: 'Tabel' }));
    expect(records().getByRole('table')).toBeTruthy();
    unmount();
    open();
    await records().findByRole('table');
    expect(within(screen.getByRole('region', { name: 'Users Terbaru' })).queryByRole('table')).toBeNull();
  });

  it('says of the newest records only whether they are paid', async () => {
    server.on(RECORDS, page([buildRecord({ name: 'Gudang', status: 'proses' }), paid], 2));
    const { user } = open();
    const records = within(screen.getByRole('region', { name: 'Catatan Pajak Terbaru' }));
    const row = async (role: 'listitem' | 'row', name: string) =>
      (await records.findByText(name)).closest(role === 'row' ? 'tr' : 'li')?.textContent;
    expect(await row('listitem', 'Gudang')).toContain('Belum Lunas');
    expect(await row('listitem', 'Rumah')).toMatch(/(?<!Belum )Lunas/);
    await user.click(records.getByRole('radio', { name: 'Tabel' }));
    expect(await row('row', 'Gudang')).toContain('Belum Lunas');
    expect(records.queryByText('Proses')).toBeNull();
  });

  it('shows an empty text for each empty list, and requests six rows of each', async () => {
    server.on(USERS, page([], 0));
    server.on(RECORDS, page([], 0));
    open();
    await screen.findByText('Belum ada pengguna');
    expect(screen.getByText('Belum ada catatan pajak')).toBeTruthy();
    expect(server.callsOf(USERS)[0]?.query).toEqual({ limit: '6' });
    expect(server.callsOf(RECORDS)[0]?.query).toEqual({ limit: '6' });
  });

  it('links to users, records, reports and settings', async () => {
    open();
    const links = within(screen.getByRole('navigation', { name: 'Aksi cepat' })).getAllByRole('link');
    expect(links.map((link) => link.getAttribute('href'))).toEqual([
      '/admin/users',
      '/admin/tax-records',
      '/admin/reports',
      '/admin/settings',
    ]);
    await loaded();
  });
});

describe('AdminDashboard: first steps', () => {
  const emptyStatistics = {
    ...exampleStatistics,
    tasks: Object.fromEntries(
      Object.keys(exampleStatistics.tasks).map((task) => [task, { count: 0, amount: 0 }]),
    ) as typeof exampleStatistics.tasks,
  };
  const CALM = 'Tidak ada yang perlu ditindak saat ini.';
  const steps = () => within(screen.getByRole('region', { name: 'Langkah pertama' }));

  it('begins with what a new office has to do, each with a link to its place', async () => {
    server.on(STATISTICS, okAnswer(emptyStatistics));
    server.on(STEPS, okAnswer(FIRST_STEPS.map((step) => ({ step, state: 'open' }))));
    open();
    await screen.findByText('Langkah pertama');
    const links = steps().getAllByRole('link');
    expect(links.map((link) => link.querySelector('span span')?.textContent)).toEqual([
      'Beri nama kantor',
      'Isi jam layanan',
      'Pilih tahun pajak warga',
      'Impor contoh balasan cepat',
      'Pasang folder cadangan kedua',
      'Cetak lembar QR',
      'Ganti password Anda',
    ]);
    expect(links.map((link) => link.getAttribute('href'))).toEqual([
      '/admin/settings/office-identity',
      '/admin/settings/office-hours',
      '/admin/settings/tax-years',
      '/admin/settings/quick-replies',
      '/admin/settings#cadangan',
      '/admin/settings#alamat-kantor',
      '/admin/account',
    ]);
    expect(screen.queryByText(CALM)).toBeNull();
  });

  it('ticks what is done, and puts away one step or all, with undo', async () => {
    server.on(STATISTICS, okAnswer(emptyStatistics));
    server.on(STEPS, okAnswer(stepsIn({ hours: 'open', qr_sheet: 'open', identity: 'dismissed' })));
    server.on('PUT /api/admin/first-steps/hours', ({ body }) =>
      okAnswer(stepsIn({ hours: (body as { state: FirstStepState }).state, qr_sheet: 'open', identity: 'dismissed' })),
    );
    server.on('PUT /api/admin/first-steps/qr_sheet', () =>
      okAnswer(stepsIn({ hours: 'open', qr_sheet: 'dismissed', identity: 'dismissed' })),
    );
    const { user } = open();
    await screen.findByText('Langkah pertama');
    expect(steps().getByText(/^Selesai:/).textContent).toBe(
      ' Selesai: Pilih tahun pajak warga · Impor contoh balasan cepat · Pasang folder cadangan kedua · Ganti password Anda',
    );
    await user.click(steps().getByRole('button', { name: 'Singkirkan: Isi jam layanan' }));
    await waitFor(() => expect(steps().getAllByRole('link')).toHaveLength(1));
    expect(await screen.findByText('Langkah ‘Isi jam layanan’ disingkirkan')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Urungkan (Undo)' }));
    await waitFor(() => expect(steps().getAllByRole('link')).toHaveLength(2));
    server.on('PUT /api/admin/first-steps/qr_sheet', () =>
      okAnswer(stepsIn({ hours: 'dismissed', qr_sheet: 'dismissed' })),
    );
    await user.click(steps().getByRole('button', { name: 'Singkirkan semua' }));
    expect(await screen.findByText(CALM)).toBeTruthy();
    expect(screen.queryByText('Langkah pertama')).toBeNull();
    expect(await screen.findByText('2 langkah disingkirkan')).toBeTruthy();
  });

  it('says that a step could not be put away, and keeps it', async () => {
    server.on(STEPS, okAnswer(stepsIn({ hours: 'open' })));
    server.on('PUT /api/admin/first-steps/hours', failAnswer(500, 'Terjadi kesalahan pada server'));
    const { user } = open();
    await screen.findByText('Langkah pertama');
    await user.click(steps().getByRole('button', { name: 'Singkirkan: Isi jam layanan' }));
    expect(await screen.findByText('Terjadi kesalahan pada server')).toBeTruthy();
    expect(steps().getAllByRole('link')).toHaveLength(1);
  });

  it('shows nothing of them once all are done, and when they cannot be loaded', async () => {
    server.on(STATISTICS, okAnswer(emptyStatistics));
    const { unmount } = open();
    expect(await screen.findByText(CALM)).toBeTruthy();
    unmount();
    server.on(STEPS, failAnswer(500, 'Terjadi kesalahan pada server'));
    open();
    expect(await screen.findByText(CALM)).toBeTruthy();
    expect(screen.queryByText('Langkah pertama')).toBeNull();
  });
});
