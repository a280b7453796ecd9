import { act, screen, within } from '@testing-library/react';
import { vi } from 'vitest';
import type { ConversationSummary, Message } from '#shared/api/chat.ts';
import { fakeServer, ok } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import { screenWidth } from '#client/testing/screen-width.ts';
import { buildHistory, buildMessage, buildSummary } from '../../testing/build.ts';
import { fakeSocket } from '../../testing/fake-socket.ts';
import { DeskPage } from '../desk-page.tsx';
import { line } from './line.ts';

export const admin = { id: 'a1', name: 'Ibu Ratna', email: 'ratna@kantor.id', is_admin: true };

/** A resident's last words; the higher the number, the later. */
export function wrote(userId: string, number: number, fields: Partial<ConversationSummary> = {}): ConversationSummary {
  const last = buildMessage({ number, user_id: userId, sender_id: userId, from_admin: false });
  return buildSummary(userId, last, { unanswered_since: last.createdAt, ...fields });
}

type Options = {
  rows?: ConversationSummary[];
  at?: string;
  wide?: boolean;
  histories?: Record<string, Message[]>;
};

/** The desk of an administrator, with a server and a socket that the test plays. */
export async function openDesk({ rows = [], at = '/admin/chat', wide = true, histories = {} }: Options = {}) {
  // Without a layout nothing has a height, and of a list without a height no row is in view.
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(860);
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(360);
  vi.spyOn(document, 'hasFocus').mockReturnValue(true);
  screenWidth.wide = wide;

  const server = fakeServer();
  server.on('GET /api/messages/conversations', ({ query }) => {
    const found = rows.filter(
      (row) =>
        (query['unread'] === undefined || row.unread_count > 0) &&
        (query['unanswered'] === undefined || row.unanswered_since !== null) &&
        row.other_user.name.toLowerCase().includes((query['search'] ?? '').toLowerCase()),
    );
    const limit = Number(query['limit']);
    const from = (Number(query['page'] ?? 1) - 1) * limit;
    const total_unread = rows.reduce((sum, { unread_count }) => sum + unread_count, 0);
    const data = found.slice(from, from + limit);
    return { status: 200, body: { success: true, message: 'Daftar', data, total: rows.length, total_unread } };
  });
  for (const { other_user } of rows) {
    const path = `/api/messages/conversation/${other_user._id}`;
    server.on(`GET ${path}`, ({ query }) => ok(buildHistory(query['after'] ? [] : (histories[other_user._id] ?? []))));
    server.on(`POST ${path}/seen`, ok({ user_id: other_user._id, unread_count: 0 }));
    server.on(`DELETE ${path}`, ok({}));
  }
  const socket = fakeSocket();
  line.current = socket.link;
  signIn(admin);
  const view = renderPage(<DeskPage />, { path: '/admin/chat', at });
  await act(async () => socket.connect());
  return {
    ...view,
    server,
    socket,
    push: ((event, payload) => act(() => socket.push(event, payload))) as typeof socket.push,
    listCalls: () => server.callsOf('GET /api/messages/conversations').filter(({ query }) => query['limit'] !== '1'),
  };
}

export const list = () => within(screen.getByRole('region', { name: 'Daftar percakapan' }));
export const rowOf = (name: string) => list().findByRole('link', { name: new RegExp(name) });
export const names = () =>
  list()
    .getAllByRole('link')
    .map((row) => row.dataset['userId']);
export const conversation = () => within(screen.getByRole('region', { name: /^Percakapan dengan/ }));
export const field = () => screen.getByPlaceholderText<HTMLTextAreaElement>('Tulis pesan...');
