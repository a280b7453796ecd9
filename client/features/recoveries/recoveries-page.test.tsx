import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { closeSession } from '#client/lib/session/session.ts';
import type { RealtimeConnection } from '#client/realtime/socket.ts';
import { fakeSocket } from '#client/realtime/testing/fake-socket.ts';
import { buildRecord } from '#client/testing/build-record.ts';
import { failAnswer, fakeServer, networkError, okAnswer, okListAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import type { Recovery } from '#shared/api/recoveries.ts';
import { accessTexts } from '#shared/texts.ts';
import { RecoveriesPage } from './recoveries-page.tsx';

const socket = fakeSocket();
vi.mock('#client/realtime/socket.ts', () => ({ openRealtimeConnection: (): RealtimeConnection => socket.connection }));

const LIST = 'GET /api/admin/recoveries';
const RECORDS = 'GET /api/admin/tax-records';
const AUDIT = 'GET /api/admin/audit';

const buildAccount = (number: number, phone: string | null = null) => ({
  id: `warga-${number}`,
  name: `Warga ${number}`,
  email: `warga${number}@contoh.id`,
  has_email: true,
  phone,
  phone_proves: phone !== null,
  way_made_at: null,
});
const buildRequest = (number: number, changes: Partial<Recovery> = {}): Recovery => ({
  id: `permintaan-${number}`,
  _id: `permintaan-${number}`,
  users: [buildAccount(number)],
  identifier_kind: 'email',
  created_at: '2026-06-10T05:00:00.000Z',
  last_seen_at: '2026-06-10T05:00:00.000Z',
  ...changes,
});

let server: ReturnType<typeof fakeServer>;
beforeEach(() => {
  signIn({ id: 'a1', name: 'Ratna', is_admin: true });
  server = fakeServer();
  server.on(RECORDS, okListAnswer([]));
  server.on(AUDIT, okListAnswer([]));
  return () => closeSession();
});

const open = () => renderPage(<RecoveriesPage />, { path: '/admin/recoveries' });
const account = async (name: string) => within(await screen.findByRole('region', { name }));

describe('RecoveriesPage', () => {
  it('offers a new card in place of a code to an account without an e-mail address', async () => {
    const karto = { ...buildAccount(2), email: 'w-48217735@tanpa-email.invalid', has_email: false };
    server.on(LIST, okAnswer([buildRequest(1, { users: [buildAccount(1), karto], identifier_kind: 'phone' })]));
    const { user } = open();
    expect((await account('Warga 1')).getByRole('button', { name: 'Buat kode untuk Warga 1' })).toBeTruthy();
    const box = await account('Warga 2');
    expect(box.getByText('Tanpa email · no. 4821-7735')).toBeTruthy();
    expect(box.queryByRole('button', { name: /^Buat kode/ })).toBeNull();
    await user.click(box.getByRole('button', { name: 'Buat kartu baru untuk Warga 2' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Kartu warga' }));
    expect(dialog.getByRole('button', { name: 'Buat kartu' })).toBeTruthy();
  });

  it('shows what the office knows of each account, as a help to recognise the person', async () => {
    const phone = '+6281234567890';
    server.on(LIST, okAnswer([buildRequest(1, { users: [buildAccount(1, phone)], identifier_kind: 'phone' })]));
    const record = { spt_number: '351518001200000010', address: 'Jl. Melati 1' };
    server.on(RECORDS, ({ query }) =>
      query['user_id'] === 'warga-1'
        ? okListAnswer([
            buildRecord({ ...record, year: 2026, amount: 52_000 }),
            buildRecord({ ...record, year: 2025, amount: 49_500 }),
          ])
        : failAnswer(404),
    );
    const change = (field: string) => ({ changes: [{ field, from: null, to: null }] });
    server.on(AUDIT, ({ query }) =>
      okListAnswer(
        query['subject_id'] === 'warga-1'
          ? [
              { ...change('name'), created_at: '2026-06-09T05:00:00.000Z' },
              { ...change('own_phone'), created_at: '2026-03-02T05:00:00.000Z' },
            ]
          : [],
      ),
    );
    open();
    const first = await account('Warga 1');
    expect(first.getByRole('link', { name: 'Warga 1' }).getAttribute('href')).toBe('/admin/users/warga-1');
    expect(first.getByText(/^warga1@contoh\.id/).textContent).toBe('warga1@contoh.id · 0812-3456-7890');
    expect(await first.findByText('Jl. Melati 1 · 35.15.180.012.000-0001.0')).toBeTruthy();
    expect(first.getByText(/^Tagihan terakhir Rp\s52\.000 \(tahun 2026\)$/)).toBeTruthy();
    expect(await first.findByText('Nomor HP ini sejak 2 Maret 2026')).toBeTruthy();
    expect(screen.getByText(/bukan bukti/)).toBeTruthy();
    expect(screen.getByText('Minta dengan nomor HP, 10 Juni 2026 pukul 12.00')).toBeTruthy();
  });

  it('says that a code or a card was made already, so that a colleague does not end it', async () => {
    const made = { way_made_at: '2026-06-10T06:00:00.000Z' };
    const karto = { ...buildAccount(2), email: 'w-48217735@tanpa-email.invalid', has_email: false, ...made };
    server.on(LIST, okAnswer([buildRequest(1, { users: [{ ...buildAccount(1), ...made }, karto, buildAccount(3)] })]));
    open();
    const text = (name: string) => account(name).then((box) => box.queryByText(/sudah dibuat/)?.textContent);
    const rest = 'Yang baru mengakhirinya.';
    expect(await text('Warga 1')).toBe(`Kode sudah dibuat 10 Juni 2026 pukul 13.00, belum dipakai. ${rest}`);
    expect(await text('Warga 2')).toBe(`Kartu sudah dibuat 10 Juni 2026 pukul 13.00, belum diaktifkan. ${rest}`);
    expect(await text('Warga 3')).toBeUndefined();
  });

  it('makes a code in two presses', async () => {
    server.on(LIST, okAnswer([buildRequest(1)]));
    const code = { code: 'K7M2-9QXA', url: '/pulih#K7M2-9QXA', expires_at: '2026-06-11T05:00:00.000Z' };
    server.on('POST /api/admin/users/warga-1/recovery-code', okAnswer(code));
    const { user } = open();
    await user.click((await account('Warga 1')).getByRole('button', { name: 'Buat kode untuk Warga 1' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Kode masuk' }));
    await user.click(dialog.getByRole('button', { name: 'Di loket' }));
    expect(await dialog.findByText('K7M2-9QXA', { selector: 'code' })).toBeTruthy();
  });

  it('lets the office choose between the accounts of one number, at the counter only', async () => {
    const phone = '+6281234567890';
    const shared = (number: number) => ({ ...buildAccount(number, phone), phone_proves: false });
    server.on(LIST, okAnswer([buildRequest(1, { users: [shared(1), shared(2)] })]));
    const { user } = open();
    await screen.findByText('Nomor HP ini dipakai 2 akun. Tanyakan akun siapa yang dimaksud.');
    await user.click((await account('Warga 2')).getByRole('button', { name: 'Buat kode untuk Warga 2' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Kode masuk' }));
    expect(dialog.getByText('Warga 2')).toBeTruthy();
    expect(dialog.queryByRole('button', { name: 'Lewat telepon' })).toBeNull();
  });

  it('puts a request away after a question, also one that a colleague has put away', async () => {
    server.on(LIST, okAnswer([buildRequest(1), buildRequest(2)]));
    const put = (number: number) => `DELETE /api/admin/recoveries/permintaan-${number}`;
    server.on(put(1), () => {
      server.on(LIST, okAnswer([buildRequest(2)]));
      return okAnswer({});
    });
    const { user } = open();
    const putAway = async (name: string) => {
      await user.click(await screen.findByRole('button', { name: `Singkirkan permintaan ${name}` }));
      const question = within(await screen.findByRole('dialog', { name: 'Singkirkan permintaan' }));
      await user.click(question.getByRole('button', { name: 'Singkirkan' }));
    };
    await putAway('Warga 1');
    await screen.findByText('Permintaan disingkirkan');
    await waitFor(() => expect(screen.queryByText('warga1@contoh.id')).toBeNull());
    server.on(put(2), () => {
      server.on(LIST, okAnswer([]));
      return failAnswer(404, accessTexts.requestMissing);
    });
    await putAway('Warga 2');
    await screen.findByText('Permintaan tidak ditemukan');
    await screen.findByText('Tidak ada yang minta masuk lagi');
  });

  it('loads by itself what could not be loaded, as soon as there is a connection', async () => {
    server.on(LIST, networkError);
    open();
    await screen.findByRole('button', { name: 'Coba lagi' });
    server.on(LIST, okAnswer([buildRequest(1)]));
    act(() => socket.connect());
    await account('Warga 1');
  });

  it('shows a new request at once, ten at first, and offers another try when they cannot be loaded', async () => {
    server.on(LIST, networkError);
    const { user } = open();
    const retry = await screen.findByRole('button', { name: 'Coba lagi' });
    server.on(LIST, okAnswer([]));
    await user.click(retry);
    await screen.findByText('Tidak ada yang minta masuk lagi');
    server.on(LIST, okAnswer(Array.from({ length: 12 }, (_, index) => buildRequest(index + 1))));
    act(() => {
      socket.connect();
      socket.push('recovery:changed', {});
    });
    await account('Warga 10');
    expect(screen.queryByText('warga11@contoh.id')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Tampilkan 2 lagi' }));
    await account('Warga 12');
  });
});
