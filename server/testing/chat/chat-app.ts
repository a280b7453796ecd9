import { expect } from 'vitest';
import type { ConversationSummary, History, Message } from '#shared/api/chat/chat.ts';
import type { SignedInUser } from '../factories.ts';
import { buildTestApp, type Answer, type TestApp, type TestOverrides } from '../test-app.ts';

export type ConversationList = { data: ConversationSummary[]; total: number; total_unread: number; has_more: boolean };

/** The test app with short names for the chat's calls. */
export const buildChatApp = async (overrides: TestOverrides = {}) => chatOf(await buildTestApp(overrides));

/** The same for an app that a test has built. */
export function chatOf(test: TestApp) {
  const expectStatus = async <T>(pendingAnswer: Promise<Answer>, ...statuses: number[]): Promise<T> => {
    const { status, body } = await pendingAnswer;
    expect(statuses, JSON.stringify(body)).toContain(status);
    return body as T;
  };

  return {
    test,
    post: async (from: { token: string }, body: unknown): Promise<Answer> =>
      test.call('POST', '/api/messages/send', { token: from.token, body }),
    /** Sends a message and expects it to be stored (with a `clientId`: now or before). */
    send: async (
      from: SignedInUser,
      to: SignedInUser,
      content = 'Halo',
      clientId: string | null = null,
    ): Promise<Message> => {
      const body = { to_user_id: to.id, content, ...(clientId === null ? {} : { client_id: clientId }) };
      const sent = test.call('POST', '/api/messages/send', { token: from.token, body });
      return (await expectStatus<{ data: Message }>(sent, 201, ...(clientId === null ? [] : [200]))).data;
    },
    history: async (currentUser: SignedInUser, userId: string, query = ''): Promise<History> => {
      const pendingAnswer = test.call('GET', `/api/messages/conversation/${userId}${query}`, {
        token: currentUser.token,
      });
      return (await expectStatus<{ data: History }>(pendingAnswer, 200)).data;
    },
    list: async (currentUser: SignedInUser, query = ''): Promise<ConversationList> =>
      expectStatus(test.call('GET', `/api/messages/conversations${query}`, { token: currentUser.token }), 200),
    see: async (
      currentUser: SignedInUser,
      userId: string,
      body?: unknown,
    ): Promise<{ user_id: string; unread_count: number }> => {
      const url = `/api/messages/conversation/${userId}/seen`;
      const pendingAnswer = test.call('POST', url, {
        token: currentUser.token,
        ...(body === undefined ? {} : { body }),
      });
      return (await expectStatus<{ data: { user_id: string; unread_count: number } }>(pendingAnswer, 200)).data;
    },
    clear: async (admin: SignedInUser, userId: string): Promise<void> => {
      await expectStatus(test.call('DELETE', `/api/messages/conversation/${userId}`, { token: admin.token }), 200);
    },
    countStored: (): number =>
      test.database.sqlite.prepare<[], number>('select count(*) from messages').pluck().get() ?? 0,
  };
}
export type ChatApp = ReturnType<typeof chatOf>;
