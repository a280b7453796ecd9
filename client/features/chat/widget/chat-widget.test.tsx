import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Message } from '#shared/api/chat/chat.ts';
import type { Office } from '#shared/api/office/office.ts';
import { closeSession, currentSession } from '#client/lib/session/session.ts';
import type { RealtimeConnection } from '#client/realtime/socket.ts';
import { failAnswer, fakeServer, networkError, okAnswer, neverAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import { buildHistory, buildMessage, buildMessages } from '../testing/build-chat-data.ts';
import { fakeSocket, type FakeSocket } from '#client/realtime/testing/fake-socket.ts';
import { ChatWidget } from './chat-widget.tsx';
import { ChatMount } from './chat-mount.tsx';

let sockets: FakeSocket[] = [];
vi.mock('#client/realtime/socket.ts', () => ({
  openRealtimeConnection: (): RealtimeConnection => {
    const openedSocket = fakeSocket();
    sockets.push(openedSocket);
    return openedSocket.connection;
  },
}));

const HISTORY = 'GET /api/messages/conversation/a1';
const SEND = 'POST /api/messages/send';
const SEEN = 'POST /api/messages/conversation/a1/seen';
const office: Office = {
  open: true,
  until: null,
  opens_at: null,
  median_ms: null,
  ahead: null,
  admin_online: false,
  few_waiting: true,
  user_years: [2025],
};
const ABSENT = 'Admin sedang tidak aktif. Pesan Anda tersimpan dan dibalas secepatnya.';
let server: ReturnType<typeof fakeServer>;

beforeEach(() => {
  sockets = [];
  vi.stubGlobal('BroadcastChannel', undefined);
  server = fakeServer();
  server.on('GET /api/auth/admin-contact', okAnswer({ id: 'a1', _id: 'a1', name: 'Ibu Ratna' }));
  server.on(HISTORY, okAnswer(buildHistory([])));
  server.on(SEEN, okAnswer({ user_id: 'u1', unread_count: 0 }));
  server.on('GET /api/office', okAnswer(office));
  return () => closeSession();
});

function socket(): FakeSocket {
  const last = sockets.at(-1);
  if (!last) throw new Error('no socket was opened');
  return last;
}
const push: FakeSocket['push'] = (event, payload) => act(() => socket().push(event, payload));
const buildOwnMessage = (number: number, fields: Partial<Message> = {}): Message =>
  buildMessage({ number, sender_id: 'u1', sender_name: 'Siti Aminah', from_admin: false, ...fields });

async function openChat() {
  signIn();
  const view = renderPage(<ChatWidget />);
  await view.user.click(await screen.findByRole('button', { name: /Buka Live Chat/ }));
  act(() => socket().connect());
  const panel = await screen.findByRole('dialog', { name: 'Live Chat' });
  return { ...view, panel, input: within(panel).getByPlaceholderText('Ketik pesan...') };
}
const messageLog = (): HTMLElement => screen.getByRole('log', { name: 'Percakapan dengan admin' });

it('does not appear for an admin, nor without a stored user', () => {
  signIn({ is_admin: true });
  const { container, unmount } = renderPage(<ChatMount />);
  expect(container.querySelector('button')).toBeNull();
  unmount();
  closeSession();
  renderPage(<ChatMount />);
  expect(screen.queryByRole('button')).toBeNull();
});

it('opens with the texts of R-CHAT-16 and announces once that it is ready', async () => {
  const { panel, user } = await openChat();
  expect(await within(panel).findByText('Mulai percakapan dengan admin')).toBeTruthy();
  expect(await screen.findByText('Chat siap! Anda akan mendapat notifikasi untuk pesan baru.')).toBeTruthy();
  expect(within(panel).getByText('Online')).toBeTruthy();
  expect(within(panel).queryByText('Admin sedang aktif')).toBeNull();
  expect(await within(panel).findByText(ABSENT)).toBeTruthy();
  push('presence', { admin_online: true });
  expect(await within(panel).findByText('Admin sedang aktif')).toBeTruthy();
  push('presence', { admin_online: false });
  expect(await within(panel).findByText(ABSENT)).toBeTruthy();
  act(() => socket().drop());
  expect(within(panel).getByText('Offline')).toBeTruthy();
  // Without a connection nobody knows.
  expect(within(panel).queryByText(/^Admin sedang/)).toBeNull();
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Buka Live Chat' }));
});

it('shows the number of unread messages, 9+ above nine, and marks them as seen when it is opened', async () => {
  server.on(HISTORY, okAnswer(buildHistory(buildMessages(1, 12), { user_seen_id: '2' })));
  signIn();
  const { user } = renderPage(<ChatWidget />);
  const button = await screen.findByRole('button', { name: 'Buka Live Chat, 10 pesan belum dibaca' });
  expect(button.textContent).toBe('9+');
  expect(server.callsOf(SEEN)).toEqual([]);
  vi.spyOn(document, 'hasFocus').mockReturnValue(true);
  await user.click(button);
  await waitFor(() => expect(server.callsOf(SEEN)[0]?.body).toEqual({ up_to: '12' }));
  expect(await screen.findByRole('button', { name: 'Tutup Live Chat' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^Buka Live Chat/ })).toBeNull();
});

it('shows an own message at once and follows its delivery from the clock to the coloured ticks', async () => {
  let answer: (message: Message) => void = () => {};
  server.on(SEND, () => new Promise((resolve) => (answer = (message) => resolve(okAnswer(message)))));
  const { user, input } = await openChat();
  await user.type(input, ' Halo {Shift>}{Enter}{/Shift}Bu {Enter}');
  expect((input as HTMLTextAreaElement).value).toBe('');
  expect(within(messageLog()).getByText('Menunggu dikirim')).toBeTruthy();
  const call = await waitFor(() => {
    const [sent] = server.callsOf(SEND);
    if (!sent) throw new Error('not sent yet');
    return sent.body as { client_id: string; content: string; to_user_id: string };
  });
  expect(call).toMatchObject({ to_user_id: 'a1', content: 'Halo \nBu' });
  await act(async () =>
    answer(buildOwnMessage(1, { content: call.content, client_id: call.client_id, prev_id: null })),
  );
  expect(await within(messageLog()).findByText('Terkirim')).toBeTruthy();
  push('conversation:delivered', { user_id: 'u1', by: 'admin', up_to: '1' });
  expect(within(messageLog()).getByText('Diterima')).toBeTruthy();
  push('conversation:seen', { user_id: 'u1', by: 'admin', up_to: '1' });
  expect(within(messageLog()).getByText('Dibaca')).toBeTruthy();
  expect(within(messageLog()).getAllByText(/Halo/)).toHaveLength(1);
});

/** Records the words of a screen reader: the text of each element that is added to a live region or changed in it. */
function recordSpoken(root: HTMLElement): string[] {
  const spoken: string[] = [];
  const isLive = (node: Node): boolean => {
    const element = node instanceof Element ? node : node.parentElement;
    const region = element?.closest('[aria-live], [role="log"], [role="status"], [role="alert"], output');
    return region !== null && region !== undefined && region.getAttribute('aria-live') !== 'off';
  };
  new MutationObserver((records) => {
    for (const { addedNodes, target, type } of records) {
      const changed = type === 'characterData' ? [target] : [...addedNodes];
      for (const node of changed) if (isLive(target) && node.textContent) spoken.push(node.textContent);
    }
  }).observe(root, { subtree: true, childList: true, characterData: true });
  return spoken;
}

it('lets a screen reader speak each incoming message once, and neither own ones, ticks nor older pages', async () => {
  server.on(HISTORY, ({ query }) =>
    okAnswer(
      query['before']
        ? buildHistory(buildMessages(1, 50))
        : buildHistory(query['after'] ? [] : buildMessages(51, 60), { has_more: true }),
    ),
  );
  const { user, input, panel } = await openChat();
  await within(panel).findByText('Pesan 60');
  const spoken = recordSpoken(panel);
  server.on(SEND, ({ body }) =>
    okAnswer(buildOwnMessage(61, { ...(body as { content: string; client_id: string }), prev_id: '60' })),
  );
  await user.type(input, 'Pagi{Enter}');
  const bubble = within(messageLog()).getByText('Pagi');
  await within(messageLog()).findByText('Terkirim');
  expect(within(messageLog()).getByText('Pagi')).toBe(bubble);
  push('conversation:seen', { user_id: 'u1', by: 'admin', up_to: '61' });
  push('message:new', buildMessage({ number: 62, content: 'Pagi juga' }));
  Object.defineProperties(messageLog(), { scrollHeight: { value: 5000 }, clientHeight: { value: 500 } });
  for (const scrollTop of [4500, 100]) {
    messageLog().scrollTop = scrollTop;
    fireEvent.scroll(messageLog());
  }
  await within(messageLog()).findByText('Pesan 1');
  push('message:new', buildMessage({ number: 63, content: 'Ada yang bisa dibantu?' }));
  await within(messageLog()).findByText('Ada yang bisa dibantu?');
  await waitFor(() => expect(spoken).toHaveLength(2));
  expect(spoken).toEqual(['Ibu Ratna: Pagi juga', 'Ibu Ratna: Ada yang bisa dibantu?']);
});

it('sends no empty message, and nothing while a word is being composed', async () => {
  const { user, input, panel } = await openChat();
  await user.type(input, '   {Enter}');
  expect(within(panel).getByRole('button', { name: 'Kirim' })).toHaveProperty('disabled', true);
  await user.type(input, 'kata');
  input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, isComposing: true }));
  expect(server.callsOf(SEND)).toEqual([]);
});

