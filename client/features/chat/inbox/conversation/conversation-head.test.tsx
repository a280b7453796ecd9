import { screen, waitFor, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { failAnswer, okAnswer, okListAnswer } from '#client/testing/fake-server.ts';
import { buildRecord } from '#client/testing/build-record.ts';
import type { ConversationSummary } from '#shared/api/chat/chat.ts';
import { buildMessage, buildSummary } from '../../testing/build-chat-data.ts';
import { buildUserSummary, conversationPane, renderInbox, rowOf } from '../testing/render-inbox.tsx';

vi.mock('#client/realtime/socket.ts', async () => {
  const { currentConnection } = await import('../testing/current-connection.ts');
  return { openRealtimeConnection: () => currentConnection.current };
});

const me = { id: 'a1', name: 'Ibu Ratna' };
const sari = { id: 'a2', name: 'Sari' };
const CLAIM = 'POST /api/admin/conversations/u1/claim';

const stateOf = (row: ConversationSummary, change: Partial<ConversationSummary> = {}) => {
  const { state = 'waiting', claimed_by = null, snoozed_until = null, unanswered_since } = { ...row, ...change };
  return { user_id: 'u1', state, claimed_by, snoozed_until, unanswered_since };
};

/** The inbox with an open conversation whose user waits. */
async function openConversation(fields: Partial<ConversationSummary> = {}) {
  const message = buildMessage({ number: 10, user_id: 'u1', sender_id: 'u1', from_admin: false });
  const row = buildUserSummary('u1', 10, fields);
  const answered = buildSummary('u2', buildMessage({ number: 5, user_id: 'u2' }));
  const inbox = await renderInbox({ rows: [row, answered], histories: { u1: [message] } });
  inbox.server.on('GET /api/admin/tax-records', okListAnswer([]));
  await inbox.user.click(await rowOf('Warga u1'));
  await conversationPane().findByText(message.content);
  return { ...inbox, row };
}
const button = (name: string | RegExp) => conversationPane().getByRole('button', { name });
const findButton = (name: string | RegExp) => conversationPane().findByRole('button', { name });
/** Gives every element this width. */
const drawnAt = (width: number) =>
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, width, 800));

it('claims and releases a conversation, and says so in its head', async () => {
  const { user, server, row } = await openConversation();
  server.on(CLAIM, okAnswer(stateOf(row, { claimed_by: me })));
  server.on('POST /api/admin/conversations/u1/release', okAnswer(stateOf(row)));
  await user.click(button('Ambil'));
  expect(await conversationPane().findByText('Anda menangani')).toBeTruthy();
  await user.click(await findButton('Lepas'));
  expect(await findButton('Ambil')).toBeTruthy();
  expect(conversationPane().queryByText('Anda menangani')).toBeNull();
});

it('says and speaks what a colleague claims, and takes it over without blocking', async () => {
  const { user, server, push, row } = await openConversation();
  push('conversation:state', stateOf(row, { claimed_by: sari }));
  expect(await conversationPane().findByText('Sari menangani')).toBeTruthy();
  expect(conversationPane().getByText('Sari sekarang menangani percakapan ini').closest('output')).toBeTruthy();
  expect(screen.getByPlaceholderText<HTMLTextAreaElement>('Tulis pesan...').disabled).toBe(false);
  server.on(CLAIM, okAnswer(stateOf(row, { claimed_by: me })));
  await user.click(button('Ambil alih'));
  expect(await conversationPane().findByText('Anda menangani')).toBeTruthy();
  expect(server.callsOf(CLAIM).map(({ body }) => body)).toEqual([{ take: true }]);
});

it('speaks nothing about a claim that was there before', async () => {
  await openConversation({ claimed_by: sari });
  expect(await conversationPane().findByText('Sari menangani')).toBeTruthy();
  expect(conversationPane().queryByText(/sekarang menangani/)).toBeNull();
});

it('snoozes until a usual time, and ends that', async () => {
  const { user, server, row } = await openConversation();
  const SNOOZE = '/api/admin/conversations/u1/snooze';
  const until = '2099-01-05T01:00:00.000Z';
  server.on(`POST ${SNOOZE}`, okAnswer(stateOf(row, { state: 'snoozed', snoozed_until: until })));
  server.on(`DELETE ${SNOOZE}`, okAnswer(stateOf(row)));
  await user.click(button('Tunda'));
  await user.click(await screen.findByRole('menuitem', { name: /^Besok 08\.00/ }));
  expect(await conversationPane().findByText(/^Ditunda s\.d\. 5 Jan 2099/)).toBeTruthy();
  expect(server.callsOf(`POST ${SNOOZE}`).map(({ body }) => body)).toMatchObject([{ up_to: '10' }]);
  await user.click(await findButton('Akhiri penundaan'));
  expect(await findButton('Tunda')).toBeTruthy();
});

it('says that no answer is needed, only while somebody waits', async () => {
  const { user, server, row } = await openConversation();
  const DISMISS = 'POST /api/admin/conversations/u1/dismiss';
  server.on(DISMISS, okAnswer(stateOf(row, { state: 'done', unanswered_since: null })));
  await user.click(button('Tidak perlu dibalas'));
  await waitFor(() => expect(button('Tidak perlu dibalas')).toHaveProperty('disabled', true));
  expect(server.callsOf(DISMISS).map(({ body }) => body)).toEqual([{ up_to: '10' }]);
  await user.click(await rowOf('Warga u2'));
  await waitFor(() => expect(button('Tidak perlu dibalas')).toHaveProperty('disabled', true));
});

