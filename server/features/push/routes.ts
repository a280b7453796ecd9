import type { pushCalls } from '#shared/api/calls/push.ts';
import { presentSingle } from '#server/http/answers/present.ts';
import type { Handlers } from '#server/http/serve-calls.ts';
import type { ActionService } from './actions/action-service.ts';
import type { SubscriptionService } from './subscription-service.ts';
import type { TestService } from './test-service.ts';
import type { VapidKeySource } from './vapid-keys.ts';

type Services = {
  subscriptions: SubscriptionService;
  tests: TestService;
  actions: ActionService;
  keys: VapidKeySource;
};

export function pushRoutes({ subscriptions, tests, actions, keys }: Services): Handlers<typeof pushCalls> {
  return {
    'GET /push/key': async () => presentSingle('Kunci notifikasi', { public_key: (await keys.read()).publicKey }),
    'PUT /push/subscription': async ({ currentUser, body }) => {
      await subscriptions.subscribe(currentUser, body);
      return presentSingle('Notifikasi dinyalakan di perangkat ini', {});
    },
    'DELETE /push/subscription': async ({ currentUser }) => {
      await subscriptions.unsubscribe(currentUser);
      return presentSingle('Notifikasi dimatikan di perangkat ini', {});
    },
    'GET /push/preferences': async ({ currentUser }) =>
      presentSingle('Pilihan notifikasi', await subscriptions.preferences(currentUser)),
    'PUT /push/preferences': async ({ currentUser, body }) =>
      presentSingle('Pilihan notifikasi disimpan', await subscriptions.changePreferences(currentUser, body)),
    'POST /push/test': async ({ currentUser }) => {
      const { text, ...data } = await tests.test(currentUser);
      return presentSingle(text, data);
    },
    'POST /push/actions': async ({ body }) => {
      const done = await actions.act(body);
      return presentSingle(body.action === 'reply' ? 'Pesan terkirim' : 'Percakapan ditandai sudah dibaca', done);
    },
  };
}
