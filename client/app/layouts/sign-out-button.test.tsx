import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { INSTALL_KEY } from '#client/lib/session/private-data.ts';
import { closeSession, currentSession } from '#client/lib/session/session.ts';
import { ChatMount } from '#client/features/chat/widget/chat-mount.tsx';
import { fakeSocket } from '#client/realtime/testing/fake-socket.ts';
import type { RealtimeConnection } from '#client/realtime/socket.ts';
import { failAnswer, fakeServer, networkError, neverAnswer, okAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import { SignOutButton } from './sign-out-button.tsx';

const connection: { current: RealtimeConnection | null } = vi.hoisted(() => ({ current: null }));
vi.mock('#client/realtime/socket.ts', () => ({ openRealtimeConnection: () => connection.current }));

const SEND = 'POST /api/messages/send';
const LOGOUT = 'POST /api/auth/logout';
const OUTBOX_KEY = 'pbb-outbox:u1:c1';
const DRAFT_KEY = 'pbb-draft:u1:u1';
const ONE_MESSAGE = '1 pesan belum terkirim. Keluar juga?';
let server: ReturnType<typeof fakeServer>;

beforeEach(() => {
  vi.stubGlobal('BroadcastChannel', undefined);
  connection.current = fakeSocket().connection;
  server = fakeServer();
  server.on(LOGOUT, okAnswer({}));
  server.on('GET /api/auth/admin-contact', okAnswer({ id: 'a1', _id: 'a1', name: 'Ibu Ratna' }));
  server.on('GET /api/messages/conversation/a1', networkError);
  return () => closeSession();
});

function storeUnsent(clientId = 'c1', fields: object = {}): void {
  const entry = { client_id: clientId, user_id: 'u1', content: 'NIK saya 3273', order: 1, state: 'waiting', ...fields };
  window.localStorage.setItem(`pbb-outbox:u1:${clientId}`, JSON.stringify(entry));
}

function renderButton() {
  signIn();
  return renderPage(
    <>
      <SignOutButton />
      <ChatMount />
    </>,
  );
}
type View = ReturnType<typeof renderButton>;
const pressSignOut = ({ user }: View) => user.click(screen.getByRole('button', { name: 'Keluar (Logout)' }));
const question = (name: string) => screen.findByRole('dialog', { name });
const press = async ({ user }: View, dialog: HTMLElement, name: string) =>
  user.click(within(dialog).getByRole('button', { name }));
/** Of the account; what the browser knows of the installed app stays (R-PWA-31). */
const expectNothingStored = () =>
  expect(Object.keys(window.localStorage).filter((key) => key !== INSTALL_KEY)).toEqual([]);
/** Waits until the code of the chat is loaded, which may take the first unsent message to the server. */
const chatIsLoaded = () => screen.findByRole('button', { name: /^Buka Live Chat/ });

it('signs out without a question when nothing is unsent', async () => {
  const view = renderButton();
  await pressSignOut(view);
  await waitFor(() => expect(currentSession()).toBeNull());
  expect(screen.queryByRole('dialog')).toBeNull();
  expectNothingStored();
});

it('asks about an unsent message, and stays signed in when the user cancels', async () => {
  server.on(SEND, networkError);
  const view = renderButton();
  storeUnsent();
  await pressSignOut(view);
  await press(view, await question(ONE_MESSAGE), 'Batal');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(currentSession()).not.toBeNull();
  expect(window.localStorage.getItem(OUTBOX_KEY)).not.toBeNull();
  expect(server.callsOf(LOGOUT)).toEqual([]);
});

it.each([
  ['when the server answers', okAnswer({})],
  ['without a connection', networkError],
])('discards the messages and leaves nothing readable %s', async (_name, logoutAnswer) => {
  server.on(SEND, networkError);
  server.on(LOGOUT, logoutAnswer);
  const view = renderButton();
  storeUnsent('c1');
  storeUnsent('c2', { order: 2, state: 'failed', reason: 'Pesan ditolak' });
  window.localStorage.setItem(DRAFT_KEY, 'suami saya tidak boleh tahu');
  await chatIsLoaded();
  await pressSignOut(view);
  const dialog = await question('2 pesan belum terkirim. Keluar juga?');
  expect(dialog.textContent).toContain('Pesan dan draf itu akan dibuang');
  await press(view, dialog, 'Buang dan keluar');
  await waitFor(() => expect(currentSession()).toBeNull());
  expectNothingStored();
});

it('discards at once although the server does not answer the logout', async () => {
  server.on(SEND, networkError);
  server.on(LOGOUT, neverAnswer);
  const view = renderButton();
  storeUnsent();
  await pressSignOut(view);
  await press(view, await question(ONE_MESSAGE), 'Buang dan keluar');
  expect(currentSession()).not.toBeNull();
  expect(window.localStorage.getItem(OUTBOX_KEY)).toBeNull();
  // The wait for the server is bounded.
  await waitFor(() => expect(currentSession()).toBeNull());
  expectNothingStored();
});

it('sends first when the user wants that, and then signs out', async () => {
  server.on(SEND, failAnswer(422, 'Pesan ditolak'));
  const view = renderButton();
  storeUnsent();
  await chatIsLoaded();
  await pressSignOut(view);
  const dialog = await question(ONE_MESSAGE);
  await press(view, dialog, 'Kirim dulu');
  expect((await within(dialog).findByRole('alert')).textContent).toContain('Pesan belum dapat dikirim.');
  expect(currentSession()).not.toBeNull();

  server.on(SEND, ({ body }) => okAnswer({ ...(body as object), _id: '1', id: '1', prev_id: null, user_id: 'u1' }));
  await press(view, dialog, 'Kirim dulu');
  await waitFor(() => expect(currentSession()).toBeNull());
  expect(server.callsOf(SEND).at(-1)?.body).toMatchObject({ client_id: 'c1', content: 'NIK saya 3273' });
  expectNothingStored();
});

it('stays when the user cancels while the messages are being sent', async () => {
  server.on(SEND, neverAnswer);
  const view = renderButton();
  storeUnsent();
  await chatIsLoaded();
  await pressSignOut(view);
  const dialog = await question(ONE_MESSAGE);
  await press(view, dialog, 'Kirim dulu');
  await press(view, dialog, 'Batal');
  window.localStorage.removeItem(OUTBOX_KEY);
  act(() => void window.dispatchEvent(new StorageEvent('storage', { key: OUTBOX_KEY })));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(currentSession()).not.toBeNull();
  expect(server.callsOf(LOGOUT)).toEqual([]);
});

it.each([DRAFT_KEY, 'pbb-chat-files:u1:u1', 'pbb-chat-record:u1:u1'])('asks about a draft in %s', async (key) => {
  const view = renderButton();
  window.localStorage.setItem(key, 'setengah jadi');
  await pressSignOut(view);
  const dialog = await question('Ada draf pesan. Keluar juga?');
  // A draft cannot be sent from here.
  expect(within(dialog).queryByRole('button', { name: 'Kirim dulu' })).toBeNull();
  await press(view, dialog, 'Buang dan keluar');
  await waitFor(() => expect(currentSession()).toBeNull());
  expectNothingStored();
});

it('does not ask about the messages of another account of this browser, and leaves them', async () => {
  const view = renderButton();
  window.localStorage.setItem('pbb-draft:u2:u2', 'milik orang lain');
  await pressSignOut(view);
  await waitFor(() => expect(currentSession()).toBeNull());
  expect(Object.keys(window.localStorage)).toEqual(['pbb-draft:u2:u2']);
});
