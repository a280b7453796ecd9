import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { failAnswer, fakeServer, okAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import { DhkpSettingsPage } from './dhkp-settings-page.tsx';

const SETTINGS = '/api/admin/dhkp/settings';
const BLOCKS = '/api/admin/dhkp/blocks';

let server: ReturnType<typeof fakeServer>;
beforeEach(() => {
  signIn({ is_admin: true });
  server = fakeServer();
  const limits = [100_000, 500_000, 2_000_000, 5_000_000];
  server.on(
    `GET ${SETTINGS}`,
    okAnswer({ prefix: null, book_limits: limits, due_date_by_year: { '2020': '2020-08-31' } }),
  );
  server.on('GET /api/admin/areas', okAnswer([{ id: 'a1', path: 'Krajan', name: 'Krajan', kind: 'dusun' }]));
  server.on(`GET ${BLOCKS}`, {
    status: 200,
    body: { success: true, message: '', data: [], found: [{ block: '001', objects: 412 }] },
  });
});

const open = () => renderPage(<DhkpSettingsPage />, { path: '/admin/settings/dhkp' });
const prefix = () => screen.findByRole('textbox', { name: 'Awalan NOP' });
const save = () => fireEvent.click(screen.getByRole('button', { name: 'Simpan (Save)' }));

describe('DhkpSettingsPage', () => {
  it('saves prefix, limits, due dates and the areas of blocks', async () => {
    server.on(`PUT ${SETTINGS}`, okAnswer({}));
    server.on(`PUT ${BLOCKS}`, okAnswer([]));
    const { user } = open();
    fireEvent.change(await prefix(), { target: { value: '35.15.180.012' } });
    fireEvent.change(screen.getByRole('textbox', { name: 'Buku I sampai' }), { target: { value: '150000' } });
    await user.click(screen.getByRole('combobox', { name: 'Blok 001 (412 objek)' }));
    await user.click(await screen.findByRole('option', { name: 'Krajan' }));
    save();
    expect(await screen.findByText('Pengaturan DHKP berhasil disimpan')).toBeTruthy();
    expect(server.callsOf(`PUT ${SETTINGS}`)[0]?.body).toEqual({
      prefix: '3515180012',
      book_limits: [150_000, 500_000, 2_000_000, 5_000_000],
      due_date_by_year: { '2020': '2020-08-31' },
    });
    expect(server.callsOf(`PUT ${BLOCKS}`)[0]?.body).toEqual([{ block: '001', area_id: 'a1' }]);
  });

  it('saves nothing while the prefix is too short or the limits do not grow', async () => {
    open();
    fireEvent.change(await prefix(), { target: { value: '123' } });
    save();
    expect(screen.getByText('Awalan NOP harus 10 angka')).toBeTruthy();
    fireEvent.change(await prefix(), { target: { value: '' } });
    fireEvent.change(screen.getByRole('textbox', { name: 'Buku II sampai' }), { target: { value: '1' } });
    save();
    expect(screen.getByText('Batas buku harus empat jumlah yang makin besar')).toBeTruthy();
    expect(server.callsOf(`PUT ${SETTINGS}`)).toHaveLength(0);
  });

  it('keeps the input after a refusal', async () => {
    server.on(`PUT ${SETTINGS}`, failAnswer(422, 'Awalan NOP harus 10 angka'));
    open();
    fireEvent.change(await prefix(), { target: { value: '3515180012' } });
    save();
    expect((await screen.findByRole('alert')).textContent).toContain('Awalan NOP harus 10 angka');
    await waitFor(async () => expect(await prefix()).toHaveProperty('value', '3515180012'));
  });
});
