import { expect } from 'vitest';
import type { ConversationsQuery } from '#shared/api/chat/chat.ts';
import type { ConversationStateUpdate } from '#shared/api/chat/inbox.ts';
import { buildChatApp } from './chat-app.ts';
import type { SignedInUser } from '../factories.ts';
import type { Answer, TestOverrides } from '../test-app.ts';

type Caller = { token: string };
type User = { id: string };
type StateCall = 'claim' | 'release' | 'dismiss' | 'snooze';

/** The chat app with short names for the calls about who answers whom. */
export async function buildInboxApp(overrides: TestOverrides = {}) {
  const chat = await buildChatApp(overrides);
  const { test } = chat;
  const call = (method: 'POST' | 'DELETE', name: StateCall) => (caller: Caller, user: User, body?: unknown) =>
    test.call(method, `/api/admin/conversations/${user.id}/${name}`, {
      token: caller.token,
      ...(body === undefined ? {} : { body }),
    });
  const calls = {
    claim: call('POST', 'claim'),
    release: call('POST', 'release'),
    dismiss: call('POST', 'dismiss'),
    undoDismiss: call('DELETE', 'dismiss'),
    snooze: call('POST', 'snooze'),
    undoSnooze: call('DELETE', 'snooze'),
  };

  return {
    ...chat,
    ...calls,
    calls,
    /** The state in the answer to one of these calls. */
    stateOf: async (pending: Promise<Answer>): Promise<ConversationStateUpdate> => {
      const { status, body } = await pending;
      expect(status, JSON.stringify(body)).toBe(200);
      return body.data;
    },
    /** The row of the list for one conversation. */
    rowOf: async (admin: SignedInUser, user: User) => {
      const { data } = await chat.list(admin, '?all=1&limit=100');
      return data.find(({ other_user }) => other_user.id === user.id);
    },
    countsOf: async (admin: SignedInUser) => {
      const { body } = await test.call('GET', '/api/messages/conversations', { token: admin.token });
      return body['counts'] as { waiting: number; unread: number; snoozed: number; mine: number };
    },
    /** The ids of a filtered list, in its order. */
    listIds: async (admin: SignedInUser, state: NonNullable<ConversationsQuery['state']>, rest = '') => {
      const { data } = await chat.list(admin, `?state=${state}&limit=100${rest}`);
      return data.map(({ other_user }) => other_user.id);
    },
  };
}
export type InboxApp = Awaited<ReturnType<typeof buildInboxApp>>;
