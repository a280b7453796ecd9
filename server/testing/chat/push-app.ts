import type { TestOverrides } from '../test-app.ts';
import { expect } from 'vitest';
import type { PushPreferences } from '#shared/api/push.ts';
import { buildChatApp } from '#server/testing/chat/chat-app.ts';
import type { PushService, TestSubscription } from '#server/testing/network/push-service.ts';

type Session = { token: string };

/** The chat app, which pushes to a push service on this computer. */
export async function buildPushApp(service: PushService, overrides: TestOverrides = {}) {
  const chat = await buildChatApp({
    settings: {
      timeZone: 'Asia/Jakarta',
      corsOrigins: [],
      trustedProxies: null,
      rateLimits: true,
      pushAllow: [service.origin],
    },
    // The server makes its own, in place of the one of the tests.
    push: { transport: undefined },
    ...overrides,
  });
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
export type PushApp = Awaited<ReturnType<typeof buildPushApp>>;