it('counts the characters near the limit and refuses 2,001', async () => {
  const { user, input, panel } = await openChat();
  await user.click(input);
  await user.paste('a'.repeat(1900));
  expect(within(panel).getByText('1900 dari 2000 karakter')).toBeTruthy();
  await user.paste('😀'.repeat(101));
  expect(within(panel).getByText('Pesan maksimal 2000 karakter (2001)')).toBeTruthy();
  await user.keyboard('{Enter}');
  expect(server.callsOf(SEND)).toEqual([]);
});

it('keeps a refused message, with buttons to retry and to discard', async () => {
  server.on(SEND, failAnswer(422, 'Pesan maksimal 2000 karakter'));
  const { user, input } = await openChat();
  await user.type(input, 'Halo{Enter}');
  const alert = await within(messageLog()).findByRole('alert');
  expect(alert.textContent).toContain('Gagal mengirim pesan');
  server.on(SEND, ({ body }) =>
    okAnswer(buildOwnMessage(1, { ...(body as { content: string; client_id: string }), prev_id: null })),
  );
  server.on(HISTORY, () => {
    const sent = server.callsOf(SEND).at(-1)?.body as { content: string; client_id: string };
    return okAnswer(buildHistory([buildOwnMessage(1, { ...sent, prev_id: null })]));
  });
  await user.click(within(messageLog()).getByRole('button', { name: 'Coba lagi' }));
  expect(await within(messageLog()).findByText('Terkirim')).toBeTruthy();
  expect(within(messageLog()).queryByRole('alert')).toBeNull();
});

