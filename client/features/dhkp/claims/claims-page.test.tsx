import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { buildAssessment, buildClaim } from '#client/testing/build-list.ts';
import { failAnswer, fakeServer, networkError, okAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import type { RealtimeConnection } from '#client/realtime/socket.ts';
import { fakeSocket } from '#client/realtime/testing/fake-socket.ts';
import { closeSession } from '#client/lib/session/session.ts';
import type { Claim } from '#shared/api/dhkp/claims.ts';
import { ClaimsPage } from './claims-page.tsx';

const socket = fakeSocket();
vi.mock('#client/realtime/socket.ts', () => ({ openRealtimeConnection: (): RealtimeConnection => socket.connection }));

const CLAIMS = 'GET /api/admin/claims';
const answerTo = (number: number, answer: 'approve' | 'reject') =>
  `POST /api/admin/claims/permintaan-${number}/${answer}`;

let server: ReturnType<typeof fakeServer>;
/** All requests that the server has. */
let claims: Claim[];
beforeEach(() => {
  signIn({ is_admin: true, name: 'Ratna' });
  server = fakeServer();
  claims = [buildClaim(1), buildClaim(2, { note: 'Milik ayah saya' })];
  server.on(CLAIMS, ({ query }) => {
    const data = claims.filter(({ state }) => query['state'] === undefined || state === query['state']);
    return okAnswer({ data, total: data.length, per_page: 50, current_page: 1, last_page: 1 });
  });
  for (const number of [1, 2]) {
    server.on(answerTo(number, 'approve'), () => okAnswer(answered(number, { state: 'approved' })));
    server.on(answerTo(number, 'reject'), () => okAnswer(answered(number, { state: 'rejected' })));
  }
  return () => closeSession();
});

/** Stores the answer to a request. */
function answered(number: number, changes: Partial<Claim>): Claim {
  const claim = { ...buildClaim(number), answered_by: 'Sari', ...changes };
  claims = claims.map((one) => (one.id === claim.id ? claim : one));
  return claim;
}

const open = (search = '') =>
  renderPage(<ClaimsPage />, { path: '/admin/dhkp/claims', at: `/admin/dhkp/claims${search}` });
const card = async (number: number) => {
  const heading = await screen.findByRole('heading', { name: `35.15.180.012.000-000${number}.0` });
  return within(heading.closest('li') as HTMLElement);
};

describe('ClaimsPage', () => {
  it('shows who asks for which object, and what the list says about it', async () => {
    claims = [
      buildClaim(1, {
        note: 'Milik ayah saya',
        assessments: [buildAssessment(1), buildAssessment(1, { id: 'lama', year: 2025 })],
      }),
      buildClaim(2, { assessments: [] }),
      buildClaim(3, { assessments: [buildAssessment(3, { account: { id: 'u9', name: 'Joko' } })] }),
    ];
    open();
    const first = await card(1);
    expect(first.getByRole('link', { name: 'Warga 1' }).getAttribute('href')).toBe('/admin/users/warga-1');
    expect(first.getByRole('link', { name: /^Buka percakapan/ }).getAttribute('href')).toBe('/admin/chat?user=warga-1');
    expect(first.getByText('Milik ayah saya')).toBeTruthy();
    expect(first.getAllByRole('link', { name: /^Daftar/ }).map(({ textContent }) => textContent)).toEqual([
      'Daftar 2026',
      'Daftar 2025',
    ]);
    const unlisted = await card(2);
    expect(unlisted.getByText('Tidak ada di daftar')).toBeTruthy();
    expect(unlisted.queryByRole('button', { name: 'Setujui' })).toBeNull();
    const taken = await card(3);
    expect(taken.getByText('Terhubung dengan Joko')).toBeTruthy();
    expect(taken.queryByRole('button', { name: 'Setujui' })).toBeNull();
    expect(screen.getByRole('tab', { name: 'Menunggu (3)' })).toBeTruthy();
  });

  it('approves with Enter for the newest year and goes on with the next request', async () => {
    const { user } = open();
    await card(1);
    await user.keyboard('{ArrowDown}{Enter}');
    expect(await screen.findByText(/^Permintaan disetujui\. .* terhubung dengan Warga 1\.$/)).toBeTruthy();
    expect(server.callsOf(answerTo(1, 'approve'))[0]?.body).toEqual({
      assessment_id: 'ketetapan-1',
      updated_at: claims[0]?.updated_at,
    });
    await waitFor(() => expect(document.querySelectorAll('[data-row]')).toHaveLength(1));
    expect((await card(2)).getByRole('button', { name: 'Setujui' })).toBe(document.activeElement);
  });

  it('rejects with a ready reason after X, and goes on with the next request', async () => {
    const { user } = open();
    await card(1);
    await user.keyboard('{ArrowDown}x');
    const dialog = within(await screen.findByRole('dialog', { name: 'Tolak permintaan' }));
    await user.click(dialog.getByRole('radio', { name: /^NOP ini tidak ada di daftar kantor/ }));
    await user.click(dialog.getByRole('button', { name: 'Tolak' }));
    expect(await screen.findByText('Permintaan Warga 1 ditolak')).toBeTruthy();
    expect(server.callsOf(answerTo(1, 'reject'))[0]?.body).toEqual({
      reason: 'NOP ini tidak ada di daftar kantor. Periksa lagi angkanya pada SPPT.',
    });
    await waitFor(async () =>
      expect((await card(2)).getByRole('button', { name: 'Setujui' })).toBe(document.activeElement),
    );
  });

  it('asks for a reason of three characters, and keeps it while the answer cannot be stored', async () => {
    server.on(answerTo(1, 'reject'), networkError);
    const { user } = open();
    await user.click((await card(1)).getByRole('button', { name: 'Tolak' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Tolak permintaan' }));
    const reason = dialog.getByRole('textbox', { name: /^Alasan untuk warga/ });
    await user.type(reason, 'no');
    await user.click(dialog.getByRole('button', { name: 'Tolak' }));
    expect(dialog.getByText('Alasan harus 3 sampai 500 karakter')).toBeTruthy();
    await user.type(reason, 'mor salah{Enter}');
    expect(await dialog.findByRole('alert')).toBeTruthy();
    expect(reason).toHaveProperty('value', 'nomor salah');
  });

  it('shows the answer of a colleague who was faster at the place of the request', async () => {
    server.on(answerTo(1, 'approve'), () => {
      answered(1, { state: 'rejected', reason: 'Bukan nama Anda' });
      return failAnswer(409, 'Permintaan ini sudah dijawab Sari');
    });
    const { user } = open();
    await user.click((await card(1)).getByRole('button', { name: 'Setujui' }));
    expect(await screen.findByText('Ditolak: Bukan nama Anda')).toBeTruthy();
    const first = await card(1);
    expect(first.getByText('Permintaan ini sudah dijawab Sari')).toBeTruthy();
    expect(first.queryByRole('button', { name: 'Tolak' })).toBeNull();
    expect(document.querySelectorAll('[data-row]')).toHaveLength(2);
  });

  it('says that an account has no room for further records, and keeps the request', async () => {
    server.on(answerTo(1, 'approve'), failAnswer(422, 'Akun ini sudah mencapai batas (500 data PBB).'));
    const { user } = open();
    await user.click((await card(1)).getByRole('button', { name: 'Setujui' }));
    const first = await card(1);
    expect(await first.findByText('Akun ini sudah mencapai batas (500 data PBB).')).toBeTruthy();
    expect(first.getByRole('button', { name: 'Setujui' })).toBeTruthy();
  });

  it('offers a photo for the viewer and a document as a file', async () => {
    const file = { id: 'f1', url: '/uploads/f1', thumb_url: null, size: 2048, width: 10, height: 10, proof_of: null };
    claims = [
      buildClaim(1, { attachment: { ...file, name: 'sppt.jpg', type: 'image/jpeg' } }),
      buildClaim(2, { attachment: { ...file, name: 'sppt.pdf', type: 'application/pdf' } }),
    ];
    open();
    const photo = (await card(1)).getByRole('button', { name: 'Foto dari Warga 1: sppt.jpg' });
    expect(photo.getAttribute('aria-haspopup')).toBe('dialog');
    expect((await card(2)).getByRole('link', { name: 'Unduh dokumen dari Warga 2: sppt.pdf, 2 KB' })).toBeTruthy();
  });

  it('lists answered requests with who answered and why, by their addresses', async () => {
    answered(1, { state: 'approved' });
    answered(2, { state: 'rejected', reason: 'Lampirkan SPPT' });
    const { user, router } = open('?tampil=ditolak');
    expect(await screen.findByText('Ditolak: Lampirkan SPPT')).toBeTruthy();
    expect(screen.getByText(/Sari/)).toBeTruthy();
    await user.click(screen.getByRole('tab', { name: 'Disetujui' }));
    expect(await screen.findByRole('link', { name: 'Warga 1' })).toBeTruthy();
    expect(router.state.location.search).toBe('?tampil=disetujui');
    await user.click(screen.getByRole('tab', { name: 'Menunggu' }));
    expect(await screen.findByText('Semua permintaan sudah dijawab')).toBeTruthy();
  });

  it('shows a new request at once, and offers another try when they cannot be loaded', async () => {
    const { user } = open();
    await card(2);
    claims = [...claims, buildClaim(3)];
    act(() => {
      socket.connect();
      socket.push('claim:changed', { id: 'permintaan-3', user_id: 'warga-3', state: 'open' });
    });
    await card(3);
    server.on(CLAIMS, networkError);
    await user.click(screen.getByRole('tab', { name: 'Ditolak' }));
    expect(await screen.findByRole('button', { name: 'Coba lagi' })).toBeTruthy();
  });
});
