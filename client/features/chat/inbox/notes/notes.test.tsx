import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { failAnswer, okAnswer, okListAnswer } from '#client/testing/fake-server.ts';
import type { Note } from '#shared/api/chat/inbox.ts';
import { buildMessage } from '../../testing/build-chat-data.ts';
import { buildUserSummary, conversationPane, renderInbox, rowOf } from '../testing/render-inbox.tsx';

vi.mock('#client/realtime/socket.ts', async () => {
  const { currentConnection } = await import('../testing/current-connection.ts');
  return { openRealtimeConnection: () => currentConnection.current };
});

const NOTES = 'GET /api/admin/conversations/u1/notes';
const at = (minute: number): string => `2026-08-03T02:0${minute}:00.000Z`;

function buildNote(id: string, minute: number, content: string, author = { id: 'a2', name: 'Sari' }): Note {
  return {
    _id: id,
    id,
    user_id: 'u1',
    author,
    content,
    client_id: `c${id}`,
    createdAt: at(minute),
    created_at: at(minute),
  };
}
const messageAt = (number: number, minute: number) =>
  buildMessage({ number, user_id: 'u1', sender_id: 'u1', from_admin: false, createdAt: at(minute) });

async function openWithNotes(notes: Note[], noteCount = notes.length) {
  const histories = { u1: [messageAt(1, 1), messageAt(2, 3)] };
  const inbox = await renderInbox({ rows: [buildUserSummary('u1', 2, { note_count: noteCount })], histories });
  inbox.server.on(NOTES, () => okAnswer(notes));
  await inbox.user.click(await rowOf('Warga u1'));
  await conversationPane().findByText('Pesan 2');
  return inbox;
}
const threadTexts = () =>
  [...screen.getByRole('log').querySelectorAll('[data-item]')].map(({ textContent }) => textContent ?? '');

it('stand between the messages in the order of time, marked as internal, with author and time', async () => {
  await openWithNotes([buildNote('1', 2, 'Minta KTP'), buildNote('2', 4, 'Sudah diterima')]);
  const notes = await conversationPane().findAllByRole('article', { name: 'Catatan internal dari Sari' });
  expect(notes[0]?.textContent).toBe('Catatan internalSari09.02Minta KTP');
  expect(threadTexts().map((text) => /Pesan \d|Minta KTP|Sudah diterima/.exec(text)?.[0])).toEqual([
    'Pesan 1',
    'Minta KTP',
    'Pesan 2',
    'Sudah diterima',
  ]);
});

it('does not load notes where there are none, and loads them when a colleague writes one', async () => {
  const notes: Note[] = [];
  const { server, push } = await openWithNotes(notes);
  expect(server.callsOf(NOTES)).toEqual([]);
  notes.push(buildNote('1', 4, 'Baru'));
  push('note:changed', { user_id: 'u2' });
  push('note:changed', { user_id: 'u1' });
  expect(await conversationPane().findByText('Baru')).toBeTruthy();
  expect(await conversationPane().findByRole('button', { name: 'Catatan (1)' })).toBeTruthy();
  expect(server.callsOf(NOTES)).toHaveLength(1);
});

it('loads the notes again after a new connection, because an event may be missing', async () => {
  const notes = [buildNote('1', 2, 'Lama')];
  const { socket } = await openWithNotes(notes);
  await conversationPane().findByText('Lama');
  notes.push(buildNote('2', 4, 'Dari saat terputus'));
  act(() => socket.drop());
  await act(async () => socket.connect());
  expect(await conversationPane().findByText('Dari saat terputus')).toBeTruthy();
});

it('lists the notes newest first, and deletes one only after a question', async () => {
  let notes = [buildNote('1', 2, 'Pertama'), buildNote('2', 4, 'Kedua', { id: 'a1', name: 'Ibu Ratna' })];
  const { user, server } = await openWithNotes(notes);
  server.on(NOTES, () => okAnswer(notes));
  const DELETE = 'DELETE /api/admin/notes/1';
  server.on(DELETE, () => {
    notes = notes.slice(1);
    return okAnswer({});
  });
  await user.click(await conversationPane().findByRole('button', { name: 'Catatan (2)' }));
  const drawer = within(await screen.findByRole('dialog', { name: 'Catatan tentang Warga u1' }));
  expect(drawer.getByText('Hanya terlihat oleh admin')).toBeTruthy();
  expect((await drawer.findAllByRole('article')).map(({ textContent }) => textContent)).toEqual([
    'Catatan internalIbu Ratna3 Agu 2026 09.04KeduaHapus',
    'Catatan internalSari3 Agu 2026 09.02PertamaHapus',
  ]);
  await user.click(drawer.getByRole('button', { name: 'Hapus catatan dari Sari' }));
  const question = within(await screen.findByRole('dialog', { name: 'Hapus catatan' }));
  await user.click(question.getByRole('button', { name: 'Batal' }));
  expect(server.callsOf(DELETE)).toEqual([]);
  await user.click(drawer.getByRole('button', { name: 'Hapus catatan dari Sari' }));
  const again = within(await screen.findByRole('dialog', { name: 'Hapus catatan' }));
  await user.click(again.getByRole('button', { name: 'Hapus' }));
  await waitFor(() => expect(drawer.queryByText('Pertama')).toBeNull());
  expect(drawer.getByText('Kedua')).toBeTruthy();
  expect(server.callsOf(DELETE)).toHaveLength(1);
});

