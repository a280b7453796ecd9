import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import type { MessageSearchResult } from '#shared/api/chat/inbox.ts';
import { failAnswer, fakeServer, okAnswer } from '#client/testing/fake-server.ts';
import { renderPage } from '#client/testing/render.tsx';
import { buildHistory, buildMessage, buildMessages } from '../testing/build-chat-data.ts';
import { SearchDialog } from './search-dialog.tsx';
import type { MessageSearchParams } from './use-inbox-params.ts';
import { buildUserSummary, conversationPane, messageField, renderInbox } from './testing/render-inbox.tsx';

vi.mock('#client/realtime/socket.ts', async () => {
  const { currentConnection } = await import('./testing/current-connection.ts');
  return { openRealtimeConnection: () => currentConnection.current };
});

const history = buildMessages(401, 450, { user_id: 'u1' });
const old = buildMessages(90, 110, { user_id: 'u1' });

function buildResult(number: number, userId = 'u1'): MessageSearchResult {
  const snippet = `Kata denda nomor ${number}`;
  const message = buildMessage({ number, user_id: userId, sender_id: userId, from_admin: false, content: snippet });
  return { message, user: { id: userId, name: `Warga ${userId}` }, snippet, marks: [[5, 10]] };
}

type Server = Awaited<ReturnType<typeof renderInbox>>['server'];

const openSearch = (path = '/admin/chat?user=u1', prepare?: (server: Server) => void) =>
  renderInbox({
    rows: [buildUserSummary('u1', 450), buildUserSummary('u2', 451)],
    initialPath: path,
    prepare(server) {
      server.on('GET /api/messages/conversation/u1', ({ query }) => {
        if (query['around']) return okAnswer(buildHistory(old, { has_older: true, has_newer: true }));
        if (query['after']) return okAnswer(buildHistory([], { total: 450 }));
        return okAnswer(buildHistory(history, { total: 450, has_more: true }));
      });
      server.on('GET /api/admin/messages/search', ({ query }) => {
        const found = query['before'] ? [buildResult(50)] : [buildResult(100), buildResult(99, 'u2')];
        const data = query['q'] === 'denda' ? found : [];
        return okAnswer({ data, has_more: query['q'] === 'denda' && !query['before'], indexed_percent: 100 });
      });
      prepare?.(server);
    },
  });
const field = () => screen.getByRole('combobox', { name: 'Cari pesan' });
const options = () => screen.getAllByRole('option').map(({ textContent }) => textContent);

it('finds messages with Ctrl+Shift+F, marks the words, and opens one at its place by keyboard', async () => {
  const { server } = await openSearch();
  await conversationPane().findByText('Pesan 450');
  await userEvent.keyboard('{Control>}{Shift>}f{/Shift}{/Control}');
  await userEvent.type(field(), 'denda');
  await screen.findByText('2+ pesan ditemukan');
  expect(options()[0]).toContain('Warga u1');
  expect(screen.getAllByText('denda', { selector: 'mark' })).toHaveLength(2);
  await userEvent.click(screen.getByRole('button', { name: 'Tampilkan lebih banyak' }));
  await screen.findByText('3 pesan ditemukan');
  expect(server.callsOf('GET /api/admin/messages/search').at(-1)?.query).toMatchObject({ q: 'denda', before: '99' });
  await userEvent.type(field(), '{ArrowDown}{ArrowUp}{Enter}');
  expect(screen.queryByRole('dialog', { name: 'Cari pesan' })).toBeNull();
  const found = (await conversationPane().findByText('Pesan 100')).closest('[data-found]');
  expect(found).toBe(document.activeElement);
  expect(conversationPane().queryByText('Pesan 450')).toBeNull();

  await userEvent.click(conversationPane().getByRole('button', { name: 'Kembali ke terbaru' }));
  await conversationPane().findByText('Pesan 450');
  expect(conversationPane().queryByText('Pesan 100')).toBeNull();
});

it('keeps a message that comes while an old one is on the screen for the way back to the newest', async () => {
  const { push } = await openSearch();
  await conversationPane().findByText('Pesan 450');
  await userEvent.click(screen.getByRole('button', { name: 'Cari pesan' }));
  await userEvent.type(field(), 'denda');
  await screen.findByText('2+ pesan ditemukan');
  await userEvent.type(field(), '{Enter}');
  await conversationPane().findByText('Pesan 100');
  push('message:new', buildMessage({ number: 451, user_id: 'u1', sender_id: 'u1', from_admin: false }));
  expect(conversationPane().queryByText('Pesan 451')).toBeNull();

  await userEvent.click(conversationPane().getByRole('button', { name: 'Kembali ke terbaru, 1 pesan baru' }));
  await conversationPane().findByText('Pesan 451');
  expect(conversationPane().queryByText('Pesan 100')).toBeNull();
});

