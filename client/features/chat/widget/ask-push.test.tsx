import { useQuery } from '@tanstack/react-query';
import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { closeSession } from '#client/lib/session/session.ts';
import type { RealtimeConnection } from '#client/realtime/socket.ts';
import { fakeSocket, type FakeSocket } from '#client/realtime/testing/fake-socket.ts';
import { fakeServer, okAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import type { PushPreferences } from '#shared/api/push.ts';
import { buildHistory, buildMessage } from '../testing/build-chat-data.ts';
import { fakePush } from '../testing/fake-push.ts';
import { pushPreferencesQuery } from '../display/push/push-queries.ts';
import { ChatWidget } from './chat-widget.tsx';
import { AskPushCard } from './ask-push-card.tsx';

vi.mock(
  '#client/lib/notifications/device-store.ts',
  () => import('#client/lib/notifications/testing/memory-device-store.ts'),
);

let sockets: FakeSocket[] = [];
vi.mock('#client/realtime/socket.ts', () => ({
  openRealtimeConnection: (): RealtimeConnection => {
    const opened = fakeSocket();
    sockets.push(opened);
    return opened.connection;
  },
}));

const PREFERENCES = 'GET /api/push/preferences';
const SUBSCRIPTION = 'PUT /api/push/subscription';
const QUESTION = 'Beri tahu saya saat kantor menjawab';
const wanted: PushPreferences = { enabled: true, preview: true, quiet_hours: null };
let server: ReturnType<typeof fakeServer>;
let push: ReturnType<typeof fakePush> | undefined;
let sentCount = 0;

beforeEach(() => {
  sockets = [];
  sentCount = 0;
  push = undefined;
  vi.stubGlobal('BroadcastChannel', undefined);
  server = fakeServer();
  server.on('GET /api/auth/admin-contact', okAnswer({ id: 'a1', _id: 'a1', name: 'Ibu Ratna' }));
  server.on('GET /api/messages/conversation/a1', () => okAnswer(buildHistory([own(1, { content: 'Kemarin' })])));
  server.on('POST /api/messages/conversation/a1/seen', okAnswer({ user_id: 'u1', unread_count: 0 }));
  server.on('POST /api/messages/send', ({ body }) => {
    sentCount += 1;
    const fields = body as { client_id: string; content: string };
    return okAnswer(own(1 + sentCount, { ...fields, prev_id: String(sentCount) }));
  });
  server.on('GET /api/push/key', okAnswer({ public_key: 'AAAA' }));
  server.on(PREFERENCES, okAnswer(wanted));
  server.on(SUBSCRIPTION, okAnswer({}));
  return () => {
    closeSession();
    push?.undo();
  };
});

const own = (number: number, fields: Parameters<typeof buildMessage>[0] | object = {}) =>
  buildMessage({ number, sender_id: 'u1', sender_name: 'Siti Aminah', from_admin: false, ...fields });
const question = () => screen.queryByRole('region', { name: QUESTION });

async function openChat() {
  signIn();
  const view = renderPage(<ChatWidget />);
  await view.user.click(await screen.findByRole('button', { name: /Buka Live Chat/ }));
  act(() => sockets.at(-1)?.connect());
  const panel = within(await screen.findByRole('dialog', { name: 'Live Chat' }));
  await panel.findByText('Kemarin');
  const send = async (text: string): Promise<void> => {
    const before = sentCount;
    await view.user.type(panel.getByPlaceholderText('Ketik pesan...'), `${text}{Enter}`);
    await waitFor(() => expect(sentCount).toBe(before + 1));
    await waitFor(() => expect(panel.queryByText('Menunggu dikirim')).toBeNull());
  };
  return { ...view, panel, send };
}

it('asks after a message was sent, and turns notifications on in this browser (R-PUSH-60)', async () => {
  push = fakePush();
  const { user, panel, send } = await openChat();
  await user.type(panel.getByPlaceholderText('Ketik pesan...'), 'Apakah pembayaran saya sudah masuk? ');
  expect(question()).toBeNull();
  expect(server.callsOf(PREFERENCES)).toHaveLength(0);
  await send('Terima kasih');
  await screen.findByRole('region', { name: QUESTION });
  expect(await panel.findByText('Ada pertanyaan di atas kolom pesan.')).toBeTruthy();
  // Nothing that is being typed goes astray.
  expect(document.activeElement).toBe(panel.getByPlaceholderText('Ketik pesan...'));
  expect(push.notification.requestPermission).not.toHaveBeenCalled();
  // A user who closed the panel at once is asked at the next opening.
  await user.keyboard('{Escape}');
  await user.click(screen.getByRole('button', { name: 'Buka Live Chat' }));
  const card = within(await screen.findByRole('region', { name: QUESTION }));
  await user.click(card.getByRole('button', { name: 'Nyalakan' }));
  await waitFor(() => expect(question()).toBeNull());
  expect(push.notification.requestPermission).toHaveBeenCalledOnce();
  expect(server.callsOf(SUBSCRIPTION).map(({ body }) => body)).toEqual([
    { endpoint: 'https://push.contoh.id/1', keys: { p256dh: 'kunci', auth: 'rahasia' } },
  ]);
  expect(await screen.findByText(/Notifikasi dinyalakan/)).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByPlaceholderText('Ketik pesan...'));
});

