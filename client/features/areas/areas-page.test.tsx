import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { failAnswer, fakeServer, okAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import { AreasPage } from './areas-page.tsx';

const AREAS = '/api/admin/areas';
const hamlet = { id: 'a1', name: 'Krajan', kind: 'dusun', parent_id: null, path: 'Krajan', updated_at: 'u1' };
const ward = { id: 'a2', name: '02', kind: 'rw', parent_id: 'a1', path: 'Krajan / RW 02', updated_at: 'u2' };

let server: ReturnType<typeof fakeServer>;
beforeEach(() => {
  signIn({ is_admin: true });
  server = fakeServer();
  server.on(`GET ${AREAS}`, okAnswer([hamlet, ward]));
});

const open = () => renderPage(<AreasPage />, { path: '/admin/settings/areas' });

describe('AreasPage', () => {
  it('adds an RT below an RW', async () => {
    server.on(`POST ${AREAS}`, okAnswer({}));
    open();
    fireEvent.click(await screen.findByRole('button', { name: 'Tambah di Krajan / RW 02' }));
    const dialog = await screen.findByRole('dialog', { name: 'Tambah wilayah' });
    fireEvent.click(within(dialog).getByRole('button', { name: 'Simpan (Save)' }));
    expect(await within(dialog).findByText('Nama wilayah wajib diisi')).toBeTruthy();
    fireEvent.change(within(dialog).getByRole('textbox', { name: 'Nama' }), { target: { value: '05' } });
    fireEvent.click(within(dialog).getByRole('button', { name: 'Simpan (Save)' }));
    expect(await screen.findByText('Wilayah berhasil disimpan')).toBeTruthy();
    expect(server.callsOf(`POST ${AREAS}`)[0]?.body).toEqual({ name: '05', kind: 'rt', parent_id: 'a2' });
  });

  it('keeps the dialog open with the reason when another area has the name', async () => {
    server.on(`PUT ${AREAS}/a2`, failAnswer(409, 'Nama wilayah ini sudah dipakai'));
    open();
    fireEvent.click(await screen.findByRole('button', { name: 'Ubah Krajan / RW 02' }));
    const dialog = await screen.findByRole('dialog', { name: 'Ubah wilayah' });
    fireEvent.change(within(dialog).getByRole('textbox', { name: 'Nama' }), { target: { value: '01' } });
    fireEvent.click(within(dialog).getByRole('button', { name: 'Simpan (Save)' }));
    expect(await within(dialog).findByText('Nama wilayah ini sudah dipakai')).toBeTruthy();
    expect(server.callsOf(`PUT ${AREAS}/a2`)[0]?.body).toEqual({
      name: '01',
      kind: 'rw',
      parent_id: 'a1',
      updated_at: 'u2',
    });
  });

  it('says why an area with objects cannot be deleted', async () => {
    server.on(`DELETE ${AREAS}/a1`, failAnswer(409, 'Wilayah ini masih dipakai 12 objek'));
    open();
    fireEvent.click(await screen.findByRole('button', { name: 'Hapus Krajan' }));
    fireEvent.click(await screen.findByRole('button', { name: 'Hapus' }));
    expect(await screen.findByText('Wilayah ini masih dipakai 12 objek')).toBeTruthy();
  });

  it('invites to begin where there is no area', async () => {
    server.on(`GET ${AREAS}`, okAnswer([]));
    open();
    await waitFor(() => expect(screen.getByText('Belum ada wilayah')).toBeTruthy());
  });
});
