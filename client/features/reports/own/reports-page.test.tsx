import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { failAnswer, fakeServer, networkError, okAnswer, neverAnswer } from '#client/testing/fake-server.ts';
import { buildChecked, buildPaid } from '#client/testing/build-sums.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import { ReportsPage } from './reports-page.tsx';

const SUMMARY = 'GET /api/reports/summary';
const PROPERTY = 'GET /api/reports/property';
const summary = {
  totalTax: 16_000_000,
  paidTax: 10_000_000,
  unpaidTax: 6_000_000,
  totalRecords: 1234,
  paidInPeriod: buildPaid(3, 330_000, { rejected: { count: 1, amount: 130_000 } }),
  checked: buildChecked(9, 10_000_000, { pending: { count: 4, amount: 2_500_000 } }),
};
const shares = [
  { property: 'Rumah Tinggal', amount: 12_000_000, percentage: 75 },
  { property: 'Toko/Ruko', amount: 3_980_000, percentage: 24.9 },
  { property: 'Belum Ditentukan', amount: 20_000, percentage: 0.1 },
];

let server: ReturnType<typeof fakeServer>;

beforeEach(() => {
  signIn({ name: 'Siti Aminah' });
  server = fakeServer();
  server.on(SUMMARY, okAnswer(summary));
  server.on(PROPERTY, okAnswer(shares));
});

function open(search = '') {
  const view = renderPage(<ReportsPage />, { path: '/reports', at: `/reports${search}` });
  return { ...view, address: () => view.router.state.location.search };
}

const periodsOf = (call: string) => server.callsOf(call).map(({ query }) => query['dateRange']);
const tab = (name: string) => screen.getByRole('tab', { name });
const period = () => screen.getByRole<HTMLSelectElement>('combobox', { name: 'Periode' });

describe('ReportsPage: tab Ringkasan', () => {
  it('shows four totals and the paid percentage', async () => {
    open();
    // In the card and in the line below the progress bar.
    expect(await screen.findAllByText('Rp 16.000.000')).toHaveLength(2);
    for (const label of ['Total Pajak', 'Pajak Terbayar', 'Belum Bayar', 'Total Catatan']) {
      expect(screen.getByText(label)).toBeTruthy();
    }
    expect(screen.getByText('Rp 6.000.000')).toBeTruthy();
    expect(screen.getByText('1.234')).toBeTruthy();
    const paid = screen.getByText('Dibayar pada periode ini').closest('.mantine-Paper-root');
    expect(paid?.textContent.replaceAll('\u00A0', ' ')).toContain(
      'Rp 330.000 · 3 pembayaranTidak cocok Rp 130.000 · dicatat kantor Rp 200.000',
    );
    const total = screen.getByText('Pajak Terbayar').closest('.mantine-Paper-root');
    expect(total?.textContent.replaceAll('\u00A0', ' ')).toContain(
      'Menunggu Rp 2.500.000 · dicatat kantor Rp 7.500.000',
    );
    const bar = screen.getByRole('progressbar', { name: 'Progres Pembayaran' });
    expect(bar.getAttribute('aria-valuenow')).toBe('62.5');
    // Payments that only their owner reports are another part of the bar, not a fact.
    expect(bar.getAttribute('aria-valuetext')).toBe('62,5% terbayar menurut Anda; 46,9% diketahui kantor');
    expect(screen.getByText('62,5% terbayar')).toBeTruthy();
  });

  it('says in short what is paid when the office knows all of it', async () => {
    const known = { totalTax: 400, paidTax: 100, unpaidTax: 300, totalRecords: 2, paidInPeriod: buildPaid(0, 0) };
    server.on(SUMMARY, okAnswer({ ...known, checked: buildChecked(1, 100) }));
    open();
    await screen.findByText('25% terbayar');
    const bar = screen.getByRole('progressbar', { name: 'Progres Pembayaran' });
    expect(bar.getAttribute('aria-valuetext')).toBe('25% terbayar');
    expect(screen.queryByText(/diketahui kantor/)).toBeNull();
  });

  it('shows 0% when the total is 0', async () => {
    server.on(
      SUMMARY,
      okAnswer({
        totalTax: 0,
        paidTax: 0,
        unpaidTax: 0,
        totalRecords: 0,
        paidInPeriod: buildPaid(0, 0),
        checked: buildChecked(0, 0),
      }),
    );
    open();
    expect(await screen.findByText('0% terbayar')).toBeTruthy();
    expect(screen.getByText('Belum ada pajak yang dicatat pada periode ini.')).toBeTruthy();
  });
});