it('shows the words of a server error at once, until the message goes through', async () => {
  server.on(SEND, failAnswer(507, 'Penyimpanan server penuh. Hubungi administrator.'));
  const { user, input } = await openChat();
  await user.type(input, 'Halo{Enter}');
  const alert = await within(messageLog()).findByRole('alert');
  expect(alert.textContent).toBe('Gagal mengirim pesanPenyimpanan server penuh. Hubungi administrator.');
  expect(within(messageLog()).getByRole('button', { name: 'Buang' })).toBeTruthy();
  expect(within(messageLog()).getByRole('button', { name: 'Coba lagi' })).toBeTruthy();
  const readSent = () => server.callsOf(SEND).at(-1)?.body as { content: string; client_id: string };
  server.on(SEND, () => okAnswer(buildOwnMessage(1, { ...readSent(), prev_id: null })));
  server.on(HISTORY, () => okAnswer(buildHistory([buildOwnMessage(1, { ...readSent(), prev_id: null })])));
  // No button is pressed: it is tried again behind the words.
  expect(await within(messageLog()).findByText('Terkirim')).toBeTruthy();
  expect(within(messageLog()).queryByRole('alert')).toBeNull();
  expect(within(messageLog()).getAllByText('Halo')).toHaveLength(1);
});

it('keeps a message written offline with a clock and announces that it will be sent', async () => {
  const { user, input, panel } = await openChat();
  server.on(SEND, networkError);
  act(() => socket().drop());
  await user.type(input, 'Halo{Enter}');
  expect(within(messageLog()).getByText('Menunggu dikirim')).toBeTruthy();
  expect(await within(panel).findByText('Koneksi terputus. Pesan Anda dikirim begitu koneksi kembali.')).toBeTruthy();
});

