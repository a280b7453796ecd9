import { defaultScheduler, notifyManager } from '@tanstack/react-query';
import { act, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { buildAssessment } from '#client/testing/build-list.ts';
import { type Answer, failAnswer, fakeServer, networkError, okAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import type { RealtimeConnection } from '#client/realtime/socket.ts';
import { fakeSocket } from '#client/realtime/testing/fake-socket.ts';
import { closeSession } from '#client/lib/session/session.ts';
import type { Match } from '#shared/api/dhkp/linking.ts';
import type { MatchReason } from '#shared/domain/dhkp/match-reasons.ts';
import { DhkpMatchesPage } from './matches-page.tsx';

const socket = fakeSocket();
vi.mock('#client/realtime/socket.ts', () => ({ openRealtimeConnection: (): RealtimeConnection => socket.connection }));

const MATCHES = 'GET /api/admin/dhkp/matches';
const LIST = 'GET /api/admin/dhkp';

const candidate = (name: string, reasons: MatchReason[] = ['name']) => ({
  user: { id: name.toLowerCase(), name },
  record_id: null,
  reasons,
  score: 40,
});
const match = (number: number, ...names: string[]): Match => ({
  assessment: buildAssessment(number),
  candidates: names.map((name) => candidate(name)),
});
const linkOf = (number: number) => `POST /api/admin/dhkp/ketetapan-${number}/link`;
const unlinkOf = (number: number) => `DELETE /api/admin/dhkp/ketetapan-${number}/link`;

let server: ReturnType<typeof fakeServer>;
/** The pairs that the server proposes. */
let pairs: Match[];
beforeEach(() => {
  signIn({ is_admin: true, name: 'Ratna' });
  server = fakeServer();
  pairs = [match(1, 'Siti', 'Budi'), match(2, 'Agus'), match(3, 'Dewi')];
  server.on(MATCHES, () => matchesAnswer(2026));
  server.on(LIST, listAnswer([2026, 2025], 40));
  for (const number of [1, 2, 3]) {
    server.on(linkOf(number), () => {
      pairs = pairs.filter(({ assessment }) => assessment.id !== `ketetapan-${number}`);
      return okAnswer(buildAssessment(number, { account: { id: 'x', name: 'X' } }));
    });
  }
  return () => closeSession();
});

function matchesAnswer(year: number | null) {
  const page = { total: pairs.length, per_page: 50, current_page: 1, last_page: 1 };
  return okAnswer({ data: pairs, ...page, year });
}
const listAnswer = (years: number[], total: number) =>
  okAnswer({
    data: [],
    total,
    per_page: 1,
    current_page: 1,
    last_page: 1,
    total_amount: 0,
    year: years[0] ?? null,
    years,
  });

const open = (search = '') =>
  renderPage(<DhkpMatchesPage />, { path: '/admin/dhkp/matches', at: `/admin/dhkp/matches${search}` });
const button = (text: RegExp) => screen.findByRole('button', { name: text });
const rowsLeft = () => document.querySelectorAll('[data-row]').length;

describe('DhkpMatchesPage', () => {
  it('shows objects beside their candidates, with reasons in words and links to both', async () => {
    pairs = [{ assessment: buildAssessment(1), candidates: [candidate('Siti', ['nop', 'address'])] }];
    open('?tahun=2026');
    const link = await screen.findByRole('link', { name: 'Siti' });
    expect(link.getAttribute('href')).toBe('/admin/users/siti');
    expect(screen.getByText('NOP sama · Alamat sama')).toBeTruthy();
    const object = screen.getByRole('link', { name: '35.15.180.012.000-0001.0' });
    expect(object.getAttribute('href')).toBe('/admin/dhkp/ketetapan-1');
    expect(await screen.findByText('1 objek dengan calon pemilik, dari 40 yang belum terhubung')).toBeTruthy();
    expect(server.callsOf(MATCHES)[0]?.query).toEqual({ year: '2026', page: '1' });
    expect(server.callsOf(LIST)[0]?.query).toEqual({ year: '2026', linked: '0', listed: '1', limit: '1' });
  });

  it('links the first candidate with Enter and goes on with the next pair, up and down with the arrows', async () => {
    const { user } = open();
    await button(/^Hubungkan WAJIB PAJAK 1, .* dengan Siti/);
    await user.keyboard('{ArrowDown}{ArrowDown}{ArrowUp}');
    expect(document.activeElement).toBe(await button(/dengan Siti/));
    await user.keyboard('{Enter}');
    await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toContain('dengan Agus'));
    expect(server.callsOf(linkOf(1))[0]?.body).toEqual({ user_id: 'siti', overwrite: [] });
    expect(screen.getByText(/terhubung dengan Siti\. Bila diurungkan, data PBB-nya tetap ada\./)).toBeTruthy();
    await user.keyboard('{Enter}');
    await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toContain('dengan Dewi'));
    await user.keyboard('{Enter}');
    await waitFor(() => expect(rowsLeft()).toBe(0));
    expect(server.callsOf(linkOf(3))).toHaveLength(1);
  });

  it('links another candidate with one press', async () => {
    const { user } = open();
    await user.click(await button(/dengan Budi/));
    await waitFor(() => expect(rowsLeft()).toBe(2));
    expect(server.callsOf(linkOf(1))[0]?.body).toEqual({ user_id: 'budi', overwrite: [] });
  });

  it('takes the last link back and returns to its pair', async () => {
    const all = pairs;
    server.on(unlinkOf(2), () => {
      pairs = all;
      return okAnswer(buildAssessment(2));
    });
    const { user } = open();
    await user.click(await button(/dengan Agus/));
    await user.click(await button(/^Urungkan/));
    expect(await screen.findByText('Hubungan diputus. Data PBB-nya tetap ada.')).toBeTruthy();
    await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toContain('dengan Agus'));
    expect(rowsLeft()).toBe(3);
  });

  it('offers no undo of the link before while the next one waits for its answer', async () => {
    const second = Promise.withResolvers<Answer>();
    server.on(linkOf(2), () => second.promise);
    const { user } = open();
    await user.click(await button(/dengan Siti/));
    await button(/^Urungkan/);
    await user.click(await button(/dengan Agus/));
    await waitFor(() => expect(server.callsOf(linkOf(2))).toHaveLength(1));
    await waitFor(() => expect(screen.queryByRole('button', { name: /^Urungkan/ })).toBeNull());
    await user.keyboard('{Control>}z{/Control}');
    second.resolve(okAnswer(buildAssessment(2)));
    await button(/^Urungkan/);
    expect(server.callsOf(unlinkOf(1))).toEqual([]);
  });

  it('focuses the pair that comes back also when a list without it is drawn only then', async () => {
    const all = pairs;
    const { user, queries } = open();
    const link = await button(/dengan Agus/);
    const [without, fresh] = [Promise.withResolvers<Answer>(), Promise.withResolvers<Answer>()];
    server.on(MATCHES, () => without.promise);
    await user.click(link);
    const undrawn: (() => void)[] = [];
    onTestFinished(() => notifyManager.setScheduler(defaultScheduler));
    server.on(unlinkOf(2), async () => {
      notifyManager.setScheduler((draw) => undrawn.push(draw));
      without.resolve(matchesAnswer(2026));
      const loaded = () => queries.getQueriesData<{ data: Match[] }>({ queryKey: ['dhkp', 'matches'] })[0]?.[1]?.data;
      await vi.waitFor(() => expect(loaded()).toHaveLength(2));
      server.on(MATCHES, () => fresh.promise);
      return okAnswer(buildAssessment(2));
    });
    await user.click(await button(/^Urungkan/));
    await screen.findByText('Hubungan diputus. Data PBB-nya tetap ada.');
    notifyManager.setScheduler(defaultScheduler);
    act(() => undrawn.forEach((draw) => draw()));
    await waitFor(() => expect(rowsLeft()).toBe(2));
    pairs = all;
    fresh.resolve(matchesAnswer(2026));
    await waitFor(() => expect(rowsLeft()).toBe(3));
    await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toContain('dengan Agus'));
  });

  it.each([
    [409, 'Objek ini sudah terhubung dengan Joko'],
    [422, 'Akun ini sudah mencapai batas (500 data PBB).'],
  ])('says a refusal with %i at its place, and keeps it when the list has lost the pair', async (status, text) => {
    server.on(linkOf(2), () => {
      pairs = pairs.filter(({ assessment }) => assessment.id !== 'ketetapan-2');
      return failAnswer(status, text);
    });
    const { user } = open();
    await user.click(await button(/dengan Agus/));
    const alert = await screen.findByText(text);
    await waitFor(() => expect(server.callsOf(MATCHES)).toHaveLength(2));
    expect(alert.closest('[data-row]')?.textContent).toContain('WAJIB PAJAK 2');
    expect([...document.querySelectorAll('[data-row]')].indexOf(alert.closest('[data-row]') as Element)).toBe(1);
    await user.click(await button(/dengan Dewi/));
    await waitFor(() => expect(screen.queryByText(text)).toBeNull());
    expect(rowsLeft()).toBe(1);
  });

  it('says which year has no list, and that nothing is to be proposed', async () => {
    pairs = [];
    server.on(MATCHES, ({ query }) => matchesAnswer(Number(query['year'])));
    const { router } = open('?tahun=2024');
    expect(await screen.findByText('Belum ada daftar untuk 2024')).toBeTruthy();
    await act(() => router.navigate('/admin/dhkp/matches?tahun=2025'));
    expect(await screen.findByText('Tidak ada calon pemilik')).toBeTruthy();
    const link = screen.getByRole('link', { name: '40 objek yang belum terhubung' });
    expect(link.getAttribute('href')).toBe('/admin/dhkp?tahun=2025&akun=belum');
    server.on(LIST, listAnswer([2026], 0));
    await act(() => router.navigate('/admin/dhkp/matches?tahun=2026'));
    expect(await screen.findByText('Semua objek sudah terhubung')).toBeTruthy();
  });

  it('offers another try when the proposals cannot be loaded', async () => {
    server.on(MATCHES, networkError);
    const { user } = open();
    expect((await screen.findByRole('alert')).textContent).toContain('Gagal memuat calon pemilik');
    const retry = await button(/^Coba lagi/);
    server.on(MATCHES, () => matchesAnswer(2026));
    await user.click(retry);
    await button(/dengan Siti/);
  });

  it('loses a pair that a colleague has linked, and leaves the focus at its place', async () => {
    const { user } = open();
    await button(/dengan Siti/);
    await user.keyboard('{ArrowDown}');
    pairs = pairs.slice(1);
    act(() => {
      socket.connect();
      socket.push('dhkp:changed', { year: 2026 });
    });
    await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toContain('dengan Agus'));
    expect(rowsLeft()).toBe(2);
  });
});
