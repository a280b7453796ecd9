import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { failAnswer, networkError, okAnswer } from '#client/testing/fake-server.ts';
import { draftFiles } from '../drafts/draft-files.ts';
import { buildMessage, buildMessages, buildSummary } from '../testing/build-chat-data.ts';
import {
  conversationPane,
  messageField,
  listPane,
  rowUserIds,
  renderInbox,
  rowOf,
  buildUserSummary,
} from './testing/render-inbox.tsx';

vi.mock('#client/realtime/socket.ts', async () => {
  const { currentConnection } = await import('./testing/current-connection.ts');
  return { openRealtimeConnection: () => currentConnection.current };
});

const threeRows = [
  buildUserSummary('u3', 30, { unread_count: 12 }),
  buildUserSummary('u2', 20, { unread_count: 2 }),
  buildUserSummary('u1', 10),
];
const locationWith = (search: string) => expect.objectContaining({ pathname: '/admin/chat', search });

it('lists conversations with name, e-mail, last message, badge and presence, and counts the registered users', async () => {
  const answered = buildMessage({ number: 5, user_id: 'u4', sender_id: 'a1', content: 'Sudah lunas' });
  const colleague = buildMessage({ number: 4, user_id: 'u5', sender_id: 'a2', content: 'Baik' });
  const rows = [...threeRows, buildSummary('u4', answered), buildSummary('u5', colleague), buildSummary('u6', null)];
  const { push } = await renderInbox({ rows });
  expect((await rowOf('Warga u3')).textContent).toContain('u3@contoh.id');
  expect(rowUserIds()).toEqual(['u3', 'u2', 'u1', 'u4', 'u5', 'u6']);
  expect(await screen.findByText('6 pengguna terdaftar')).toBeTruthy();
  expect(screen.getByText('Pilih user untuk chat')).toBeTruthy();
  expect(within(await rowOf('Warga u3')).getByText('9+')).toBeTruthy();
  expect(within(await rowOf('Warga u3')).getByText('12 pesan belum dibaca')).toBeTruthy();
  expect((await rowOf('Warga u4')).textContent).toContain('Anda: Sudah lunas');
  expect((await rowOf('Warga u5')).textContent).toContain('Ibu Ratna: Baik');
  expect((await rowOf('Warga u6')).textContent).toContain('Belum ada pesan');
  expect(within(await rowOf('Warga u2')).queryByText('Online')).toBeNull();
  push('presence', { online_user_ids: ['u2'] });
  expect(within(await rowOf('Warga u2')).getByText('Online')).toBeTruthy();
  push('typing', { user_id: 'u1', sender_id: 'u1', name: 'Warga u1', typing: true });
  expect((await rowOf('Warga u1')).textContent).toContain('sedang mengetik…');
});

it('loads the list and the totals once at start', async () => {
  const { server } = await renderInbox({ rows: threeRows });
  await rowOf('Warga u1');
  await screen.findByText('3 pengguna terdaftar');
  const limits = server.callsOf('GET /api/messages/conversations').map(({ query }) => query['limit']);
  expect(limits).toHaveLength(2);
  expect(new Set(limits)).toEqual(new Set(['1', '20']));
});

it('moves a conversation up when its user writes, without loading the list again', async () => {
  const { push, listCalls } = await renderInbox({ rows: threeRows });
  await rowOf('Warga u1');
  const before = listCalls().length;
  const fields = { user_id: 'u1', sender_id: 'u1', sender_name: 'Warga u1', from_admin: false, content: 'Permisi' };
  push('message:new', buildMessage({ number: 31, prev_id: '10', ...fields }));
  push('unread', { user_id: 'u1', unread_count: 1, total_unread: 15 });
  expect(rowUserIds()).toEqual(['u1', 'u3', 'u2']);
  expect((await rowOf('Warga u1')).textContent).toContain('Permisi');
  expect(within(await rowOf('Warga u1')).getByText('1 pesan belum dibaca')).toBeTruthy();
  expect(listCalls()).toHaveLength(before);
});