describe('ReportsPage: tab Jenis Properti', () => {
  it('gives the bar of each type the colour of its mark, and grey to records without a type', async () => {
    server.on(
      PROPERTY,
      okAnswer([
        { property: 'Kantor', amount: 600, percentage: 60 },
        { property: 'Belum Ditentukan', amount: 380, percentage: 38 },
        { property: 'Pabrik', amount: 10, percentage: 1 },
        { property: 'Gudang', amount: 10, percentage: 1 },
      ]),
    );
    open('?tab=properti');
    const table = await screen.findByRole('table', { name: 'Pajak menurut jenis properti' });
    const numbersOf = (row: Element) => {
      const mark = row.querySelector('rect')?.getAttribute('fill') ?? '';
      const bar = row.querySelector('[style]')?.getAttribute('style') ?? '';
      return [Number(/pattern-(\d+)/.exec(mark)?.[1]) + 1, Number(/--slice-(\d+)/.exec(bar)?.[1])];
    };
    const rows = [...table.querySelectorAll('tbody tr')].map(numbersOf);
    expect(rows).toEqual([
      [2, 2],
      [7, 7],
      [8, 8],
      [8, 8],
    ]);
  });

  it('lists property types with amount and percentage, and their total', async () => {
    open('?tab=properti');
    const table = await screen.findByRole('table', { name: 'Pajak menurut jenis properti' });
    const rows = within(table)
      .getAllByRole('row')
      .map((row) => [...row.children].map((cell) => cell.textContent));
    expect(rows).toEqual([
      ['Jenis Properti', 'Jumlah', 'Persentase'],
      ['Rumah Tinggal', 'Rp\u00A012.000.000', '75%'],
      ['Toko/Ruko', 'Rp\u00A03.980.000', '24,9%'],
      ['Belum Ditentukan', 'Rp\u00A020.000', '0,1%'],
      ['Total', 'Rp\u00A016.000.000', '100%'],
    ]);
  });

  it('shows percentages that add up to 100 where each alone rounds down', async () => {
    const third = (property: string) => ({ property, amount: 1000, percentage: 33.3 });
    server.on(PROPERTY, okAnswer(['Rumah Tinggal', 'Kantor', 'Gudang'].map(third)));
    open('?tab=properti');
    const cells = async (name: RegExp) => (await screen.findByRole('row', { name })).textContent;
    expect(await cells(/^Rumah Tinggal/)).toContain('33,4%');
    expect(await cells(/^Kantor/)).toContain('33,3%');
    expect(await cells(/^Gudang/)).toContain('33,3%');
  });

  it('draws a chart with the total, percentages from 8 %, and one part for several small types', async () => {
    server.on(
      PROPERTY,
      okAnswer([
        { property: 'Rumah Tinggal', amount: 9_200, percentage: 92 },
        { property: 'Kantor', amount: 500, percentage: 5 },
        { property: 'Gudang', amount: 160, percentage: 1.6 },
        { property: 'Pabrik', amount: 140, percentage: 1.4 },
      ]),
    );
    open('?tab=properti');
    const table = await screen.findByRole('table', { name: 'Pajak menurut jenis properti' });
    const chart = table.closest('.mantine-Paper-root')?.querySelector('svg[viewBox]');
    const texts = [...(chart?.querySelectorAll('text') ?? [])].map(({ textContent }) => textContent);
    expect(texts).toEqual(['92%', 'Total', 'Rp\u00A010.000']);
    const fills = (elements: NodeListOf<Element>) => [...elements].map((element) => element.getAttribute('fill'));
    const parts = chart ? fills(chart.querySelectorAll('path')) : [];
    expect(new Set(parts).size).toBe(3);
    // The marks of the two small types look as the joined part.
    expect(fills(table.querySelectorAll('rect'))).toEqual([parts[0], parts[1], parts[2], parts[2]]);
    expect(screen.getByText('Pada diagram, Lainnya mencakup jenis di bawah 2%: Gudang, Pabrik.')).toBeTruthy();
  });

  it('shows an empty text when the period has no records', async () => {
    server.on(PROPERTY, okAnswer([]));
    open('?tab=properti');
    expect(await screen.findByText('Tidak ada data')).toBeTruthy();
  });
});

