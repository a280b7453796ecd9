import type { TestOverrides } from '../test-app.ts';
import { expect } from 'vitest';
import type { PushPreferences } from '#shared/api/push.ts';
import { buildChatApp, type ChatApp } from '#server/testing/chat/chat-app.ts';
import type { PushService, TestSubscription } from '#server/testing/network/push-service.ts';

type Session = { token: string };

/** An app that pushes to a push service on this computer. */
export const pushingTo = (service: PushService): TestOverrides => ({
  settings: {
    timeZone: 'Asia/Jakarta',
    corsOrigins: [],
    trustedProxies: null,
    rateLimits: true,
    pushAllow: [service.origin],
  },
  // The server makes its own, in place of the one of the tests.
  push: { transport: undefined },
});

/** The chat app, which pushes to a push service on this computer. */
export const buildPushApp = async (service: PushService, overrides: TestOverrides = {}) =>
  pushAppOf(service, await buildChatApp({ ...pushingTo(service), ...overrides }));

/** The same for an app that a test has built. */
export function pushAppOf(service: PushService, chat: ChatApp) {
  const { test } = chat;

  return {
    ...chat,
    service,
    pushes: test.pushes,
    /** Turns notifications on in the browser of a session. */
    subscribe: async ({ token }: Session): Promise<TestSubscription> => {
      const subscription = service.subscribe();
      const { status, body } = await test.call('PUT', '/api/push/subscription', { token, body: subscription });
      expect(status, JSON.stringify(body)).toBe(200);
      return subscription;
    },
    wish: async ({ token }: Session, wishes: Partial<PushPreferences>): Promise<void> => {
      const body = { enabled: true, preview: true, quiet_hours: null, ...wishes };
      expect((await test.call('PUT', '/api/push/preferences', { token, body })).status).toBe(200);
    },
    /** The bodies of what a device was told, since the start or the last call, after everything due was sent. */
    bodiesOf: async (subscription: TestSubscription): Promise<string[]> => {
      await test.pushes.settled();
      return service.payloadsOf(subscription).map(({ read, body }) => (read ? '(read)' : body));
    },
    /** The number of devices that still have something to get, by the database. */
    countOwed: (): number =>
      test.database.sqlite
        .prepare<[], number>('select count(*) from push_subscriptions where owed_after_id is not null')
        .pluck()
        .get() ?? 0,
    countSubscriptions: (): number =>
      test.database.sqlite.prepare<[], number>('select count(*) from push_subscriptions').pluck().get() ?? 0,
  };
}
export type PushApp = ReturnType<typeof pushAppOf>;