it('filters unread and unanswered conversations, and keeps the opened one in the list', async () => {
  const rows = [...threeRows, buildSummary('u4', buildMessage({ number: 5, user_id: 'u4' }))];
  const { user, push, router } = await renderInbox({ rows });
  await rowOf('Warga u4');
  await user.click(listPane().getByText('Belum dibaca'));
  await waitFor(() => expect(rowUserIds()).toEqual(['u3', 'u2']));
  await user.click(await rowOf('Warga u2'));
  rows[1] = buildUserSummary('u2', 20);
  push('unread', { user_id: 'u2', unread_count: 0, total_unread: 12 });
  expect(rowUserIds()).toEqual(['u3', 'u2']);
  await user.click(listPane().getByText('Belum dibalas'));
  await waitFor(() => expect(rowUserIds()).toEqual(['u1', 'u2', 'u3']));
  expect(router.state.location).toEqual(locationWith('?user=u2&show=waiting'));
  push('message:new', buildMessage({ number: 40, prev_id: '30', user_id: 'u3' }));
  expect(rowUserIds()).toEqual(['u1', 'u2']);
  await user.click(listPane().getByText('Belum dibaca'));
  await waitFor(() => expect(rowUserIds()).toEqual(['u3']));
});

it('searches, and says so when no name matches', async () => {
  const { user, server } = await renderInbox({ rows: threeRows });
  await user.type(await listPane().findByRole('searchbox'), 'u2');
  await waitFor(() => expect(rowUserIds()).toEqual(['u2']));
  expect(server.calls.some(({ query }) => query['search'] === 'u2')).toBe(true);
  await user.type(listPane().getByRole('searchbox'), 'x');
  expect(await screen.findByText('Tidak ada yang cocok')).toBeTruthy();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(rowUserIds()).toHaveLength(3));
});

it('moves between conversations with the keyboard, from the list and from the message field', async () => {
  const { user, router } = await renderInbox({ rows: threeRows });
  await user.click(await rowOf('Warga u3'));
  expect(router.state.location).toEqual(locationWith('?user=u3'));
  await waitFor(() => expect(document.activeElement).toBe(messageField()));
  await user.keyboard('{ArrowDown}');
  expect(router.state.location).toEqual(locationWith('?user=u2'));
  await waitFor(() => expect(document.activeElement).toBe(messageField()));
  await user.keyboard('a{ArrowDown}');
  expect(router.state.location).toEqual(locationWith('?user=u2'));
  await user.keyboard('{Alt>}{ArrowDown}{/Alt}');
  expect(router.state.location).toEqual(locationWith('?user=u1'));
  await user.keyboard('{Escape}');
  await waitFor(() => expect(router.state.location).toEqual(locationWith('')));
  expect(router.state.historyAction).toBe('POP');
  await waitFor(async () => expect(document.activeElement).toBe(await rowOf('Warga u1')));
  await user.keyboard('{ArrowUp}');
  expect(document.activeElement).toBe(await rowOf('Warga u2'));
  expect(router.state.location).toEqual(locationWith(''));
  await user.keyboard('{Enter}');
  expect(router.state.location).toEqual(locationWith('?user=u2'));
  await waitFor(() => expect(document.activeElement).toBe(messageField()));
  act(() => messageField().blur());
  await user.keyboard('/');
  expect(document.activeElement).toBe(listPane().getByRole('searchbox'));
  await user.keyboard('{ArrowDown}');
  expect(document.activeElement).toBe(await rowOf('Warga u2'));
});

it('moves between conversations, not between filters, by the arrow keys after a filter was chosen', async () => {
  const { user, router } = await renderInbox({ rows: threeRows.map((row) => ({ ...row, unread_count: 1 })) });
  await rowOf('Warga u1');
  await user.click(screen.getByRole('radio', { name: 'Belum dibaca' }));
  await waitFor(() => expect(router.state.location.search).toContain('unread'));
  await rowOf('Warga u3');
  await user.keyboard('{ArrowDown}');
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Belum dibaca' }).checked).toBe(true);
  expect(document.activeElement).toBe(await rowOf('Warga u3'));
  expect(router.state.location.search).not.toContain('user=');
});

it('chooses a row with the arrow keys while no conversation is open, from wherever the focus is, and opens it with Enter', async () => {
  const { user, router, server } = await renderInbox({ rows: threeRows });
  await rowOf('Warga u1');
  (document.activeElement as HTMLElement | null)?.blur();
  await user.keyboard('{ArrowDown}');
  expect(document.activeElement).toBe(await rowOf('Warga u3'));
  await user.keyboard('{ArrowDown}');
  expect(document.activeElement).toBe(await rowOf('Warga u2'));
  // Nothing is opened on the way, so nothing is seen.
  expect(router.state.location).toEqual(locationWith(''));
  expect(server.calls.filter(({ path }) => path.startsWith('/api/messages/conversation/'))).toEqual([]);
  await user.keyboard('{Enter}');
  expect(router.state.location).toEqual(locationWith('?user=u2'));
  await waitFor(() => expect(document.activeElement).toBe(messageField()));
  act(() => messageField().blur());
  await user.keyboard('{ArrowDown}');
  expect(router.state.location).toEqual(locationWith('?user=u1'));
  expect(document.activeElement).toBe(await rowOf('Warga u1'));
  // There the arrow keys scroll the messages.
  act(() => conversationPane().getByRole('log').focus());
  await user.keyboard('{ArrowUp}');
  expect(router.state.location).toEqual(locationWith('?user=u1'));
});

