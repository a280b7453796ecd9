import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import type { RealtimeConnection } from '#client/realtime/socket.ts';
import { fakeSocket } from '#client/realtime/testing/fake-socket.ts';
import { failAnswer, fakeServer, okAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import { type AdminNotice, noticeTexts } from '#shared/api/notices.ts';
import { ownPasswordTexts } from '#shared/api/users.ts';
import { AdminNotices } from './admin-notices.tsx';

const connection: { current: RealtimeConnection | null } = vi.hoisted(() => ({ current: null }));
vi.mock('#client/realtime/socket.ts', () => ({ openRealtimeConnection: () => connection.current }));

const LIST = 'GET /api/admin/notices';
const buildNotice = (id: string, changes: Partial<AdminNotice> = {}): AdminNotice => ({
  id,
  _id: id,
  kind: 'user.updated',
  actor: { id: 'a2', name: 'Dewi' },
  text: `Dewi menjadikan Budi ${id} admin`,
  created_at: '2026-06-10T05:00:00.000Z',
  actions: [],
  ...changes,
});

let server: ReturnType<typeof fakeServer>;
let socket: ReturnType<typeof fakeSocket>;

beforeEach(() => {
  socket = fakeSocket();
  connection.current = socket.connection;
  server = fakeServer();
  signIn({ id: 'a1', is_admin: true });
});

const serve = (...notices: AdminNotice[]) => server.on(LIST, okAnswer(notices));
const open = (isFullBleed = false) => renderPage(<AdminNotices isFullBleed={isFullBleed} />);

it('says who did what until it was seen, and leads to the audit', async () => {
  serve(buildNotice('7'), buildNotice('6'));
  server.on('POST /api/admin/notices/7/seen', okAnswer({}));
  const { user } = open();
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('Dewi menjadikan Budi 7 admin');
  expect(alert.textContent).toContain('Dewi menjadikan Budi 6 admin');
  expect(screen.getByRole('link', { name: 'Lihat riwayat' }).getAttribute('href')).toBe(
    '/admin/audit?dari=2026-06-10&orang=a2&tindakan=user.updated',
  );
  serve();
  await user.click(screen.getByRole('button', { name: 'Sudah saya lihat' }));
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  expect(server.callsOf('POST /api/admin/notices/7/seen')).toHaveLength(1);
});

it('shows the oldest three and marks no other as seen, says how many more there are, and filters the audit no narrower', async () => {
  const other = { kind: 'backup.downloaded', actor: { id: 'a3', name: 'Wati' } } as const;
  serve(buildNotice('9'), buildNotice('8'), buildNotice('7'), buildNotice('6'), buildNotice('5', other));
  server.on('POST /api/admin/notices/7/seen', okAnswer({}));
  const { user } = open();
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('Budi 7 admin');
  expect(alert.textContent).not.toContain('Budi 8 admin');
  const link = screen.getByRole('link', { name: 'Lihat riwayat (2 lainnya)' });
  expect(link.getAttribute('href')).toBe('/admin/audit?dari=2026-06-10');
  serve(buildNotice('9'), buildNotice('8'));
  await user.click(screen.getByRole('button', { name: 'Sudah saya lihat' }));
  expect(await screen.findByText(/Budi 9 admin/)).toBeInstanceOf(HTMLElement);
  expect(server.callsOf('POST /api/admin/notices/7/seen')).toHaveLength(1);
});

it('marks lines about changed addresses and the others as seen with one press, and filters the audit from the oldest', async () => {
  const address = { text: 'Alamat akun Budi berubah', actions: ['revert' as const] };
  serve(buildNotice('a4', { ...address, created_at: '2026-06-08T05:00:00.000Z' }), buildNotice('9'), buildNotice('8'));
  for (const id of ['a4', '9']) server.on(`POST /api/admin/notices/${id}/seen`, okAnswer({}));
  const { user } = open();
  expect((await screen.findByRole('alert')).textContent).toContain('Alamat akun Budi berubah');
  const link = screen.getByRole('link', { name: 'Lihat riwayat' });
  expect(link.getAttribute('href')).toContain('dari=2026-06-08');
  serve();
  await user.click(screen.getByRole('button', { name: 'Sudah saya lihat' }));
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  for (const id of ['a4', '9']) expect(server.callsOf(`POST /api/admin/notices/${id}/seen`)).toHaveLength(1);
});

it('takes one line and the buttons on a page that fills the window', async () => {
  serve(buildNotice('9'), buildNotice('8'));
  open(true);
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('Budi 8 admin');
  expect(alert.textContent).not.toContain('Budi 9 admin');
  expect(screen.getByRole('link', { name: 'Lihat riwayat (1 lainnya)' })).toBeTruthy();
});

it('appears as soon as the event comes, but not for what this admin did', async () => {
  serve();
  open();
  await waitFor(() => expect(server.callsOf(LIST)).toHaveLength(1));
  act(() => socket.connect());
  await waitFor(() => expect(server.callsOf(LIST)).toHaveLength(2));
  serve(buildNotice('7'));
  act(() => socket.push('notice:new', { actor_id: 'a1' }));
  act(() => socket.push('notice:new', { actor_id: 'a2' }));
  await screen.findByText(/Budi 7/);
  expect(server.callsOf(LIST)).toHaveLength(3);
});

it('loads the list again after a reconnect, because an event may have been missed', async () => {
  serve();
  open();
  await waitFor(() => expect(server.callsOf(LIST)).toHaveLength(1));
  serve(buildNotice('7'));
  act(() => socket.connect());
  await screen.findByText(/Budi 7/);
});

it('stays when it could not be stored that it was seen', async () => {
  serve(buildNotice('7'));
  server.on('POST /api/admin/notices/7/seen', failAnswer(503, 'Server sedang sibuk. Coba lagi.'));
  const { user } = open();
  await user.click(await screen.findByRole('button', { name: 'Sudah saya lihat' }));
  await screen.findByText('Server sedang sibuk. Coba lagi.');
  expect(screen.getByText(/Budi 7/)).toBeTruthy();
});

const REVERT = 'POST /api/admin/notices/a4/revert';
const changed = buildNotice('a4', {
  actor: { id: 'u1', name: 'Budi' },
  text: 'Alamat akun Budi berubah',
  actions: ['revert'],
});

async function openQuestion() {
  serve(changed, buildNotice('7'));
  const { user } = open();
  await user.click(await screen.findByRole('button', { name: 'Kembalikan alamat lama Budi' }));
  const question = within(await screen.findByRole('dialog', { name: 'Kembalikan alamat lama' }));
  const press = (name: string) => user.click(question.getByRole('button', { name }));
  return { user, question, press };
}

it('asks before it gives an old address back, and says what ends by it', async () => {
  const { question, press } = await openQuestion();
  expect(screen.queryByRole('button', { name: 'Kembalikan alamat lama Dewi' })).toBeNull();
  expect(question.getByText(/Semua\s+perangkat yang masuk dengan akun ini langsung keluar/)).toBeTruthy();
  expect(question.queryByLabelText(/^Password Anda/)).toBeNull();
  await press('Batal');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(server.callsOf(REVERT)).toEqual([]);
});

it('sends nothing but the number of the line for the account of a user', async () => {
  server.on(REVERT, () => {
    serve(buildNotice('7'));
    return okAnswer({});
  });
  const { press } = await openQuestion();
  await press('Kembalikan');
  await screen.findByText('Alamat lama Budi berlaku lagi');
  await waitFor(() => expect(screen.queryByText(/Alamat akun Budi berubah/)).toBeNull());
  expect(screen.getByText(/Budi 7/)).toBeTruthy();
  expect(server.callsOf(REVERT).map(({ body }) => body)).toEqual([{}]);
});

it('asks for the own password when the server does, and shows a wrong one at its field', async () => {
  const refuse = (text: string) => server.on(REVERT, failAnswer(422, text, { current_password: [text] }));
  refuse(ownPasswordTexts.required);
  const { user, question, press } = await openQuestion();
  await press('Kembalikan');
  await question.findByText('Masukkan password Anda');
  const field = question.getByLabelText<HTMLInputElement>(/^Password Anda/);
  await waitFor(() => expect(document.activeElement).toBe(field));
  refuse(ownPasswordTexts.wrong);
  await user.type(field, 'salah');
  await press('Kembalikan');
  await question.findByText('Password salah');
  server.on(REVERT, okAnswer({}));
  await user.clear(field);
  await user.type(field, 'rahasia{Enter}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(server.callsOf(REVERT).at(-1)?.body).toEqual({ current_password: 'rahasia' });
});

it('keeps the question after an error that passes, and closes it when the line is gone', async () => {
  server.on(REVERT, failAnswer(503, 'Server sedang sibuk. Coba lagi.'));
  const { question, press } = await openQuestion();
  await press('Kembalikan');
  await question.findByText('Server sedang sibuk. Coba lagi.');
  server.on(REVERT, failAnswer(404, noticeTexts.missing));
  serve();
  await press('Kembalikan');
  await screen.findByText('Pemberitahuan tidak ditemukan');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(screen.queryByText(/Alamat akun Budi berubah/)).toBeNull());
});

const announcement = buildNotice('r3', {
  kind: 'settings.retention',
  text: 'Mulai 10 Juli 2026 dihapus dari server: pesan chat yang lebih lama dari 2 tahun. Diatur Dewi.',
  actions: ['stop'],
});

it('keeps the announcement of a retention beside lines that are put away, and not above the chat', async () => {
  serve(announcement, buildNotice('7'));
  server.on('POST /api/admin/notices/7/seen', okAnswer({}));
  const { user } = open();
  await screen.findByText('Mulai 10 Juli 2026', { exact: false });
  serve(announcement);
  await user.click(screen.getByRole('button', { name: 'Sudah saya lihat' }));
  await waitFor(() => expect(screen.queryByText('Budi 7', { exact: false })).toBeNull());
  expect(server.callsOf('POST /api/admin/notices/r3/seen')).toEqual([]);
  expect(screen.getByRole('link', { name: 'Lihat masa simpan' }).getAttribute('href')).toBe(
    '/admin/settings/retention',
  );
});

it('shows no announcement of a retention where a page needs the room', async () => {
  serve(announcement, buildNotice('7'));
  open(true);
  await screen.findByText('Budi 7', { exact: false });
  expect(screen.queryByText('Mulai 10 Juli 2026', { exact: false })).toBeNull();
});

it('stops a retention after a question, and says why when that fails', async () => {
  serve(announcement);
  server.on('POST /api/admin/notices/r3/stop', failAnswer(503, 'Server sibuk'));
  const { user } = open();
  await user.click(await screen.findByRole('button', { name: 'Hentikan' }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Batal' }));
  expect(server.callsOf('POST /api/admin/notices/r3/stop')).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Hentikan' }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Hentikan' }));
  expect(await screen.findByText('Server sibuk')).toBeTruthy();
  server.on('POST /api/admin/notices/r3/stop', okAnswer({}));
  serve();
  await user.click(screen.getByRole('button', { name: 'Hentikan' }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Hentikan' }));
  await waitFor(() => expect(screen.queryByText('Mulai 10 Juli 2026', { exact: false })).toBeNull());
});