it('sends with an answer to an old message up to where the conversation was loaded', async () => {
  const { server } = await openSearch('/admin/chat');
  await userEvent.click(await screen.findByRole('button', { name: 'Cari pesan' }));
  await userEvent.type(field(), 'denda');
  await screen.findByText('2+ pesan ditemukan');
  await userEvent.type(field(), '{Enter}');
  await conversationPane().findByText('Pesan 100');
  server.on('POST /api/messages/send', okAnswer(buildMessage({ number: 451, user_id: 'u1' })));
  await userEvent.type(messageField(), 'Menyusul{Enter}');
  await waitFor(() => expect(server.callsOf('POST /api/messages/send')).toHaveLength(1));
  expect(server.callsOf('POST /api/messages/send')[0]?.body).toMatchObject({ seen_id: '450' });
});

it('searches only the open conversation after a switch, and returns to the screen before it on Escape', async () => {
  const { server } = await openSearch();
  const button = await screen.findByRole('button', { name: 'Cari pesan' });
  await userEvent.click(button);
  await userEvent.type(field(), 'denda');
  await screen.findByText('2+ pesan ditemukan');
  await userEvent.click(screen.getByRole('switch', { name: 'Percakapan ini saja' }));
  await waitFor(() =>
    expect(server.callsOf('GET /api/admin/messages/search').at(-1)?.query).toMatchObject({ user_id: 'u1' }),
  );
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Cari pesan' })).toBeNull());
  expect(screen.getByRole('region', { name: /^Percakapan dengan/ })).toBeTruthy();
});

it('keeps the text and the switch while the address does not have them yet', async () => {
  const server = fakeServer();
  server.on('GET /api/messages/conversations', okAnswer([]));
  server.on('GET /api/admin/messages/search', okAnswer({ data: [], has_more: false, indexed_percent: 100 }));
  const onChange = vi.fn<(params: MessageSearchParams) => void>();
  renderPage(
    <SearchDialog
      params={{ q: '', userId: null }}
      openUserId="u1"
      isFullScreen={false}
      lastKey={null}
      onChange={onChange}
      onChoose={vi.fn<() => void>()}
      onOpenMessage={vi.fn<() => void>()}
      onOpenUser={vi.fn<() => void>()}
      onClose={vi.fn<() => void>()}
    />,
  );
  await userEvent.type(field(), 'denda');
  await waitFor(() => expect(onChange).toHaveBeenLastCalledWith({ q: 'denda', userId: null }));
  await userEvent.click(screen.getByRole('switch', { name: 'Percakapan ini saja' }));
  expect(onChange).toHaveBeenLastCalledWith({ q: 'denda', userId: 'u1' });
  await userEvent.type(field(), ' 2019');
  await waitFor(() => expect(onChange).toHaveBeenLastCalledWith({ q: 'denda 2019', userId: 'u1' }));
  expect(screen.getByRole<HTMLInputElement>('switch', { name: 'Percakapan ini saja' }).checked).toBe(true);
});

it('lists people whose name matches first, says what was not found, and how far the index is', async () => {
  await openSearch('/admin/chat?cari=warga%20u2', (server) =>
    server.on('GET /api/admin/messages/search', okAnswer({ data: [], has_more: false, indexed_percent: 43 })),
  );
  const dialog = within(await screen.findByRole('dialog', { name: 'Cari pesan' }));
  expect((await dialog.findByRole('group', { name: 'Warga' })).textContent).toContain('Warga u2');
  expect(await dialog.findByText('Pencarian masih disiapkan (43 %). Pesan lama mungkin belum ditemukan.')).toBeTruthy();
  await userEvent.clear(field());
  await userEvent.type(field(), 'zakat');
  await dialog.findByText('Tidak ada pesan yang cocok dengan “zakat”');
  await userEvent.clear(field());
  await userEvent.type(field(), 'warga u2');
  await userEvent.click(await dialog.findByRole('option', { name: /Warga u2/ }));
  await screen.findByRole('region', { name: 'Percakapan dengan Warga u2' });
});

it('says that the search failed and repeats it', async () => {
  let fails = true;
  await openSearch('/admin/chat?cari=denda', (server) =>
    server.on('GET /api/admin/messages/search', () =>
      fails
        ? failAnswer(403, 'Akses ditolak')
        : okAnswer({ data: [buildResult(100)], has_more: false, indexed_percent: 100 }),
    ),
  );
  const dialog = within(await screen.findByRole('dialog', { name: 'Cari pesan' }));
  const retry = await dialog.findByRole('button', { name: 'Coba lagi' });
  fails = false;
  await userEvent.click(retry);
  await dialog.findByText('1 pesan ditemukan');
});

it('says that a found message was deleted meanwhile', async () => {
  const { server } = await openSearch();
  server.on('GET /api/messages/conversation/u1', ({ query }) =>
    okAnswer(buildHistory(query['after'] || query['around'] ? [] : history, { has_more: false })),
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Cari pesan' }));
  await userEvent.type(field(), 'denda');
  await screen.findByText('2+ pesan ditemukan');
  await userEvent.type(field(), '{Enter}');
  expect(await screen.findByText('Pesan itu tidak ada lagi.')).toBeTruthy();
  expect(conversationPane().getByText('Pesan 450')).toBeTruthy();
});
