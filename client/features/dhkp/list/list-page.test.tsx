import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { buildAssessment, buildClaim } from '#client/testing/build-list.ts';
import { failAnswer, fakeServer, networkError, okAnswer, okListAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import { screenWidth } from '#client/testing/screen-width.ts';
import type { RealtimeConnection } from '#client/realtime/socket.ts';
import { fakeSocket } from '#client/realtime/testing/fake-socket.ts';
import { closeSession } from '#client/lib/session/session.ts';
import type { Assessment } from '#shared/api/dhkp/assessments.ts';
import { DhkpListPage } from './list-page.tsx';

const socket = fakeSocket();
vi.mock('#client/realtime/socket.ts', () => ({ openRealtimeConnection: (): RealtimeConnection => socket.connection }));

const LIST = 'GET /api/admin/dhkp';
const BULK = 'POST /api/admin/dhkp/bulk';

type Parts = { total?: number; amount?: number; year?: number | null };

function page(rows: Assessment[], { total = rows.length, amount = 0, year = 2026 }: Parts = {}) {
  return okAnswer({
    data: rows,
    total,
    per_page: 25,
    current_page: 1,
    last_page: Math.max(1, Math.ceil(total / 25)),
    total_amount: amount,
    year,
    years: year === null ? [] : [2026, 2025],
  });
}

const first = buildAssessment(1, { name: 'SITI AMINAH', area: { id: 'a1', path: 'Krajan / RW 02 / RT 05' } });
const second = buildAssessment(2, { listed: false });

let server: ReturnType<typeof fakeServer>;
beforeEach(() => {
  signIn({ is_admin: true, name: 'Ratna' });
  server = fakeServer();
  server.on(LIST, page([first, second], { total: 2730, amount: 78_741_911 }));
  server.on('GET /api/admin/areas', okAnswer([{ id: 'a1', path: 'Krajan', name: 'Krajan', kind: 'dusun' }]));
  server.on('GET /api/admin/users', page([]));
  server.on('GET /api/admin/claims', okListAnswer([]));
  return () => closeSession();
});

const open = (search = '') => renderPage(<DhkpListPage />, { path: '/admin/dhkp', at: `/admin/dhkp${search}` });
const lastQuery = () => server.callsOf(LIST).at(-1)?.query;
const found = () => screen.findByRole('link', { name: 'SITI AMINAH' });

describe('DhkpListPage', () => {
  it('makes an account for the owner of an object, and cards for the owners of those that have one', async () => {
    const linked = { ...second, account: { id: 'u1', name: 'Budi' } };
    server.on(LIST, page([first, linked, { ...linked, id: 'third' }]));
    const { user } = open();
    await found();
    await user.click(screen.getByRole('button', { name: /^Buat akun warga untuk SITI AMINAH, / }));
    const account = within(await screen.findByRole('dialog', { name: 'Buat akun warga' }));
    expect(account.getByRole<HTMLInputElement>('textbox', { name: 'Nama' }).value).toBe('SITI AMINAH');
    expect(account.getByText(/^35\.15\.180\.012\.000-0001\.0/)).toBeTruthy();
    await user.click(account.getByRole('button', { name: 'Batal' }));
    await user.click(screen.getByRole('checkbox', { name: 'Pilih semua di halaman ini' }));
    await user.click(screen.getByRole('button', { name: 'Cetak kartu' }));
    const cards = within(await screen.findByRole('dialog', { name: 'Kartu warga' }));
    expect(cards.getByText(/Objek belum punya akun: buat akun warga dulu\.$/)).toBeTruthy();
    expect(cards.getByText('Budi')).toBeTruthy();
    expect(cards.getByRole('button', { name: 'Buat kartu' })).toBeTruthy();
  });

  it('shows each object with its NOP as people read it, and the totals of the filter on one line', async () => {
    open();
    const card = (await found()).closest('li');
    expect(card?.textContent).toContain('35.15.180.012.000-0001.0');
    expect(card?.textContent).toContain('Krajan / RW 02 / RT 05');
    expect(screen.getByText('Tidak ada lagi')).toBeTruthy();
    const totals = screen.getAllByRole('status').map(({ textContent }) => textContent.replaceAll(/\s/g, ' '));
    expect(totals).toContain('2.730 objek · Rp 78.741.911 · Tahun 2026');
  });

  it('shows a table with sortable columns on wide screens', async () => {
    screenWidth.wide = true;
    open();
    const table = await screen.findByRole('table');
    const heads = within(table)
      .getAllByRole('columnheader')
      .map(({ textContent }) => textContent);
    expect(heads.slice(1)).toEqual([
      'NOP',
      'Nama',
      'Alamat objek',
      'Wilayah',
      'Ketetapan',
      'Jatuh tempo',
      'Kolektor',
      'SPPT',
      'Akun',
      'Status',
    ]);
    fireEvent.click(within(table).getByRole('button', { name: 'Ketetapan' }));
    await waitFor(() => expect(lastQuery()).toMatchObject({ sort: '-amount' }));
  });

  it('sends the filter of the address to the server and removes a part of it', async () => {
    const { router } = open(
      '?cari=melati&tahun=2025&wilayah=a1&buku=2&akun=belum&tercantum=tidak&keadaan=ganda&sppt=ya&bayar=belum',
    );
    await found();
    expect(lastQuery()).toEqual({
      search: 'melati',
      year: '2025',
      area_id: 'a1',
      book: '2',
      linked: '0',
      listed: '0',
      condition: 'double',
      handed_out: '1',
      paid: 'no',
      sort: 'nop',
      page: '1',
      limit: '25',
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Hapus filter Wilayah: Krajan' }));
    expect(router.state.location.search).not.toContain('wilayah');
    expect(router.state.location.search).toContain('tahun=2025');
  });

  it('shows the account of an object as a link, and leads to objects without one and to requests', async () => {
    server.on(LIST, page([{ ...first, account: { id: 'u2', name: 'Siti Saputra' } }]));
    server.on('GET /api/admin/claims', okListAnswer([buildClaim(1)]));
    open('?tahun=2026');
    expect((await screen.findByRole('link', { name: 'Siti Saputra' })).getAttribute('href')).toBe('/admin/users/u2');
    const requests = await screen.findByRole('link', { name: 'Permintaan warga (1)' });
    expect(requests.getAttribute('href')).toBe('/admin/dhkp/claims');
    const link = screen.getByRole('link', { name: 'Hubungkan objek dengan akun' });
    expect(link.getAttribute('href')).toBe('/admin/dhkp/matches?tahun=2026');
  });

  it('says which year has no list and leads to its import and to the handbook', async () => {
    server.on(LIST, page([], { year: null }));
    open('?tahun=2024');
    expect(await screen.findByText('Belum ada daftar untuk 2024')).toBeTruthy();
    const links = screen.getAllByRole('link', { name: 'Impor daftar' });
    expect(links.at(-1)?.getAttribute('href')).toBe('/admin/dhkp/import?tahun=2024');
    const handbook = screen.getByRole('link', { name: 'Baca panduannya (terbuka di tab baru)' });
    expect(handbook.getAttribute('href')).toBe('/panduan/daftar-dari-kantor-pajak');
    expect(handbook.getAttribute('target')).toBe('_blank');
  });

  it('says that a search finds nothing and shows all objects again', async () => {
    server.on(LIST, ({ query }) => (query['search'] ? page([]) : page([first])));
    open('?cari=zzz');
    fireEvent.click(await screen.findByRole('button', { name: 'Tampilkan semua' }));
    await found();
  });

  it('offers another try when the list cannot be loaded', async () => {
    server.on(LIST, networkError);
    open();
    expect((await screen.findByRole('alert')).textContent).toContain('Gagal memuat daftar objek');
    server.on(LIST, page([first]));
    fireEvent.click(screen.getByRole('button', { name: 'Coba lagi' }));
    await found();
  });

  it('gives the chosen objects an area', async () => {
    server.on(BULK, okAnswer({ changed: 1, missing: 0 }));
    const { user } = open();
    await found();
    fireEvent.click(screen.getByRole('checkbox', { name: /^Pilih SITI AMINAH/ }));
    const bar = screen.getByRole('region', { name: 'Objek yang dipilih' });
    expect(bar.textContent).toContain('1 objek dipilih');
    fireEvent.click(within(bar).getByRole('button', { name: 'Wilayah' }));
    const dialog = await screen.findByRole('dialog', { name: 'Wilayah untuk 1 objek' });
    await user.click(within(dialog).getByRole('combobox', { name: 'Wilayah' }));
    await user.click(await screen.findByRole('option', { name: 'Krajan' }));
    await user.click(within(dialog).getByRole('button', { name: 'Simpan (Save)' }));
    expect(await screen.findByText('1 objek diubah')).toBeTruthy();
    expect(server.callsOf(BULK)[0]?.body).toEqual({ ids: [first.id], set: { area_id: 'a1' } });
    expect(screen.queryByRole('region', { name: 'Objek yang dipilih' })).toBeNull();
  });

  it('changes all that the filter finds, on all pages, and keeps the choice after a refusal', async () => {
    server.on(BULK, failAnswer(422, 'Paling banyak 5.000 objek sekaligus'));
    open('?buku=1');
    await found();
    fireEvent.click(screen.getByRole('checkbox', { name: 'Pilih semua di halaman ini' }));
    const bar = screen.getByRole('region', { name: 'Objek yang dipilih' });
    fireEvent.click(within(bar).getByRole('button', { name: 'Pilih semua 2.730 hasil' }));
    expect(bar.textContent).toContain('2.730 objek dipilih');
    fireEvent.click(within(bar).getByRole('button', { name: 'Kolektor' }));
    fireEvent.click(await screen.findByRole('button', { name: 'Kosongkan kolektor' }));
    expect(await screen.findByText('Paling banyak 5.000 objek sekaligus')).toBeTruthy();
    expect(server.callsOf(BULK)[0]?.body).toEqual({
      filter: { year: '2026', book: '1' },
      set: { collector_id: null },
    });
    expect(bar.textContent).toContain('2.730 objek dipilih');
  });

  it('moves between objects with J and K, chooses one with X, and goes to the search with the slash', async () => {
    const { user } = open();
    const link = await found();
    await user.keyboard('j');
    expect(document.activeElement).toBe(link);
    await user.keyboard('x');
    expect(screen.getByRole('checkbox', { name: /^Pilih SITI AMINAH/ })).toHaveProperty('checked', true);
    await user.keyboard('j');
    expect(document.activeElement?.textContent).toBe('WAJIB PAJAK 2');
    await user.keyboard('/');
    expect(document.activeElement).toBe(screen.getByRole('searchbox', { name: 'Cari' }));
  });

  it('loads the list again when another admin has changed it', async () => {
    open();
    await found();
    server.on(LIST, page([buildAssessment(3, { name: 'BARU' })]));
    act(() => {
      socket.connect();
      socket.push('dhkp:changed', { year: 2026 });
    });
    expect(await screen.findByRole('link', { name: 'BARU' })).toBeTruthy();
  });
});
