import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { failAnswer, fakeServer, networkError, okAnswer, okListAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import type { OwnClaim } from '#shared/api/dhkp/claims.ts';
import { OwnRecordListPage } from '../list/list-page.tsx';
import { reloadClaims } from './api.ts';
import { ClaimsPage } from './claims-page.tsx';

const LIST = 'GET /api/tax-records/claims';
const SEND = 'POST /api/tax-records/claims';
const NOP = '351518001200100340';
const WRITTEN = '35.15.180.012.001-0034.0';

const claimOf = (fields: Partial<OwnClaim> = {}): OwnClaim => {
  const at = new Date().toISOString();
  const times = { created_at: at, createdAt: at, updated_at: at, updatedAt: at };
  return { id: 'c1', _id: 'c1', nop: NOP, state: 'open', reason: null, ...times, ...fields };
};

let server: ReturnType<typeof fakeServer>;
let claims: OwnClaim[];
beforeEach(() => {
  signIn();
  claims = [];
  server = fakeServer();
  server.on(LIST, () => okListAnswer(claims));
  server.on(SEND, () => {
    claims = [claimOf()];
    return okAnswer(null, 'Permintaan dikirim ke kantor.');
  });
});

const open = () => renderPage(<ClaimsPage />, { path: '/tax-records/claims' });
const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'NOP' });
const type = (text: string) => fireEvent.change(field(), { target: { value: text } });
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const send = () => press('Kirim permintaan (Send)');
const sentBodies = () => server.callsOf(SEND).map(({ body }) => body);

describe('the request for an object of the list', () => {
  it('goes out with one press from a field that has the focus, and then stands below the form', async () => {
    open();
    expect(document.activeElement).toBe(field());
    expect(field().inputMode).toBe('numeric');
    type('35 15.180');
    expect(field().value).toBe('35 15.180');
    expect(screen.getByText('35.15.180 · 7 dari 18 angka')).toBeTruthy();
    type(NOP);
    expect(screen.getByText(`${WRITTEN} · 18 dari 18 angka`)).toBeTruthy();
    send();
    await screen.findByText('Permintaan dikirim ke kantor.');
    expect(sentBodies()).toEqual([{ nop: NOP, note: '', attachment_id: null }]);
    expect(field().value).toBe('');
    expect((await screen.findByText(WRITTEN)).closest('li')?.textContent).toContain('Menunggu kantor');
  });

  it('keeps what was typed, beside a number that is no NOP and while the connection fails', async () => {
    open();
    type('NOP 3515180012');
    send();
    await screen.findByText('NOP harus 18 angka');
    expect(field().value).toBe('NOP 3515180012');
    expect(sentBodies()).toEqual([]);
    server.on(SEND, networkError);
    type(` ${WRITTEN} `);
    send();
    await screen.findByText('Gagal mengirim permintaan');
    expect(field().value).toBe(` ${WRITTEN} `);
  });

  it.each([
    [422, 'Masih ada 10 permintaan yang belum dijawab'],
    [429, 'Terlalu banyak percobaan. Coba lagi dalam 60 menit.'],
  ])('says what the server refuses with %i and keeps the number', async (status, message) => {
    server.on(SEND, failAnswer(status, message));
    open();
    type(NOP);
    send();
    expect((await screen.findByRole('alert')).textContent).toBe(message);
    expect(field().value).toBe(NOP);
  });

  it('carries a note and a photo, which is uploaded once although the request is sent twice', async () => {
    server.on('POST /api/messages/attachments', okAnswer({ id: 'p1' }));
    server.on(SEND, networkError);
    open();
    type(NOP);
    press('Tambah catatan atau foto SPPT');
    fireEvent.change(screen.getByRole('textbox', { name: 'Catatan' }), { target: { value: 'Rumah ibu saya' } });
    const photo = new File(['x'], 'sppt.png', { type: 'image/png' });
    fireEvent.change(screen.getByLabelText('Foto SPPT'), { target: { files: [photo] } });
    await screen.findByAltText('Pratinjau foto SPPT');
    send();
    await screen.findByText('Gagal mengirim permintaan');
    server.on(SEND, okAnswer(null));
    send();
    await screen.findByText('Permintaan dikirim ke kantor.');
    expect(server.callsOf('POST /api/messages/attachments')).toHaveLength(1);
    expect(sentBodies()[1]).toEqual({ nop: NOP, note: 'Rumah ibu saya', attachment_id: 'p1' });
  });
});

describe('the own requests', () => {
  it('say what the office answered, and a waiting one is withdrawn after a question', async () => {
    claims = [
      claimOf(),
      claimOf({ id: 'c2', state: 'approved', nop: '351518001200100350' }),
      claimOf({ id: 'c3', state: 'rejected', nop: '351518001200100360', reason: 'Bukan objek Anda' }),
    ];
    server.on('DELETE /api/tax-records/claims/c1', () => {
      claims = claims.slice(1);
      return okAnswer({});
    });
    open();
    await screen.findByText('Disetujui');
    expect(screen.getByText('Ditolak: Bukan objek Anda')).toBeTruthy();
    expect(screen.getAllByRole('button', { name: /^Tarik permintaan/ })).toHaveLength(1);
    press(`Tarik permintaan ${WRITTEN}`);
    await screen.findByRole('dialog', { name: 'Tarik Permintaan' });
    press('Tarik');
    await waitFor(() => expect(screen.queryByText(WRITTEN)).toBeNull());
  });

  it('stand above the list of records while one waits or was answered this week', async () => {
    server.on('GET /api/tax-records', okListAnswer([]));
    claims = [
      claimOf(),
      claimOf({ id: 'c2', state: 'rejected', reason: 'lama', updated_at: '2026-01-01T00:00:00.000Z' }),
    ];
    const { queries } = renderPage(<OwnRecordListPage />, { path: '/tax-records' });
    await screen.findByText('Menunggu kantor');
    expect(screen.queryByText('Ditolak: lama')).toBeNull();
    expect(screen.getByRole('link', { name: 'Ambil dari daftar kantor' }).getAttribute('href')).toBe(
      '/tax-records/claims',
    );
    claims = [claimOf({ state: 'approved' })];
    await act(() => reloadClaims(queries));
    await screen.findByText('Disetujui');
  });
});