it('goes on to who waits longest after a dismissal, as after an answer, and stays when it failed', async () => {
  const { user, server, row } = await openConversation();
  const DISMISS = 'POST /api/admin/conversations/u1/dismiss';
  const waiting = buildUserSummary('u2', 5);
  server.on('GET /api/messages/conversations', okAnswer([waiting]));
  server.on(DISMISS, failAnswer(409, 'Ada pesan baru'));
  await user.click(button('Tidak perlu dibalas'));
  await screen.findByText(/pesan baru/i);
  expect(screen.getByRole('region', { name: 'Percakapan dengan Warga u1' })).toBeTruthy();
  server.on(DISMISS, okAnswer(stateOf(row, { state: 'done', unanswered_since: null })));
  await user.click(await findButton('Tidak perlu dibalas'));
  expect(await screen.findByRole('region', { name: 'Percakapan dengan Warga u2' })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Urungkan (Undo)' })).toBeTruthy();
});

it('puts everything but the claim into a menu where there is little room', async () => {
  drawnAt(390);
  const { user } = await openConversation({ claimed_by: sari });
  expect(conversationPane().getByText('· Sari menangani')).toBeTruthy();
  expect(button('Ambil alih')).toBeTruthy();
  expect(conversationPane().queryByRole('button', { name: 'Tidak perlu dibalas' })).toBeNull();
  await user.click(button('Tindakan lain'));
  const names = (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent);
  expect(names).toEqual([
    'Data PBB',
    'Catatan',
    'Tidak perlu dibalas',
    expect.stringMatching(/^1 jam/),
    expect.stringMatching(/^Besok 08\.00/),
    ...names.slice(5, -3),
    'Pilih waktu…',
    'Unduh percakapan',
    'Hapus riwayat chat',
  ]);
  // On a Sunday tomorrow is Monday, which stands only once.
  expect(names.slice(5, -3).filter((name) => !name.startsWith('Senin 08.00'))).toEqual([]);
});

const records = [
  buildRecord({ year: 2026, spt_number: 'SPT-1' }),
  buildRecord({ year: 2024, spt_number: 'SPT-1', due_date: '2024-09-30', amount: 750_000 }),
  buildRecord({ year: 2023, spt_number: 'SPT-1', status: 'lunas', payment_date: '2023-09-01' }),
];

it('shows the records of the user beside the thread, what is overdue first, and stays open for the next one', async () => {
  drawnAt(900);
  const { user, server } = await openConversation();
  server.on('GET /api/admin/tax-records', okListAnswer(records));
  await user.click(await rowOf('Warga u2'));
  await user.click(await findButton('Data PBB (3) · 1 menunggak'));
  let panel = within(await screen.findByRole('complementary', { name: 'Data PBB' }));
  expect(panel.getByText('Tunggakan Rp 750.000 (1)')).toBeTruthy();
  expect(panel.getAllByRole('listitem').map((row) => within(row).getAllByRole('link')[0]?.textContent)).toEqual([
    '2024',
    '2026',
    '2023',
  ]);
  expect(panel.getByText('Menunggak sejak 30 Sep 2024')).toBeTruthy();
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('complementary', { name: 'Data PBB' })).toBeNull();
  expect(screen.getByRole('region', { name: /^Percakapan dengan/ })).toBeTruthy();
  await user.click(button('Data PBB (3) · 1 menunggak'));
  within(screen.getByRole('complementary')).getByRole('button', { name: 'Tutup data PBB' }).focus();
  await user.keyboard('{Escape}');
  expect(document.activeElement).toBe(button('Data PBB (3) · 1 menunggak'));
  await user.click(button('Data PBB (3) · 1 menunggak'));
  panel = within(await screen.findByRole('complementary', { name: 'Data PBB' }));
  expect(panel.getAllByRole('button', { name: /^Tandai Lunas/ })).toHaveLength(2);
  expect(panel.getByRole('link', { name: 'Buka halaman Warga u2' }).getAttribute('href')).toBe('/admin/users/u2');
  await user.click(panel.getByRole('button', { name: 'Bagikan Siti Aminah, SPT-1, 2023' }));
  expect(document.activeElement).toBe(screen.getByPlaceholderText('Tulis pesan...'));
  expect(screen.getByRole('button', { name: 'Batal membagikan data PBB 2023' })).toBeTruthy();
  await user.click(await rowOf('Warga u1'));
  expect(await screen.findByRole('complementary', { name: 'Data PBB' })).toBeTruthy();
  expect(window.localStorage.getItem('inbox_records')).toBe('open');
  await user.click(screen.getByRole('button', { name: 'Tutup data PBB' }));
  expect(screen.queryByRole('complementary', { name: 'Data PBB' })).toBeNull();
  expect(window.localStorage.getItem('inbox_records')).toBe('closed');
});

it('shows the records in a drawer where there is no room beside the thread', async () => {
  drawnAt(390);
  const { user, server } = await openConversation();
  server.on('GET /api/admin/tax-records', okListAnswer(records));
  await user.click(await rowOf('Warga u2'));
  await user.click(button('Tindakan lain'));
  await user.click(await screen.findByRole('menuitem', { name: 'Data PBB (3) · 1 menunggak' }));
  const drawer = within(await screen.findByRole('dialog', { name: 'Data PBB Warga u2' }));
  expect(await drawer.findByText('Tunggakan Rp 750.000 (1)')).toBeTruthy();
  expect(window.localStorage.getItem('inbox_records')).toBeNull();
});