it('shows when the history cannot be loaded, and loads it again on request', async () => {
  server.on(HISTORY, networkError);
  const { user, panel } = await openChat();
  expect(await within(panel).findByText('Gagal memuat percakapan')).toBeTruthy();
  server.on(HISTORY, okAnswer(buildHistory(buildMessages(1, 2))));
  await user.click(within(panel).getByRole('button', { name: 'Coba lagi' }));
  expect(await within(panel).findByText('Pesan 2')).toBeTruthy();
});

it('offers to try again within three seconds when the server does not answer at all', async () => {
  server.on(HISTORY, neverAnswer);
  const { panel } = await openChat();
  expect(within(panel).getByText('Memuat percakapan…')).toBeTruthy();
  expect(await within(panel).findByRole('button', { name: 'Coba lagi' })).toBeTruthy();
});

it('keeps messages while there is no admin', async () => {
  server.on('GET /api/auth/admin-contact', failAnswer(404, 'Admin belum tersedia'));
  const { user, input, panel } = await openChat();
  expect(await within(panel).findByText('Admin belum tersedia')).toBeTruthy();
  await user.type(input, 'Halo{Enter}');
  expect(within(messageLog()).getByText('Menunggu dikirim')).toBeTruthy();
});

it('shows the names of answering and typing admins, and a separator between days', async () => {
  const yesterday = new Date(Date.now() - 86_400_000).toISOString();
  const now = new Date().toISOString();
  server.on(
    HISTORY,
    okAnswer(
      buildHistory([buildMessage({ number: 1, createdAt: yesterday }), buildMessage({ number: 2, createdAt: now })]),
    ),
  );
  await openChat();
  expect(await within(messageLog()).findByText('Kemarin')).toBeTruthy();
  expect(within(messageLog()).getByText('Hari ini')).toBeTruthy();
  expect(within(messageLog()).getAllByText('Ibu Ratna')).toHaveLength(2);
  push('typing', { user_id: 'u1', sender_id: 'a1', name: 'Ibu Ratna', typing: true });
  expect(within(messageLog()).getByText('Ibu Ratna sedang mengetik…')).toBeTruthy();
});

it('makes links of URLs without a referrer, and of nothing else in a message', async () => {
  const content = 'Lihat https://pbb.contoh.id/panduan. <b>tebal</b> javascript:alert(1) atau tanya@contoh.id';
  server.on(HISTORY, okAnswer(buildHistory([buildMessage({ number: 1, prev_id: null, content })])));
  await openChat();
  const links = await within(messageLog()).findAllByRole('link');
  expect(links.map((link) => link.getAttribute('href'))).toEqual([
    'https://pbb.contoh.id/panduan',
    'mailto:tanya@contoh.id',
  ]);
  expect(links[0]?.getAttribute('rel')).toBe('noopener noreferrer nofollow');
  expect(messageLog().querySelector('b')).toBeNull();
  expect(messageLog().textContent).toContain('<b>tebal</b> javascript:alert(1)');
});

