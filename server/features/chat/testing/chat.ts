import { expect } from 'vitest';
import type { ConversationSummary, History, Message } from '#shared/api/chat.ts';
import type { AppDeps } from '#server/app.ts';
import type { Person } from '#server/testing/factories.ts';
import { buildTestApp, type Answer } from '#server/testing/test-app.ts';

export type ConversationList = { data: ConversationSummary[]; total: number; total_unread: number; has_more: boolean };

/** The app with the messages calls under short names; for tests. */
export async function openChat(overrides: Partial<AppDeps> = {}) {
  const test = await buildTestApp(overrides);
  const ok = async <T>(asked: Promise<Answer>, ...statuses: number[]): Promise<T> => {
    const { status, body } = await asked;
    expect(statuses, JSON.stringify(body)).toContain(status);
    return body as T;
  };

  return {
    test,
    post: async (from: { token: string }, body: unknown): Promise<Answer> =>
      test.call('POST', '/api/messages/send', { token: from.token, body }),
    /** Sends and expects it to be stored (or, with a `clientId`, to have been stored before). */
    send: async (from: Person, to: Person, content = 'Halo', clientId: string | null = null): Promise<Message> => {
      const body = { to_user_id: to.id, content, ...(clientId === null ? {} : { client_id: clientId }) };
      const sent = test.call('POST', '/api/messages/send', { token: from.token, body });
      return (await ok<{ data: Message }>(sent, 201, ...(clientId === null ? [] : [200]))).data;
    },
    history: async (viewer: Person, userId: string, query = ''): Promise<History> => {
      const asked = test.call('GET', `/api/messages/conversation/${userId}${query}`, { token: viewer.token });
      return (await ok<{ data: History }>(asked, 200)).data;
    },
    list: async (viewer: Person, query = ''): Promise<ConversationList> =>
      ok(test.call('GET', `/api/messages/conversations${query}`, { token: viewer.token }), 200),
    see: async (viewer: Person, userId: string, body?: unknown): Promise<{ user_id: string; unread_count: number }> => {
      const url = `/api/messages/conversation/${userId}/seen`;
      const asked = test.call('POST', url, { token: viewer.token, ...(body === undefined ? {} : { body }) });
      return (await ok<{ data: { user_id: string; unread_count: number } }>(asked, 200)).data;
    },
    clear: async (admin: Person, userId: string): Promise<void> => {
      await ok(test.call('DELETE', `/api/messages/conversation/${userId}`, { token: admin.token }), 200);
    },
    countStored: (): number =>
      test.database.sqlite.prepare<[], number>('select count(*) from messages').pluck().get() ?? 0,
  };
}
export type Chat = Awaited<ReturnType<typeof openChat>>;
