import { act, screen, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import { vi } from 'vitest';
import type { ConversationCounts, ConversationSummary, Message } from '#shared/api/chat/chat.ts';
import { fakeServer, okAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import { screenWidth } from '#client/testing/screen-width.ts';
import { buildHistory, buildMessage, buildSummary } from '../../testing/build-chat-data.ts';
import { fakeSocket } from '#client/realtime/testing/fake-socket.ts';
import { InboxPage } from '../inbox-page.tsx';
import { currentConnection } from './current-connection.ts';

export const testAdmin = { id: 'a1', name: 'Ibu Ratna', email: 'ratna@kantor.id', is_admin: true };

/** A row whose last message is from the user; a higher number is a later message. */
export function buildUserSummary(
  userId: string,
  number: number,
  fields: Partial<ConversationSummary> = {},
): ConversationSummary {
  const last = buildMessage({ number, user_id: userId, sender_id: userId, from_admin: false });
  return buildSummary(userId, last, { unanswered_since: last.createdAt, ...fields });
}

type Options = {
  /** Answers that are needed from the first moment. */
  prepare?: (server: ReturnType<typeof fakeServer>) => void;
  rows?: ConversationSummary[];
  initialPath?: string;
  isWideScreen?: boolean;
  histories?: Record<string, Message[]>;
  counts?: ConversationCounts;
  /** Beside the page. */
  extra?: ReactNode;
};

/** Renders the inbox for an admin, with a fake server and a fake socket. */
export async function renderInbox({
  prepare,
  rows = [],
  initialPath = '/admin/chat',
  isWideScreen = true,
  histories = {},
  counts,
  extra = null,
}: Options = {}) {
  // jsdom has no layout: without a height, the virtualizer would show no row.
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(860);
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(360);
  vi.spyOn(document, 'hasFocus').mockReturnValue(true);
  screenWidth.wide = isWideScreen;

  const server = fakeServer();
  server.on('GET /api/messages/conversations', ({ query }) => {
    const found = rows.filter(
      (row) =>
        (query['unread'] === undefined || row.unread_count > 0) &&
        (query['state'] === undefined || query['state'] === row.state || row.claimed_by?.id === testAdmin.id) &&
        (query['user_ids']?.split(',').includes(row.other_user._id) ?? true) &&
        row.other_user.name.toLowerCase().includes((query['search'] ?? '').toLowerCase()),
    );
    const limit = Number(query['limit']);
    const from = (Number(query['page'] ?? 1) - 1) * limit;
    const total_unread = rows.reduce((sum, { unread_count }) => sum + unread_count, 0);
    const data = found.slice(from, from + limit);
    return { status: 200, body: { success: true, message: 'Daftar', data, total: rows.length, total_unread, counts } };
  });
  for (const { other_user } of rows) {
    const path = `/api/messages/conversation/${other_user._id}`;
    server.on(`GET ${path}`, ({ query }) =>
      okAnswer(buildHistory(query['after'] ? [] : (histories[other_user._id] ?? []))),
    );
    server.on(`POST ${path}/seen`, okAnswer({ user_id: other_user._id, unread_count: 0 }));
    server.on(`DELETE ${path}`, okAnswer({}));
  }
  prepare?.(server);
  const socket = fakeSocket();
  currentConnection.current = socket.connection;
  signIn(testAdmin);
  const view = renderPage(
    <>
      <InboxPage />
      {extra}
    </>,
    { path: '/admin/chat', at: initialPath },
  );
  await act(async () => socket.connect());
  return {
    ...view,
    server,
    socket,
    push: ((event, payload) => act(() => socket.push(event, payload))) as typeof socket.push,
    listCalls: () => server.callsOf('GET /api/messages/conversations').filter(({ query }) => query['limit'] !== '1'),
  };
}

export const listPane = () => within(screen.getByRole('region', { name: 'Daftar percakapan' }));
export const rowOf = (name: string) => listPane().findByRole('link', { name: new RegExp(name) });
export const rowUserIds = () =>
  listPane()
    .getAllByRole('link')
    .map((row) => row.dataset['userId']);
export const conversationPane = () => within(screen.getByRole('region', { name: /^Percakapan dengan/ }));
export const messageField = () => screen.getByPlaceholderText<HTMLTextAreaElement>('Tulis pesan...');
