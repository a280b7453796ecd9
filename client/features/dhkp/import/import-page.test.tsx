import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { saveFile } from '#client/exports/save-file.ts';
import { closeSession } from '#client/lib/session/session.ts';
import type { RealtimeConnection } from '#client/realtime/socket.ts';
import { fakeSocket } from '#client/realtime/testing/fake-socket.ts';
import { buildBatch } from '#client/testing/build-list.ts';
import { failAnswer, fakeServer, networkError, okAnswer, okListAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import { DhkpImportPage } from './import-page.tsx';

const socket = fakeSocket();
vi.mock('#client/realtime/socket.ts', () => ({ openRealtimeConnection: (): RealtimeConnection => socket.connection }));
vi.mock('#client/exports/save-file.ts', () => ({ saveFile: vi.fn() }));

const BATCHES = '/api/admin/dhkp/batches';

const applied = buildBatch({
  id: 'impor-2',
  file_name: 'DHKP 2026.xlsx',
  state: 'applied',
  applied_at: '2026-03-01T00:00:00.000Z',
});
const older = buildBatch({
  id: 'impor-1',
  file_name: 'lama.csv',
  state: 'applied',
  applied_at: '2026-02-01T00:00:00.000Z',
  has_file: false,
});
const waiting = buildBatch({ id: 'impor-3', file_name: 'susulan.csv', state: 'ready' });

let server: ReturnType<typeof fakeServer>;
beforeEach(() => {
  signIn({ is_admin: true, name: 'Ratna' });
  server = fakeServer();
  server.on(`GET ${BATCHES}`, okListAnswer([waiting, applied, older]));
  return () => closeSession();
});

const open = (search = '?tahun=2026') =>
  renderPage(<DhkpImportPage />, { path: '/admin/dhkp/import', at: `/admin/dhkp/import${search}` });
const chosenFile = new File(['NOP;KETETAPAN'], 'DHKP 2026.csv', { type: 'text/csv' });

function chooseFile(container: HTMLElement): void {
  const input = container.querySelector('input[type="file"]');
  if (input) fireEvent.change(input, { target: { files: [chosenFile] } });
}

describe('DhkpImportPage', () => {
  it('sends the chosen file with the year of the list and opens its page', async () => {
    server.on(`POST ${BATCHES}`, okAnswer(buildBatch({ id: 'impor-9', state: 'reading', preview_id: null })));
    const { container } = open();
    chooseFile(container);
    expect(await screen.findByText(/^DHKP 2026\.csv \(/)).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Periksa' }));
    await waitFor(() => expect(screen.getByTestId('elsewhere').textContent).toBe('/admin/dhkp/import/impor-9'));
    expect(server.callsOf(`POST ${BATCHES}`)[0]?.body).toMatchObject({ year: '2026', file: chosenFile });
  });

  it('sends pasted cells', async () => {
    server.on(`POST ${BATCHES}`, okAnswer(buildBatch({ id: 'impor-9', state: 'reading' })));
    open();
    fireEvent.click(screen.getByRole('radio', { name: 'Tempel' }));
    fireEvent.change(screen.getByRole('textbox', { name: 'Sel daftar' }), { target: { value: 'NOP\tPBB\n1\t2' } });
    fireEvent.click(screen.getByRole('button', { name: 'Periksa' }));
    await waitFor(() => expect(screen.getByTestId('elsewhere').textContent).toBe('/admin/dhkp/import/impor-9'));
    expect(server.callsOf(`POST ${BATCHES}`)[0]?.body).toMatchObject({ year: 2026, text: 'NOP\tPBB\n1\t2' });
  });

  it('repeats a call that got no answer under the same client_id, and another year under a new one', async () => {
    server.on(`POST ${BATCHES}`, networkError);
    const { container } = open();
    chooseFile(container);
    const check = screen.getByRole('button', { name: 'Periksa' });
    fireEvent.click(check);
    await screen.findByText('Berkas gagal dikirim');
    fireEvent.click(check);
    await waitFor(() => expect(server.callsOf(`POST ${BATCHES}`)).toHaveLength(2));
    await waitFor(() => expect(check.textContent).toBe('Periksa'));
    fireEvent.change(screen.getByRole('textbox', { name: 'Tahun pajak' }), { target: { value: '2025' } });
    fireEvent.click(check);
    await waitFor(() => expect(server.callsOf(`POST ${BATCHES}`)).toHaveLength(3));
    const ids = server.callsOf(`POST ${BATCHES}`).map(({ body }) => (body as { client_id: string }).client_id);
    expect(ids[0]).toBe(ids[1]);
    expect(ids[2]).not.toBe(ids[1]);
  });

  it('shows the reason of a refused file and keeps the file', async () => {
    server.on(`POST ${BATCHES}`, failAnswer(415, 'Berkas harus Excel'));
    const { container } = open();
    chooseFile(container);
    fireEvent.click(screen.getByRole('button', { name: 'Periksa' }));
    expect((await screen.findByRole('alert')).textContent).toContain('Berkas harus Excel');
    expect(screen.getByText(/^DHKP 2026\.csv \(/)).toBeTruthy();
  });

  it('asks for a file and for a year with a list', async () => {
    open();
    fireEvent.click(screen.getByRole('button', { name: 'Periksa' }));
    expect(await screen.findByText('Pilih berkas daftar')).toBeTruthy();
    fireEvent.change(screen.getByRole('textbox', { name: 'Tahun pajak' }), { target: { value: '1900' } });
    expect(screen.getByText('Tahun pajak tidak valid')).toBeTruthy();
    expect(server.callsOf(`POST ${BATCHES}`)).toHaveLength(0);
  });

  it('offers undo only for the newest applied import of a year, and the file only where it is kept', async () => {
    open();
    expect(await screen.findByRole('button', { name: 'Batalkan impor DHKP 2026.xlsx' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Batalkan impor lama.csv' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Unduh berkas lama.csv' })).toBeNull();
    server.on(`GET ${BATCHES}/impor-2/file`, { status: 200, body: 'isi' });
    fireEvent.click(screen.getByRole('button', { name: 'Unduh berkas DHKP 2026.xlsx' }));
    await waitFor(() => expect(saveFile).toHaveBeenCalledWith(expect.any(Blob), 'DHKP 2026.xlsx'));
  });

  it('undoes an import only with a reason', async () => {
    server.on(`POST ${BATCHES}/impor-2/revert`, okAnswer({ ...applied, state: 'reverted' }));
    open();
    fireEvent.click(await screen.findByRole('button', { name: 'Batalkan impor DHKP 2026.xlsx' }));
    const dialog = await screen.findByRole('dialog', { name: 'Batalkan impor' });
    const submit = within(dialog).getByRole('button', { name: 'Batalkan impor' });
    fireEvent.click(submit);
    expect(await within(dialog).findByText('Alasan harus 5 sampai 300 karakter')).toBeTruthy();
    fireEvent.change(within(dialog).getByRole('textbox', { name: 'Alasan' }), { target: { value: 'Salah tahun' } });
    fireEvent.click(submit);
    expect(await screen.findByText('Impor dibatalkan. Daftar kembali seperti sebelumnya.')).toBeTruthy();
    expect(server.callsOf(`POST ${BATCHES}/impor-2/revert`)[0]?.body).toEqual({ reason: 'Salah tahun' });
  });

  it('says that an undo goes on whose answer came before its end', async () => {
    server.on(
      `POST ${BATCHES}/impor-2/revert`,
      okAnswer({ ...applied, state: 'applying', revert_reason: 'Salah tahun' }),
    );
    open();
    fireEvent.click(await screen.findByRole('button', { name: 'Batalkan impor DHKP 2026.xlsx' }));
    const dialog = await screen.findByRole('dialog', { name: 'Batalkan impor' });
    fireEvent.change(within(dialog).getByRole('textbox', { name: 'Alasan' }), { target: { value: 'Salah tahun' } });
    fireEvent.click(within(dialog).getByRole('button', { name: 'Batalkan impor' }));
    expect(await screen.findByText('Impor sedang dibatalkan. Kemajuannya ada di halaman impor itu.')).toBeTruthy();
    expect(screen.queryByText('Impor dibatalkan. Daftar kembali seperti sebelumnya.')).toBeNull();
  });

  it('names the objects that keep an import from being undone', async () => {
    const used = [{ id: 'k1', nop: '351518001200100340' }];
    server.on(`POST ${BATCHES}/impor-2/revert`, {
      status: 409,
      body: { success: false, message: '1 baris sudah dipakai (titipan, hubungan, atau perubahan)', data: used },
    });
    open();
    fireEvent.click(await screen.findByRole('button', { name: 'Batalkan impor DHKP 2026.xlsx' }));
    const dialog = await screen.findByRole('dialog', { name: 'Batalkan impor' });
    fireEvent.change(within(dialog).getByRole('textbox', { name: 'Alasan' }), { target: { value: 'Salah tahun' } });
    fireEvent.click(within(dialog).getByRole('button', { name: 'Batalkan impor' }));
    const link = await within(dialog).findByRole('link', { name: '35.15.180.012.001-0034.0' });
    expect(link.getAttribute('href')).toBe('/admin/dhkp/k1');
    expect(within(dialog).getByRole('textbox', { name: 'Alasan' })).toHaveProperty('value', 'Salah tahun');
  });

  it('discards an import that was not applied after a question', async () => {
    server.on(`DELETE ${BATCHES}/impor-3`, okAnswer({}));
    open();
    fireEvent.click(await screen.findByRole('button', { name: 'Buang susulan.csv' }));
    fireEvent.click(await screen.findByRole('button', { name: 'Buang' }));
    expect(await screen.findByText('Impor dibuang')).toBeTruthy();
  });

  it('offers to discard an import that is still being read, and none that is being applied', async () => {
    const reading = buildBatch({ id: 'impor-4', file_name: 'lambat.csv', state: 'reading', preview_id: null });
    const applying = buildBatch({ id: 'impor-5', file_name: 'jalan.csv', state: 'applying' });
    server.on(`GET ${BATCHES}`, okListAnswer([reading, applying, applied]));
    open();
    expect(await screen.findByRole('button', { name: 'Buang lambat.csv' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Buang jalan.csv' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Buang DHKP 2026.xlsx' })).toBeNull();
  });

  it('tells an import that is being undone from one that is being applied', async () => {
    const applying = buildBatch({ id: 'impor-5', file_name: 'jalan.csv', state: 'applying' });
    server.on(
      `GET ${BATCHES}`,
      okListAnswer([applying, { ...applied, state: 'applying', revert_reason: 'Salah tahun' }]),
    );
    open();
    const labelOf = (name: string) =>
      within(screen.getByRole('link', { name }).closest('li') as HTMLElement).getByText(/^Sedang /).textContent;
    await screen.findByText('Sedang dibatalkan');
    expect(labelOf('jalan.csv')).toBe('Sedang diterapkan');
    expect(labelOf('DHKP 2026.xlsx')).toBe('Sedang dibatalkan');
  });

  it('shows what became of the import of another admin', async () => {
    open();
    await screen.findByText('Menunggu diterapkan');
    server.on(`GET ${BATCHES}`, okListAnswer([{ ...waiting, state: 'applied' }]));
    act(() => {
      socket.connect();
      socket.push('dhkp:batch', { id: 'impor-3', state: 'applied', done: 2, total: 2 });
    });
    await waitFor(() => expect(screen.queryByText('Menunggu diterapkan')).toBeNull());
  });
});
