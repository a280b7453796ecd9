import { getDefaultStore } from 'jotai';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { closeSession } from '#client/lib/session/session.ts';
import { failAnswer, fakeServer, networkError, okAnswer } from '#client/testing/fake-server.ts';
import { signIn } from '#client/testing/render.tsx';
import { readPushChoices } from './push-choices.ts';
import { pushSupport } from './push-support.ts';
import { isSubscribedAtom, renewSubscription, subscribe, unsubscribe } from './subscription.ts';

/** In place of the database, which jsdom does not have. */
vi.mock(
  '#client/lib/notifications/device-store.ts',
  () => import('#client/lib/notifications/testing/memory-device-store.ts'),
);

const PUT = 'PUT /api/push/subscription';
const DELETE = 'DELETE /api/push/subscription';
let server: ReturnType<typeof fakeServer>;
let endpointCount = 0;
let current: { endpoint: string } | null = null;
let permission: NotificationPermission = 'default';

const isSubscribed = () => getDefaultStore().get(isSubscribedAtom);
const putEndpoints = () => server.callsOf(PUT).map(({ body }) => (body as { endpoint: string }).endpoint);

/** Gives the browser a subscription that was made for this key of the server. */
function addSubscription(applicationServerKey: Uint8Array<ArrayBuffer>) {
  endpointCount += 1;
  const endpoint = `https://push.contoh.id/${endpointCount}`;
  const made = {
    endpoint,
    options: { applicationServerKey: applicationServerKey.buffer },
    toJSON: () => ({ endpoint, keys: { p256dh: 'kunci', auth: 'rahasia' } }),
    unsubscribe: async () => {
      if (current === made) current = null;
      return true;
    },
  };
  current = made;
  return made;
}

beforeEach(() => {
  endpointCount = 0;
  current = null;
  permission = 'default';
  server = fakeServer();
  server.on('GET /api/push/key', okAnswer({ public_key: 'AAAA' }));
  server.on('GET /api/push/preferences', okAnswer({ enabled: true, preview: false, quiet_hours: null }));
  server.on(PUT, okAnswer({}));
  server.on(DELETE, okAnswer({}));
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  vi.stubGlobal('isSecureContext', true);
  vi.stubGlobal('PushManager', vi.fn());
  vi.stubGlobal('Notification', {
    get permission() {
      return permission;
    },
    requestPermission: async () => permission,
  });
  const pushManager = {
    getSubscription: async () => current,
    subscribe: async ({ applicationServerKey }: { applicationServerKey: Uint8Array<ArrayBuffer> }) =>
      addSubscription(applicationServerKey),
  };
  const serviceWorker = Object.assign(new EventTarget(), {
    ready: Promise.resolve({ pushManager, getNotifications: async () => [] }),
  });
  Object.defineProperty(navigator, 'serviceWorker', { value: serviceWorker, configurable: true });
  signIn();
});
afterEach(() => {
  closeSession();
  Reflect.deleteProperty(navigator, 'serviceWorker');
});

it('tells the server where notifications go, and at each start again, with the same address', async () => {
  permission = 'granted';
  expect([await subscribe(), isSubscribed()]).toEqual(['on', true]);
  expect(server.callsOf(PUT)[0]?.body).toEqual({
    endpoint: 'https://push.contoh.id/1',
    keys: { p256dh: 'kunci', auth: 'rahasia' },
  });
  await renewSubscription();
  expect(putEndpoints()).toEqual(['https://push.contoh.id/1', 'https://push.contoh.id/1']);
  expect(readPushChoices('u1')).toMatchObject({ hidesPreview: true, isOff: false });
  // The browser has dropped it, and the server has lost its key.
  current = null;
  await renewSubscription();
  server.on('GET /api/push/key', okAnswer({ public_key: 'BBBB' }));
  await renewSubscription();
  expect(putEndpoints().slice(2)).toEqual(['https://push.contoh.id/2', 'https://push.contoh.id/3']);
  expect(current).toMatchObject({ endpoint: 'https://push.contoh.id/3' });
});

it('ends the subscription at a click, also without a connection, and when the permission was taken back', async () => {
  permission = 'granted';
  await subscribe();
  server.on(DELETE, networkError);
  await unsubscribe();
  expect([isSubscribed(), current]).toEqual([false, null]);
  await renewSubscription();
  expect(putEndpoints()).toHaveLength(1);
  await subscribe();
  permission = 'denied';
  await renewSubscription();
  expect([isSubscribed(), current, pushSupport()]).toEqual([false, null, 'denied']);
});

it.each([
  ['the question was closed', 'default', okAnswer({}), 'denied'],
  ['the browser blocks it', 'denied', okAnswer({}), 'denied'],
  ['the server refuses the address', 'granted', failAnswer(422, 'Alamat ditolak'), 'failed'],
])('stays off, and leaves nothing in the browser, when %s', async (_case, given, answer, expected) => {
  permission = given as NotificationPermission;
  server.on(PUT, answer);
  expect([await subscribe(), isSubscribed(), current]).toEqual([expected, false, null]);
});

it('never gives one account what belongs to the one before it in the same browser', async () => {
  permission = 'granted';
  await subscribe();
  const left = current;
  // Signed out without a connection; the browser still has the subscription.
  closeSession();
  window.localStorage.clear();
  signIn({ id: 'u2', email: 'budi@contoh.id' });
  expect(isSubscribed()).toBe(false);
  await renewSubscription();
  expect(current).toBeNull();
  current = left;
  await subscribe();
  expect(putEndpoints()).toEqual(['https://push.contoh.id/1', 'https://push.contoh.id/2']);
});

it('takes back what it began for somebody who has signed out meanwhile', async () => {
  permission = 'granted';
  server.on(PUT, () => {
    closeSession();
    return okAnswer({});
  });
  expect([await subscribe(), isSubscribed(), current]).toEqual(['off', false, null]);
});

it.each([
  ['at the start of a page', renewSubscription],
  ['while it is being turned on', subscribe],
])('stays off when it is turned off %s', async (_case, begin) => {
  permission = 'granted';
  await subscribe();
  if (begin === subscribe) await unsubscribe();
  server.on(PUT, async () => {
    server.on(PUT, okAnswer({}));
    await unsubscribe();
    return okAnswer({});
  });
  await begin();
  expect([isSubscribed(), current, server.calls.at(-1)?.method]).toEqual([false, null, 'DELETE']);
});

it.each([
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 17_2 like Mac OS X) Version/17.2 Mobile Safari', 'install-first'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 15_8 like Mac OS X) Version/15.6 Mobile Safari', 'missing'],
  ['Mozilla/5.0 (Linux; Android 14) Chrome/130', 'missing'],
])('says what a browser without push can do: %s', (userAgent, expected) => {
  vi.stubGlobal('PushManager', undefined);
  Reflect.deleteProperty(window, 'PushManager');
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(userAgent);
  expect(pushSupport()).toBe(expected);
  vi.stubGlobal('isSecureContext', false);
  expect(pushSupport()).toBe('insecure');
});