it('say in words when they cannot be loaded, with a way to try again', async () => {
  const answer = { current: failAnswer(403, 'Anda tidak memiliki akses') };
  const { user, server } = await renderInbox({
    rows: [buildUserSummary('u1', 2, { note_count: 1 })],
    histories: { u1: [messageAt(1, 1)] },
  });
  server.on(NOTES, () => answer.current);
  await user.click(await rowOf('Warga u1'));
  await user.click(await conversationPane().findByRole('button', { name: 'Catatan (1)' }));
  const drawer = within(await screen.findByRole('dialog', { name: 'Catatan tentang Warga u1' }));
  expect(await drawer.findByText('Anda tidak memiliki akses')).toBeTruthy();
  answer.current = okAnswer([buildNote('1', 2, 'Ada')]);
  await user.click(drawer.getByRole('button', { name: 'Coba lagi' }));
  expect(await drawer.findByText('Ada')).toBeTruthy();
});

it('can be written from the drawer, also the first one', async () => {
  const { user } = await openWithNotes([]);
  await user.click(conversationPane().getByRole('button', { name: 'Catatan' }));
  const drawer = within(await screen.findByRole('dialog', { name: 'Catatan tentang Warga u1' }));
  expect(await drawer.findByText('Belum ada catatan')).toBeTruthy();
  await user.click(drawer.getByRole('button', { name: 'Tulis catatan' }));
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Catatan tentang Warga u1' })).toBeNull());
  expect(document.activeElement).toBe(screen.getByPlaceholderText('Tulis catatan internal...'));
});

it('mark their conversation in the list for the admin whom they are for, until it was opened', async () => {
  const inbox = await renderInbox({
    rows: [buildUserSummary('u1', 2, { note_count: 1 }), buildUserSummary('u2', 1, { note_count: 1 })],
    histories: { u1: [messageAt(1, 1)] },
  });
  const { server, user, push } = inbox;
  const SEEN = 'POST /api/admin/conversations/u1/notes/seen';
  let forMe = [{ user: { id: 'u1', name: 'Warga u1' }, author: { id: 'a2', name: 'Sari' }, created_at: at(2) }];
  server.on('GET /api/admin/notes/for-me', () => okAnswer(forMe));
  server.on(NOTES, () =>
    okAnswer([
      {
        ...buildNote('1', 2, 'Cek KTP'),
        for: { id: 'a1', name: 'Ibu Ratna' },
        seen_at: forMe.length > 0 ? null : at(4),
      },
    ]),
  );
  server.on(SEEN, () => {
    forMe = [];
    return okAnswer({});
  });
  push('note:changed', { user_id: 'u1' });
  await waitFor(async () => expect((await rowOf('Warga u1')).textContent).toContain('untuk Anda'));
  expect((await rowOf('Warga u2')).textContent).not.toContain('untuk Anda');
  expect(server.callsOf(SEEN)).toEqual([]);
  await user.click(await rowOf('Warga u1'));
  expect(await conversationPane().findByText('untuk Ibu Ratna · belum dibuka')).toBeTruthy();
  await waitFor(async () => expect((await rowOf('Warga u1')).textContent).not.toContain('untuk Anda'));
  expect(server.callsOf(SEEN)).toHaveLength(1);
});

it('mark their conversation also when they were written while the connection was lost', async () => {
  const { server, socket } = await renderInbox({
    rows: [buildUserSummary('u1', 2, { note_count: 1 })],
    prepare: (prepared) => prepared.on('GET /api/admin/notes/for-me', () => okAnswer([])),
  });
  expect((await rowOf('Warga u1')).textContent).not.toContain('untuk Anda');
  act(() => socket.drop());
  const note = { user: { id: 'u1', name: 'Warga u1' }, author: { id: 'a2', name: 'Sari' }, created_at: at(2) };
  server.on('GET /api/admin/notes/for-me', () => okAnswer([note]));
  act(() => socket.connect());
  await waitFor(async () => expect((await rowOf('Warga u1')).textContent).toContain('untuk Anda'));
});

it('of others mark nothing as opened', async () => {
  const { server } = await openWithNotes([
    Object.assign(buildNote('1', 2, 'Cek KTP'), { for: { id: 'a3', name: 'Joko' }, seen_at: null }),
  ]);
  expect(await conversationPane().findByText('untuk Joko · belum dibuka')).toBeTruthy();
  expect(server.callsOf('POST /api/admin/conversations/u1/notes/seen')).toEqual([]);
});

it('can be written for one colleague', async () => {
  const { user, server } = await openWithNotes([]);
  server.on(
    'GET /api/admin/users',
    okListAnswer([
      { id: 'a1', name: 'Ibu Ratna' },
      { id: 'a2', name: 'Sari' },
    ]),
  );
  const ADD = 'POST /api/admin/conversations/u1/notes';
  server.on(ADD, okAnswer(buildNote('1', 4, 'Cek KTP')));
  await user.click(conversationPane().getByRole('button', { name: 'Catatan' }));
  await user.click(await screen.findByRole('button', { name: 'Tulis catatan' }));
  const choice = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Untuk siapa catatan ini' });
  expect([...choice.options].map(({ text }) => text)).toEqual(['Untuk semua admin', 'Untuk Sari']);
  await user.selectOptions(choice, 'Untuk Sari');
  await user.type(screen.getByPlaceholderText('Tulis catatan internal...'), 'Cek KTP{Enter}');
  await waitFor(() => expect(server.callsOf(ADD)).toHaveLength(1));
  expect(server.callsOf(ADD)[0]?.body).toMatchObject({ content: 'Cek KTP', for_admin_id: 'a2' });
});