/** Is drawn together with the card, once there is all that the card waits for. */
function Ready() {
  return useQuery(pushPreferencesQuery).data ? <p>Siap</p> : null;
}

async function openCard() {
  const onClosed = vi.fn();
  signIn();
  const card = <AskPushCard userId="u1" onShown={vi.fn()} onClosed={onClosed} />;
  const view = renderPage(
    <>
      {card}
      <Ready />
    </>,
  );
  await screen.findByText('Siap');
  return { ...view, onClosed };
}

it('asks no second time after "Nanti saja"', async () => {
  push = fakePush();
  const { user, unmount, onClosed } = await openCard();
  await user.click(await screen.findByRole('button', { name: 'Nanti saja' }));
  expect(question()).toBeNull();
  expect(onClosed).toHaveBeenCalledOnce();
  expect(await screen.findByText(/kapan saja di Akun Saya/)).toBeTruthy();
  unmount();
  await openCard();
  expect(question()).toBeNull();
  expect(push.notification.requestPermission).not.toHaveBeenCalled();
});

it('moves the focus to the messages on a phone, where the field would open the keyboard', async () => {
  push = fakePush();
  const matchMedia = window.matchMedia;
  const phone = vi.spyOn(window, 'matchMedia').mockImplementation((query) => {
    const list = matchMedia(query);
    return query.includes('max-width: 47.99em') ? Object.assign(list, { matches: true }) : list;
  });
  const { user, send } = await openChat();
  await send('Terima kasih');
  await user.click(await screen.findByRole('button', { name: 'Nanti saja' }));
  expect(document.activeElement).toBe(screen.getByRole('log'));
  phone.mockRestore();
});

it('says what to do when the question was closed, the browser cannot subscribe, or it blocks', async () => {
  push = fakePush({ answer: 'default' });
  push.subscribe.mockRejectedValueOnce(new Error('push service error'));
  vi.spyOn(console, 'warn').mockImplementationOnce(() => undefined);
  const { user } = await openCard();
  const card = within(await screen.findByRole('region', { name: QUESTION }));
  const turnOn = () => user.click(card.getByRole('button', { name: 'Nyalakan' }));
  await turnOn();
  expect((await card.findByRole('alert')).textContent).toContain('Izin belum diberikan');
  push.notification.permission = 'granted';
  await turnOn();
  await waitFor(() => expect(card.getByRole('alert').textContent).toContain('belum dapat dinyalakan'));
  push.notification.permission = 'denied';
  await turnOn();
  await waitFor(() => expect(card.getByRole('alert').textContent).toContain('memblokir notifikasi'));
  const close = card.getByRole('button', { name: 'Tutup pertanyaan tentang notifikasi' });
  await waitFor(() => expect(document.activeElement).toBe(close));
  await user.keyboard('{Enter}');
  expect(question()).toBeNull();
});

it('says on an iPhone that the app has to be installed first', async () => {
  push = fakePush();
  vi.stubGlobal('PushManager', undefined);
  Reflect.deleteProperty(window, 'PushManager');
  vi.stubGlobal('navigator', { userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) Version/17.5' });
  const { user } = await openCard();
  expect(await screen.findByText(/Tambah ke Layar Utama/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Nyalakan' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Tutup pertanyaan tentang notifikasi' }));
  expect(question()).toBeNull();
});

it('does not ask where the browser blocks notifications, nor over plain http', async () => {
  push = fakePush({ permission: 'denied' });
  const { unmount } = await openCard();
  expect(question()).toBeNull();
  unmount();
  push.notification.permission = 'default';
  vi.stubGlobal('isSecureContext', false);
  await openCard();
  expect(question()).toBeNull();
});

it('does not ask somebody who wants none on any device', async () => {
  push = fakePush();
  server.on(PREFERENCES, okAnswer({ ...wanted, enabled: false }));
  await openCard();
  expect(question()).toBeNull();
});