describe('ReportsPage: period and tab', () => {
  it('shows this year and the summary by default', async () => {
    open();
    expect(await screen.findByText('62,5% terbayar')).toBeTruthy();
    expect(period().value).toBe('this_year');
    expect([...period().options].map((option) => option.text)).toEqual([
      'Bulan Ini',
      'Bulan Lalu',
      'Kuartal Ini',
      'Tahun Ini',
      'Tahun Lalu',
    ]);
    expect(tab('Ringkasan').getAttribute('aria-selected')).toBe('true');
    expect(periodsOf(SUMMARY)).toEqual(['this_year']);
    expect(periodsOf(PROPERTY)).toEqual([]);
  });

  it('reads period and tab from the URL', async () => {
    open('?periode=last_year&tab=properti');
    expect(await screen.findByRole('table')).toBeTruthy();
    expect(period().value).toBe('last_year');
    expect(periodsOf(PROPERTY)).toEqual(['last_year']);
    expect(periodsOf(SUMMARY)).toEqual([]);
  });

  it.each(['?periode=next_year&tab=admin', '?periode=&tab=', '?periode=THIS_MONTH'])(
    'shows the default for the unknown values of %s',
    async (at) => {
      open(at);
      expect(await screen.findByText('62,5% terbayar')).toBeTruthy();
      expect(periodsOf(SUMMARY)).toEqual(['this_year']);
    },
  );

  it('writes period and tab into the URL, and going back shows the previous choice', async () => {
    const { user, address, router } = open('?asal=menu');
    await screen.findByText('62,5% terbayar');
    await user.selectOptions(period(), 'Bulan Lalu');
    expect(address()).toBe('?asal=menu&periode=last_month');
    await user.click(tab('Jenis Properti'));
    expect(address()).toBe('?asal=menu&periode=last_month&tab=properti');
    await screen.findByRole('table');
    await router.navigate(-1);
    expect(await screen.findByText('62,5% terbayar')).toBeTruthy();
    await router.navigate(-1);
    expect(await screen.findByDisplayValue('Tahun Ini')).toBe(period());
  });

  it('keeps the loaded data of each tab and loads again for another period', async () => {
    const { user } = open();
    await screen.findByText('62,5% terbayar');
    await user.click(tab('Jenis Properti'));
    await screen.findByRole('table');
    await user.click(tab('Ringkasan'));
    expect(screen.getByText('62,5% terbayar')).toBeTruthy();
    await user.click(tab('Jenis Properti'));
    expect(screen.getByRole('table')).toBeTruthy();
    expect(periodsOf(SUMMARY)).toEqual(['this_year']);
    expect(periodsOf(PROPERTY)).toEqual(['this_year']);

    await user.selectOptions(period(), 'last_year');
    await screen.findByRole('table');
    expect(periodsOf(PROPERTY)).toEqual(['this_year', 'last_year']);
    // The hidden tab is loaded only when it is opened.
    expect(periodsOf(SUMMARY)).toEqual(['this_year']);
    await user.click(tab('Ringkasan'));
    await screen.findByText('62,5% terbayar');
    expect(periodsOf(SUMMARY)).toEqual(['this_year', 'last_year']);

    await user.selectOptions(period(), 'this_year');
    await screen.findByText('62,5% terbayar');
    expect(periodsOf(SUMMARY)).toEqual(['this_year', 'last_year', 'this_year']);
  });
});

describe('ReportsPage: failed loads', () => {
  const cases = [
    { at: '', call: SUMMARY, reply: () => failAnswer(500), text: 'Gagal memuat data ringkasan' },
    { at: '?tab=properti', call: PROPERTY, reply: () => failAnswer(500), text: 'Gagal memuat data properti' },
    {
      at: '',
      call: SUMMARY,
      reply: () => failAnswer(503, 'Server sedang sibuk. Coba lagi.'),
      text: 'Server sedang sibuk. Coba lagi.',
    },
    { at: '', call: SUMMARY, reply: () => ({ status: 200, body: '<html>' }), text: 'Gagal memuat data ringkasan' },
    { at: '', call: SUMMARY, reply: networkError, text: 'Terjadi kesalahan saat memuat data laporan' },
    { at: '?tab=properti', call: PROPERTY, reply: networkError, text: 'Terjadi kesalahan saat memuat data laporan' },
  ];
  it.each(cases)('shows "$text" for a failed load and loads again', async ({ at, call, reply, text }) => {
    server.on(call, reply);
    const { user } = open(at);
    const alert = await screen.findByRole('alert');
    expect(within(alert).getByText(text)).toBeTruthy();
    server.on(call, okAnswer(call === SUMMARY ? summary : shares));
    await user.click(within(alert).getByRole('button', { name: 'Coba lagi' }));
    expect(await screen.findByText(call === SUMMARY ? '62,5% terbayar' : 'Rumah Tinggal')).toBeTruthy();
    expect(screen.queryByRole('alert')).toBeNull();
    expect(document.activeElement).toBe(tab(call === SUMMARY ? 'Ringkasan' : 'Jenis Properti'));
  });

  it('disables print and export while loading, and the buttons explain why', async () => {
    server.on(SUMMARY, neverAnswer);
    open();
    for (const name of ['Print', 'Export PDF', 'Export Excel']) {
      const description = 'Tunggu sampai data laporan selesai dimuat.';
      expect(screen.getByRole('button', { name, description }).getAttribute('aria-disabled')).toBe('true');
    }
    expect(screen.getByText('Memuat ringkasan…')).toBeTruthy();
  });
});