it('keeps the draft when the panel is closed and when the session ends', async () => {
  const { user, input, unmount } = await openChat();
  await user.type(input, 'Setengah jadi');
  server.on(HISTORY, failAnswer(401, 'Sesi Anda telah berakhir. Silakan login kembali.'));
  act(() => socket().drop());
  act(() => socket().connect());
  await waitFor(() => expect(currentSession()).toBeNull());
  unmount();
  server.on(HISTORY, okAnswer(buildHistory([])));
  const reopened = await openChat();
  expect((reopened.input as HTMLTextAreaElement).value).toBe('Setengah jadi');
});

describe('a draft in several tabs', () => {
  const DRAFT_KEY = 'pbb-draft:u1:u1';
  /** Acts as another tab that stores a draft, or sends it and so removes it. */
  function changeDraftInOtherTab(value: string | null): void {
    if (value === null) window.localStorage.removeItem(DRAFT_KEY);
    else window.localStorage.setItem(DRAFT_KEY, value);
    act(() => void window.dispatchEvent(new StorageEvent('storage', { key: DRAFT_KEY, newValue: value })));
  }

  it('follows the other tab while it is written, and leaves this tab when the other tab sends it', async () => {
    const { user, input } = await openChat();
    const field = input as HTMLTextAreaElement;
    changeDraftInOtherTab('Kapan jatuh tempo?');
    expect(field.value).toBe('Kapan jatuh tempo?');
    changeDraftInOtherTab(null);
    expect(field.value).toBe('');
    await user.type(input, '{Enter}');
    expect(server.callsOf(SEND)).toEqual([]);
  });

  it('leaves a tab that was frozen while the other tab sent it', async () => {
    const { user, input } = await openChat();
    await user.type(input, 'Kapan jatuh tempo?');
    window.localStorage.removeItem(DRAFT_KEY);
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    expect((input as HTMLTextAreaElement).value).toBe('');
  });

  it('keeps its own text when it differs from the draft that the other tab sent', async () => {
    const { user, input } = await openChat();
    await user.type(input, 'Halo');
    const storage = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    await user.type(input, ' Bu');
    storage.mockRestore();
    changeDraftInOtherTab(null);
    expect((input as HTMLTextAreaElement).value).toBe('Halo Bu');
  });
});

it('opens by an address with the cursor in its field, also after a login of the same account in between', async () => {
  const opened = () => screen.queryByRole('dialog', { name: 'Live Chat' });
  server.on(HISTORY, neverAnswer);
  signIn();
  const first = renderPage(<ChatWidget />, { at: '/?obrolan=1' });
  const field = await screen.findByPlaceholderText('Ketik pesan...');
  await waitFor(() => expect(document.activeElement).toBe(field));
  // The session turns out to have ended before anything was loaded; somebody else signs in first.
  first.unmount();
  signIn({ id: 'u2' });
  const other = renderPage(<ChatWidget />);
  expect(await screen.findByRole('button', { name: 'Buka Live Chat' })).toBeTruthy();
  expect(opened()).toBeNull();
  other.unmount();
  signIn();
  server.on(HISTORY, okAnswer(buildHistory([])));
  const { unmount } = renderPage(<ChatWidget />);
  await waitFor(() => expect(opened()).toBeTruthy());
  act(() => socket().connect());
  expect(await screen.findByText('Mulai percakapan dengan admin')).toBeTruthy();
  unmount();
  renderPage(<ChatWidget />);
  expect(opened()).toBeNull();
});