it('writes what is typed while nothing has the focus into the open conversation', async () => {
  const { user } = await renderInbox({ rows: threeRows, initialPath: '/admin/chat?user=u2' });
  await rowOf('Warga u2');
  (document.activeElement as HTMLElement | null)?.blur();
  await user.keyboard('Baik, Pak?');
  expect(messageField().value).toBe('Baik, Pak?');
  act(() => messageField().blur());
  await user.keyboard(' ');
  expect(document.activeElement).toBe(document.body);
});

it('loads the page of the list on which the conversation in the URL stands', async () => {
  const rows = Array.from({ length: 150 }, (_, index) => buildUserSummary(`u${index + 100}`, 1000 - index));
  const { listCalls } = await renderInbox({ rows, initialPath: '/admin/chat?user=u230' });
  const pages = () => listCalls().map(({ query }) => [query['limit'], query['page']]);
  const wanted = [
    ['20', '1'],
    ['100', '1'],
    ['100', '2'],
  ];
  await waitFor(() => expect(pages()).toEqual(wanted));
});

it('keeps a draft for each conversation and shows it in the list', async () => {
  const { user } = await renderInbox({ rows: threeRows });
  await user.click(await rowOf('Warga u3'));
  await user.type(messageField(), 'Sebentar, saya');
  await user.click(await rowOf('Warga u2'));
  expect(messageField().value).toBe('');
  expect((await rowOf('Warga u3')).textContent).toContain('Draf: Sebentar, saya');
  const photo = new File(['x'], 'struk.jpg', { type: 'image/jpeg' });
  await act(() => draftFiles('a1', 'u2').add({ file: photo, thumb: null, width: null, height: null }));
  await user.click(await rowOf('Warga u3'));
  expect(messageField().value).toBe('Sebentar, saya');
  expect((await rowOf('Warga u2')).textContent).toContain('Draf: 1 foto');
});

it('sends with Enter, keeps the focus in the field, and marks the conversation as seen', async () => {
  const histories = { u2: buildMessages(20, 20, { user_id: 'u2', sender_id: 'u2', from_admin: false, prev_id: null }) };
  const { user, server } = await renderInbox({ rows: threeRows, histories });
  const stored = buildMessage({ number: 41, prev_id: '20', user_id: 'u2', content: 'Selamat pagi' });
  server.on('POST /api/messages/send', ({ body }) =>
    okAnswer({ ...stored, client_id: (body as { client_id: string }).client_id }),
  );
  await user.click(await rowOf('Warga u2'));
  expect(await conversationPane().findByText('Pesan 20')).toBeTruthy();
  await user.click(messageField());
  await user.hover(await rowOf('Warga u2'));
  await user.keyboard('Selamat pagi{Enter}');
  expect(await conversationPane().findByText('Selamat pagi')).toBeTruthy();
  await waitFor(() => expect(server.callsOf('POST /api/messages/send')).toHaveLength(1));
  expect(server.callsOf('POST /api/messages/send')[0]?.body).toMatchObject({
    to_user_id: 'u2',
    content: 'Selamat pagi',
  });
  expect(document.activeElement).toBe(messageField());
  // Under the pointer the list does not move.
  expect(rowUserIds()[0]).toBe('u3');
  await user.hover(messageField());
  await waitFor(() => expect(rowUserIds()[0]).toBe('u2'));
  await waitFor(() =>
    expect(server.callsOf('POST /api/messages/conversation/u2/seen')[0]?.body).toEqual({ up_to: '20' }),
  );
});

