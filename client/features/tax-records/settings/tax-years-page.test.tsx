import { act, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { closeSession } from '#client/lib/session/session.ts';
import type { RealtimeConnection } from '#client/realtime/socket.ts';
import { type FakeSocket, fakeSocket } from '#client/realtime/testing/fake-socket.ts';
import { type Call, failAnswer, fakeServer, okAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import type { RecordSettings } from '#shared/api/tax-records/record-settings.ts';
import { TaxYearsPage } from './tax-years-page.tsx';

let sockets: FakeSocket[] = [];
vi.mock('#client/realtime/socket.ts', () => ({
  openRealtimeConnection: (): RealtimeConnection => {
    const socket = fakeSocket();
    sockets.push(socket);
    return socket.connection;
  },
}));

const GET = 'GET /api/admin/record-settings';
const PUT = 'PUT /api/admin/record-settings';
let server: ReturnType<typeof fakeServer>;

beforeEach(() => {
  vi.setSystemTime('2026-06-10T05:00:00Z');
  sockets = [];
  signIn({ is_admin: true });
  server = fakeServer();
  server.on(GET, okAnswer({ user_years: [2025], rollover: 'automatic' }));
  server.on(PUT, (call: Call) => {
    server.on(GET, okAnswer(call.body));
    return okAnswer(call.body);
  });
  return () => {
    closeSession();
    vi.useRealTimers();
  };
});

async function openPage() {
  const view = renderPage(<TaxYearsPage />);
  await screen.findByRole('checkbox', { name: '2025' });
  return view;
}
const box = (name: string): HTMLInputElement => screen.getByRole<HTMLInputElement>('checkbox', { name });
const checkedYears = (): string[] =>
  screen
    .getAllByRole<HTMLInputElement>('checkbox')
    .filter(({ checked }) => checked)
    .map(({ value }) => value);
const saved = (): RecordSettings[] => server.callsOf(PUT).map(({ body }) => body as RecordSettings);
const press = (user: Awaited<ReturnType<typeof openPage>>['user']) =>
  user.click(screen.getByRole('button', { name: 'Simpan (Save)' }));

it('offers 2020 to next year, the newest first, with what is stored', async () => {
  await openPage();
  expect(screen.getAllByRole<HTMLInputElement>('checkbox').map(({ value }) => value)).toEqual([
    '2027',
    '2026',
    '2025',
    '2024',
    '2023',
    '2022',
    '2021',
    '2020',
  ]);
  expect(checkedYears()).toEqual(['2025']);
  expect(screen.getByRole('radio', { name: /Dibuat otomatis/, checked: true })).toBeTruthy();
});

it('stores the years and the way of the new year in one call', async () => {
  const { user } = await openPage();
  await user.click(box('2026 (tahun ini)'));
  await user.click(screen.getByRole('radio', { name: /Ditawarkan dulu/ }));
  await press(user);
  expect(await screen.findByText('Pengaturan data PBB berhasil disimpan')).toBeTruthy();
  expect(saved()).toEqual([{ user_years: [2026, 2025], rollover: 'offer' }]);
  expect(screen.queryByRole('button', { name: 'Buang perubahan' })).toBeNull();
});

it('sends nothing without a year or with seven, and says how many', async () => {
  const { user } = await openPage();
  await user.click(box('2025'));
  expect(screen.getByText('Pilih 1 sampai 6 tahun.')).toBeTruthy();
  await press(user);
  for (const year of ['2020', '2021', '2022', '2023', '2024', '2025', '2027']) await user.click(box(year));
  expect(screen.getByText('Pilih 1 sampai 6 tahun.')).toBeTruthy();
  await press(user);
  expect(saved()).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Buang perubahan' }));
  expect(checkedYears()).toEqual(['2025']);
});

it('keeps what was chosen when saving fails', async () => {
  const { user } = await openPage();
  server.on(PUT, failAnswer(422, 'Tahun pajak tidak valid'));
  await user.click(box('2026 (tahun ini)'));
  await press(user);
  expect((await screen.findByRole('alert')).textContent).toContain('Tahun pajak tidak valid');
  expect(checkedYears()).toEqual(['2026', '2025']);
});

it('follows another admin', async () => {
  await openPage();
  server.on(GET, okAnswer({ user_years: [2026], rollover: 'automatic' }));
  act(() => {
    sockets.at(-1)?.connect();
    sockets.at(-1)?.push('office', { open: true, until: null, opens_at: null, user_years: [2026] });
  });
  await waitFor(() => expect(checkedYears()).toEqual(['2026']));
});

it('shows a failed load, and loads again', async () => {
  server.on(GET, failAnswer(500, 'Terjadi kesalahan pada server'));
  const { user } = renderPage(<TaxYearsPage />);
  expect(await screen.findByText('Terjadi kesalahan pada server')).toBeTruthy();
  server.on(GET, okAnswer({ user_years: [2025], rollover: 'automatic' }));
  await user.click(screen.getByRole('button', { name: /Coba [Ll]agi/ }));
  expect(await screen.findByRole('checkbox', { name: '2025' })).toBeTruthy();
});
