import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { closeSession } from '#client/lib/session/session.ts';
import type { RealtimeConnection } from '#client/realtime/socket.ts';
import { fakeSocket } from '#client/realtime/testing/fake-socket.ts';
import { buildBatch, buildBatchRow } from '#client/testing/build-list.ts';
import { failAnswer, fakeServer, okAnswer, okListAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import type { Batch } from '#shared/api/dhkp/batches.ts';
import { DhkpBatchPage } from './batch-page.tsx';

const socket = fakeSocket();
vi.mock('#client/realtime/socket.ts', () => ({ openRealtimeConnection: (): RealtimeConnection => socket.connection }));

const BATCH = '/api/admin/dhkp/batches/impor-1';

let server: ReturnType<typeof fakeServer>;
beforeEach(() => {
  signIn({ is_admin: true, name: 'Ratna' });
  server = fakeServer();
  server.on(`GET ${BATCH}/rows`, okListAnswer([]));
  return () => closeSession();
});

const open = (batch: Batch, search = '') => {
  server.on(`GET ${BATCH}`, okAnswer(batch));
  return renderPage(<DhkpBatchPage />, {
    path: '/admin/dhkp/import/:id',
    at: `/admin/dhkp/import/impor-1${search}`,
  });
};
const applyButton = () => screen.findByRole('button', { name: 'Terapkan' });
const plain = (element: HTMLElement | null) => element?.textContent.replaceAll(/\s/g, ' ');
const problems = { ...buildBatch().counts, problem: 3 };
const differing: Batch['control'] = {
  ...buildBatch().control,
  computed: { objects: 2723, amount: 78_740_911, books: [] },
  equal: false,
};

describe('DhkpBatchPage', () => {
  it('follows the reading by events and shows the preview once it is there', async () => {
    open(buildBatch({ state: 'reading', preview_id: null, progress: { done: 100, total: 2000 } }));
    expect(await screen.findByText('100 dari 2.000 baris')).toBeTruthy();
    act(() => {
      socket.connect();
      socket.push('dhkp:batch', { id: 'impor-1', state: 'reading', done: 1500, total: 2000 });
    });
    expect(await screen.findByText('1.500 dari 2.000 baris')).toBeTruthy();
    server.on(`GET ${BATCH}`, okAnswer(buildBatch()));
    act(() => socket.push('dhkp:batch', { id: 'impor-1', state: 'ready', done: 2000, total: 2000 }));
    await applyButton();
    const counts = screen.getByRole('region', { name: 'Baris menurut jenis' });
    expect(plain(counts)).toBe('Baru 41Berubah 212Sama 2.470Tidak ada lagi 7Bermasalah 0');
    expect(plain(screen.getByRole('region', { name: 'Jumlah kontrol' }))).toBe(
      'Jumlah di berkas Rp 78.741.911 = jumlah baris Rp 78.741.911',
    );
  });

  it('follows an undo until the list is as before', async () => {
    const reverting = { revert_reason: 'Salah tahun', progress: { done: 100, total: 2723 } };
    open(buildBatch({ state: 'applying', ...reverting }));
    expect(await screen.findByText('Mengembalikan daftar…')).toBeTruthy();
    expect(screen.getByText('100 dari 2.723 baris')).toBeTruthy();
    expect(screen.getByRole('progressbar', { name: /^Sedang dibatalkan: / })).toBeTruthy();
    server.on(`GET ${BATCH}`, okAnswer(buildBatch({ state: 'reverted', ...reverting })));
    act(() => {
      socket.connect();
      socket.push('dhkp:batch', { id: 'impor-1', state: 'reverted', done: 2723, total: 2723 });
    });
    expect(await screen.findByText('Impor ini sudah dibatalkan. Daftar kembali seperti sebelumnya.')).toBeTruthy();
  });

  it('applies a recognised file without another question and leads to the list', async () => {
    open(buildBatch());
    server.on(`POST ${BATCH}/apply`, okAnswer(buildBatch({ state: 'applying', progress: { done: 0, total: 2723 } })));
    fireEvent.click(await applyButton());
    expect(await screen.findByText('Menerapkan ke daftar…')).toBeTruthy();
    expect(server.callsOf(`POST ${BATCH}/apply`)[0]?.body).toEqual({
      preview_id: 'pratinjau-1',
      control_reason: null,
    });
    server.on(`GET ${BATCH}`, okAnswer(buildBatch({ state: 'applied' })));
    act(() => {
      socket.connect();
      socket.push('dhkp:batch', { id: 'impor-1', state: 'applied', done: 2723, total: 2723 });
    });
    await waitFor(() => expect(screen.getByTestId('elsewhere').textContent).toBe('/admin/dhkp?tahun=2026'));
    expect(await screen.findByText(/^Daftar 2026 diterapkan: Baru 41 · Berubah 212/)).toBeTruthy();
  });

  it('says how many problem rows are left out before it applies the others', async () => {
    open(buildBatch({ counts: problems }));
    server.on(`POST ${BATCH}/apply`, okAnswer(buildBatch({ state: 'applying' })));
    fireEvent.click(await applyButton());
    const dialog = await screen.findByRole('dialog', { name: 'Terapkan tanpa 3 baris bermasalah' });
    expect(server.callsOf(`POST ${BATCH}/apply`)).toHaveLength(0);
    fireEvent.click(within(dialog).getByRole('button', { name: 'Terapkan' }));
    await waitFor(() => expect(server.callsOf(`POST ${BATCH}/apply`)).toHaveLength(1));
  });

  it('names sheet, row and remedy of each problem, at an address of its own', async () => {
    const message = 'NOP harus 18 angka. Perbaiki di berkas, lalu impor lagi.';
    server.on(`GET ${BATCH}/rows`, ({ query }) =>
      okListAnswer(
        query['kind'] === 'problem'
          ? [
              buildBatchRow(118, {
                kind: 'problem',
                nop: null,
                problems: [{ code: 'nop_length', field: 'nop', text: 'belum ada', message }],
              }),
            ]
          : [],
      ),
    );
    const { router } = open(buildBatch({ counts: problems }));
    fireEvent.click(await screen.findByRole('button', { name: 'Bermasalah 3' }));
    expect(await screen.findByText('Lembar BUKU 1, baris 118')).toBeTruthy();
    expect(screen.getByText(message)).toBeTruthy();
    expect(router.state.location.search).toBe('?baris=problem');
  });

  it('opens on the rows that its address names and shows what differs', async () => {
    server.on(
      `GET ${BATCH}/rows`,
      okListAnswer([
        buildBatchRow(5, {
          kind: 'changed',
          differences: ['amount', 'name'],
          before: { amount: 40_000, name: 'LAMA' },
          values: { amount: 45_000, name: 'BARU' },
        }),
      ]),
    );
    open(buildBatch(), '?baris=changed');
    const line = await screen.findByText(/^Ketetapan: /);
    expect(plain(line)).toBe('Ketetapan: Rp 40.000 → Rp 45.000');
    expect(screen.getByRole('button', { name: 'Berubah 212' }).getAttribute('aria-pressed')).toBe('true');
  });

  it('asks for a reason where a control total differs', async () => {
    open(buildBatch({ control: differing }));
    server.on(`POST ${BATCH}/apply`, okAnswer(buildBatch({ state: 'applying' })));
    const button = await applyButton();
    expect(plain(screen.getByRole('region', { name: 'Jumlah kontrol' }))).toBe(
      'Jumlah di berkas Rp 78.741.911, jumlah baris Rp 78.740.911: berbeda Rp 1.000',
    );
    fireEvent.click(button);
    expect(await screen.findByText('Alasan harus 5 sampai 300 karakter')).toBeTruthy();
    expect(server.callsOf(`POST ${BATCH}/apply`)).toHaveLength(0);
    const reason = screen.getByRole('textbox', { name: 'Alasan jumlahnya berbeda' });
    fireEvent.change(reason, { target: { value: 'Satu objek dihapus' } });
    fireEvent.click(button);
    await waitFor(() =>
      expect(server.callsOf(`POST ${BATCH}/apply`)[0]?.body).toMatchObject({ control_reason: 'Satu objek dihapus' }),
    );
  });

  it('reads the file again when the list has changed since', async () => {
    open(buildBatch());
    server.on(`POST ${BATCH}/apply`, failAnswer(409, 'Daftar berubah sejak diperiksa. Periksa lagi.'));
    server.on(`PUT ${BATCH}`, okAnswer(buildBatch({ state: 'reading', preview_id: null })));
    fireEvent.click(await applyButton());
    expect(await screen.findByText('Daftar berubah sejak diperiksa. Periksa lagi.')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Periksa' }));
    expect(await screen.findByText('Membaca berkas…')).toBeTruthy();
    expect(server.callsOf(`PUT ${BATCH}`)[0]?.body).toEqual({});
  });

  it('compares the typed totals of a paper list', async () => {
    open(buildBatch());
    server.on(`PUT ${BATCH}`, okAnswer(buildBatch({ state: 'reading', preview_id: null })));
    await applyButton();
    fireEvent.change(screen.getByRole('textbox', { name: 'Semua: rupiah' }), { target: { value: '78.741.911' } });
    fireEvent.click(screen.getByRole('switch', { name: 'Juga per buku' }));
    fireEvent.change(screen.getByRole('textbox', { name: 'Buku II: objek' }), { target: { value: '12' } });
    fireEvent.click(screen.getByRole('button', { name: 'Periksa' }));
    await waitFor(() =>
      expect(server.callsOf(`PUT ${BATCH}`)[0]?.body).toEqual({
        control: { objects: null, amount: 78_741_911, books: [{ book: 2, objects: 12, amount: null }] },
      }),
    );
  });

  it('asks for the columns of an unknown file, and sends them with the unit', async () => {
    open(buildBatch({ state: 'mapping', preview_id: null, multiplier: null, columns: { nop: 1 } }));
    server.on(`PUT ${BATCH}`, okAnswer(buildBatch({ state: 'reading', preview_id: null })));
    const check = await screen.findByRole('button', { name: 'Periksa' });
    expect(screen.getByRole('link', { name: /^Baca panduannya/ })).toBeTruthy();
    fireEvent.click(check);
    expect(await screen.findByText('Pilih kolom NOP dan kolom ketetapan')).toBeTruthy();
    expect(server.callsOf(`PUT ${BATCH}`)).toHaveLength(0);
    fireEvent.change(screen.getByRole('combobox', { name: 'Ketetapan' }), { target: { value: '3' } });
    expect(screen.getByText('Contoh: 45000 · 52000')).toBeTruthy();
    fireEvent.click(screen.getByRole('radio', { name: /^Ribuan rupiah/ }));
    fireEvent.click(check);
    await waitFor(() =>
      expect(server.callsOf(`PUT ${BATCH}`)[0]?.body).toEqual({ columns: { nop: 1, amount: 3 }, multiplier: 1000 }),
    );
  });

  it('says why a file cannot be read', async () => {
    open(buildBatch({ state: 'failed', message: 'Berkas dikunci kata sandi. Simpan ulang tanpa kata sandi.' }));
    expect(await screen.findByText('Berkas dikunci kata sandi. Simpan ulang tanpa kata sandi.')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Pilih berkas lain' })).toBeTruthy();
    expect(screen.getByRole('link', { name: /^Baca panduannya/ })).toBeTruthy();
  });

  it('says that an import does not exist any more', async () => {
    server.on(`GET ${BATCH}`, failAnswer(404, 'Impor tidak ditemukan'));
    renderPage(<DhkpBatchPage />, { path: '/admin/dhkp/import/:id', at: '/admin/dhkp/import/impor-1' });
    expect(await screen.findByText('Impor tidak ditemukan')).toBeTruthy();
  });

  it.each(['ready', 'reading'] as const)(
    'returns to the imports after a file that is %s is discarded',
    async (state) => {
      open(buildBatch({ state }));
      server.on(`DELETE ${BATCH}`, okAnswer({}));
      fireEvent.click(await screen.findByRole('button', { name: 'Buang' }));
      const dialog = await screen.findByRole('dialog', { name: 'Buang impor' });
      fireEvent.click(within(dialog).getByRole('button', { name: 'Buang' }));
      await waitFor(() => expect(screen.getByTestId('elsewhere').textContent).toBe('/admin/dhkp/import'));
    },
  );
});