it('shows a refused message, and sends it again or discards it', async () => {
  const { user, server } = await renderInbox({ rows: threeRows });
  server.on('POST /api/messages/send', failAnswer(403, 'Anda tidak memiliki akses'));
  await user.click(await rowOf('Warga u2'));
  await user.type(messageField(), 'Halo{Enter}');
  expect(await screen.findByText(/Gagal mengirim pesan/)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Coba lagi' }));
  await waitFor(() => expect(server.callsOf('POST /api/messages/send')).toHaveLength(2));
  await user.click(await screen.findByRole('button', { name: 'Buang' }));
  expect(screen.queryByText('Halo')).toBeNull();
});

it('deletes a history after a confirmation, and shows an error when that fails', async () => {
  const histories = { u1: buildMessages(10, 10, { user_id: 'u1', sender_id: 'u1', from_admin: false, prev_id: null }) };
  const { user, server } = await renderInbox({ rows: threeRows, initialPath: '/admin/chat?user=u1', histories });
  await conversationPane().findByText('Pesan 10');
  const clickDelete = async () => {
    await user.click(screen.getByRole('button', { name: 'Tindakan lain' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Hapus riwayat chat' }));
  };
  await clickDelete();
  const confirmDialog = within(await screen.findByRole('dialog', { name: 'Hapus Chat dengan Warga u1' }));
  expect(confirmDialog.getByText('Catatan internal tentang warga ini tetap ada.')).toBeTruthy();
  const text = 'Tindakan ini akan menghapus seluruh riwayat percakapan. Anda yakin ingin melanjutkan?';
  expect(confirmDialog.getByText(text)).toBeTruthy();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(server.callsOf('DELETE /api/messages/conversation/u1')).toHaveLength(0);
  server.on('DELETE /api/messages/conversation/u1', networkError);
  await clickDelete();
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Hapus' }));
  expect(await screen.findByText('Gagal menghapus riwayat percakapan')).toBeTruthy();
  expect(conversationPane().getByText('Pesan 10')).toBeTruthy();
  server.on('DELETE /api/messages/conversation/u1', okAnswer({}));
  histories.u1 = [];
  await clickDelete();
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Hapus' }));
  expect(await screen.findByText('Riwayat percakapan dihapus')).toBeTruthy();
  expect(await conversationPane().findByText('Tidak ada pesan')).toBeTruthy();
  expect(conversationPane().getByText('Mulai percakapan dengan user ini')).toBeTruthy();
});

it('shows which other admins view and type here, and reports what this admin views', async () => {
  const { user, push, socket } = await renderInbox({ rows: threeRows });
  await user.click(await rowOf('Warga u2'));
  await waitFor(() => expect(socket.emitted).toContainEqual(['viewing', { user_id: 'u2' }]));
  const self = { id: 'a1', name: 'Ibu Ratna' };
  push('viewing', { user_id: 'u2', viewers: [self] });
  expect(screen.queryByText(/juga melihat/)).toBeNull();
  push('viewing', { user_id: 'u2', viewers: [self, { id: 'a2', name: 'Pak Joko' }] });
  expect(await screen.findByText('Pak Joko juga melihat percakapan ini')).toBeTruthy();
  push('typing', { user_id: 'u2', sender_id: 'a2', name: 'Pak Joko', typing: true });
  expect(await conversationPane().findByText('Pak Joko sedang menulis')).toBeTruthy();
  push('typing', { user_id: 'u2', sender_id: 'a2', name: 'Pak Joko', typing: false });
  expect(await screen.findByText('Pak Joko juga melihat percakapan ini')).toBeTruthy();
  push('typing', { user_id: 'u2', sender_id: 'a2', name: 'Pak Joko', typing: true });
  expect(await conversationPane().findByText('Pak Joko sedang mengetik…')).toBeTruthy();
  const reply = buildMessage({ number: 50, user_id: 'u2', sender_id: 'a2', sender_name: 'Pak Joko', prev_id: null });
  push('message:new', { ...reply, content: 'Saya bantu' });
  const bubble = await conversationPane().findByText('Saya bantu');
  expect(bubble.closest('[data-item]')?.textContent).toContain('Pak Joko');
  await user.click(screen.getByRole('button', { name: 'Kembali (Back)' }));
  const lastViewing = () => socket.emitted.findLast(([event]) => event === 'viewing');
  await waitFor(() => expect(lastViewing()).toEqual(['viewing', { user_id: null }]));
});

it('opens the conversation of the URL, follows the browser’s back button, and looks up users beyond the list', async () => {
  const { server, router, user } = await renderInbox({ rows: threeRows, initialPath: '/admin/chat?user=u9' });
  server.on('GET /api/admin/users/u9', okAnswer({ id: 'u9', name: 'Nurul Hasanah', email: 'nurul@contoh.id' }));
  await user.click(await rowOf('Warga u3'));
  await user.click(await rowOf('Warga u1'));
  await act(() => router.navigate(-1));
  expect(await screen.findByRole('heading', { name: 'Warga u3' })).toBeTruthy();
  await act(() => router.navigate(-1));
  expect(await screen.findByRole('heading', { name: 'Nurul Hasanah' })).toBeTruthy();
});

it('says that a user does not exist, and offers no message field', async () => {
  const { server } = await renderInbox({ rows: threeRows, initialPath: '/admin/chat?user=u9' });
  expect(server.callsOf('GET /api/messages/conversation/u9').length).toBeGreaterThan(0);
  expect(await conversationPane().findByText(/No handler/)).toBeTruthy();
  expect(screen.queryByPlaceholderText('Tulis pesan...')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Tindakan lain' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Kembali (Back)' })).toBeTruthy();
});

it('says that the account of the open conversation is inactive, or was deleted, and takes its row out of the list', async () => {
  const rows = [...threeRows];
  const { push, user, server } = await renderInbox({ rows });
  expect(await screen.findByText('3 pengguna terdaftar')).toBeTruthy();
  await user.click(await rowOf('Warga u2'));
  const account = {
    id: 'u2',
    name: 'Warga u2',
    email: 'u2@contoh.id',
    has_email: true,
    is_admin: false,
    is_active: false,
  };
  push('user:changed', { change: 'updated', user: account });
  expect(conversationPane().getByText('Akun nonaktif')).toBeTruthy();
  expect(conversationPane().getByText(/^Akun ini nonaktif\. Warga ini belum bisa membaca jawaban Anda/)).toBeTruthy();
  expect((await rowOf('Warga u2')).textContent).toContain('Akun nonaktif');
  expect(messageField()).toBeTruthy();
  push('user:changed', { change: 'updated', user: { ...account, is_active: true, name: 'Warga u2 baru' } });
  expect(screen.queryByText(/nonaktif/)).toBeNull();
  expect(screen.getByRole('heading', { name: 'Warga u2 baru' })).toBeTruthy();
  rows.splice(1, 1);
  server.on('GET /api/messages/conversation/u2', failAnswer(404, 'User tidak ditemukan'));
  push('conversation:deleted', { user_id: 'u2' });
  push('user:changed', { change: 'deleted', user: account });
  expect(conversationPane().getByText('Akun dihapus')).toBeTruthy();
  expect(conversationPane().getByText(/^Akun ini sudah dihapus bersama percakapannya/)).toBeTruthy();
  expect(screen.queryByPlaceholderText('Tulis pesan...')).toBeNull();
  expect(rowUserIds()).toEqual(['u3', 'u1']);
  expect(await screen.findByText('2 pengguna terdaftar')).toBeTruthy();
});

it('shows from the list that an account is inactive', async () => {
  const inactive = buildUserSummary('u2', 20);
  inactive.other_user.is_active = false;
  await renderInbox({ rows: [inactive], initialPath: '/admin/chat?user=u2' });
  expect(await conversationPane().findByText('Akun nonaktif')).toBeTruthy();
});

it('shows list and conversation as two views on a phone', async () => {
  const { user, router } = await renderInbox({ rows: threeRows, isWideScreen: false });
  await user.click(await rowOf('Warga u2'));
  expect(screen.queryByRole('region', { name: 'Daftar percakapan' })).toBeNull();
  expect(await screen.findByRole('heading', { level: 1, name: 'Warga u2' })).toBeTruthy();
  expect(document.activeElement).not.toBe(messageField());
  await user.click(screen.getByRole('button', { name: 'Kembali (Back)' }));
  await waitFor(async () => expect(document.activeElement).toBe(await rowOf('Warga u2')));
  expect(router.state.location).toEqual(locationWith(''));
  expect(router.state.historyAction).toBe('POP');
  await user.keyboard('{ArrowDown}');
  expect(document.activeElement).toBe(await rowOf('Warga u1'));
  expect(router.state.location).toEqual(locationWith(''));
});

it('shows at once when the connection is lost and when it is back', async () => {
  const { socket, server, user } = await renderInbox({ rows: threeRows, initialPath: '/admin/chat?user=u2' });
  await rowOf('Warga u3');
  expect(listPane().getByText('Online')).toBeTruthy();
  expect(conversationPane().getByText('Offline')).toBeTruthy();
  server.on('GET /api/messages/conversations', networkError);
  act(() => socket.drop());
  expect(listPane().getByText('Offline')).toBeTruthy();
  expect(conversationPane().queryByText('Offline')).toBeNull();
  expect(conversationPane().getByText('–')).toBeTruthy();
  await user.click(listPane().getByRole('button', { name: 'Coba lagi' }));
  expect(socket.counts.wakes).toBeGreaterThan(0);
  act(() => socket.connect());
  expect(listPane().getByText('Online')).toBeTruthy();
});
