import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { buildMessage, buildMessages } from '../../testing/build-chat-data.ts';
import { buildUserSummary, renderInbox } from '../testing/render-inbox.tsx';

vi.mock('#client/realtime/socket.ts', async () => {
  const { currentConnection } = await import('../testing/current-connection.ts');
  return { openRealtimeConnection: () => currentConnection.current };
});

const userIds = ['u5', 'u4', 'u3', 'u2', 'u1'];
const rows = () => userIds.map((id) => buildUserSummary(id, Number(id.slice(1)) * 10));
const histories = () =>
  Object.fromEntries(
    userIds.map((id) => {
      const number = Number(id.slice(1)) * 10;
      const fields = { user_id: id, sender_id: id, from_admin: false, prev_id: null };
      return [id, buildMessages(number, number, fields)];
    }),
  );
const openInbox = (search: string, isWideScreen = true) =>
  renderInbox({ rows: rows(), histories: histories(), initialPath: `/admin/chat${search}`, isWideScreen });

// By attribute: in a page of four columns a search by role takes jsdom seconds.
const find = (selector: string): HTMLElement => {
  const found = document.querySelector<HTMLElement>(selector);
  if (!found) throw new Error(`nothing matches ${selector}`);
  return found;
};
const paneOf = (name: string) => find(`[data-column="${name.replace('Warga ', '')}"]`);
const rowOf = async (name: string) => waitFor(() => find(`[data-user-id="${name.replace('Warga ', '')}"]`));
const loaded = async (id: string) => within(await waitFor(() => paneOf(id))).findByText(`Pesan ${id.slice(1)}0`);
const fieldOf = (name: string) => within(paneOf(name)).getByPlaceholderText<HTMLTextAreaElement>('Tulis pesan...');
const openPanes = () =>
  [...document.querySelectorAll<HTMLElement>('[data-column]')].map(({ dataset }) => dataset['column']);
const focusedPane = () => document.querySelector('[data-column][data-focused]')?.getAttribute('data-column') ?? 'none';

it('opens rows beside each other with Ctrl+Enter, up to four, and keeps them in the address', async () => {
  const { user, router } = await openInbox('?user=u5');
  await loaded('u5');
  // One conversation is as ever: no bar, and the way back.
  expect(screen.queryByRole('button', { name: /^Hanya tampilkan/ })).toBeNull();
  expect(screen.getByRole('button', { name: 'Kembali (Back)' })).toBeTruthy();
  for (const id of ['u4', 'u3', 'u2']) {
    const row = await rowOf(`Warga ${id}`);
    act(() => row.focus());
    await user.keyboard('{Control>}{Enter}{/Control}');
    await waitFor(() => expect(document.activeElement).toBe(fieldOf(`Warga ${id}`)));
  }
  expect(router.state.location.search).toBe('?user=u5&beside=u4,u3,u2');
  expect(openPanes()).toEqual(['u5', 'u4', 'u3', 'u2']);
  expect(screen.queryByRole('button', { name: 'Kembali (Back)' })).toBeNull();
  const row = await rowOf('Warga u1');
  act(() => row.focus());
  await user.keyboard('{Control>}{Enter}{/Control}');
  expect(await screen.findByText('Paling banyak 4 percakapan berdampingan. Tutup salah satu dulu.')).toBeTruthy();
  expect(openPanes()).toHaveLength(4);
  await act(() => router.navigate(-1));
  expect(openPanes()).toEqual(['u5', 'u4', 'u3']);
});

it('moves between columns with Ctrl+1…4 and Alt+1…4, each with its own draft', async () => {
  const { user } = await openInbox('?user=u5&beside=u4,u3');
  await loaded('u3');
  await user.keyboard('{Control>}[Digit2]{/Control}');
  expect(document.activeElement).toBe(fieldOf('Warga u4'));
  await user.keyboard('untuk empat');
  await user.keyboard('{Alt>}[Digit1]{/Alt}');
  expect(document.activeElement).toBe(fieldOf('Warga u5'));
  await user.keyboard('untuk lima');
  expect([fieldOf('Warga u5').value, fieldOf('Warga u4').value]).toEqual(['untuk lima', 'untuk empat']);
  // There is no fourth one: the key is the browser's.
  await user.keyboard('{Control>}[Digit4]{/Control}');
  expect(focusedPane()).toBe('u5');
  // A press in a column leads the keys there.
  await user.click(within(paneOf('Warga u3')).getByRole('log'));
  expect(focusedPane()).toBe('u3');
  expect(document.activeElement).not.toBe(fieldOf('Warga u4'));
});

it('opens a row in the focused column, or focuses the column in which it is open', async () => {
  const { user, router } = await openInbox('?user=u5&beside=u4,u3');
  await loaded('u3');
  await user.keyboard('{Alt>}[Digit2]{/Alt}');
  await user.click(await rowOf('Warga u1'));
  expect(router.state.location.search).toBe('?user=u5&beside=u1,u3');
  await user.click(await rowOf('Warga u3'));
  expect(router.state.location.search).toBe('?user=u5&beside=u1,u3');
  expect(focusedPane()).toBe('u3');
  // Along the list the arrow keys pass by what is open in another column: above u3 stand u4 and u5.
  await user.keyboard('{ArrowUp}');
  expect(router.state.location.search).toBe('?user=u5&beside=u1,u4');
  await user.keyboard('{ArrowUp}');
  expect(router.state.location.search).toBe('?user=u5&beside=u1,u4');
  // Below it stands u1 as well, but that is open.
  await user.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}');
  expect(router.state.location.search).toBe('?user=u5&beside=u1,u2');
});

it('closes a column with its button and with Escape, and can make one the only one', async () => {
  const { user, router } = await openInbox('?user=u5&beside=u4,u3,u2');
  await loaded('u2');
  await user.click(screen.getByRole('button', { name: 'Tutup percakapan dengan Warga u4' }));
  await waitFor(() => expect(openPanes()).toEqual(['u5', 'u3', 'u2']));
  await waitFor(() => expect(document.activeElement).toBe(fieldOf('Warga u3')));
  await user.keyboard('{Escape}');
  await waitFor(() => expect(openPanes()).toEqual(['u5', 'u2']));
  await waitFor(() => expect(document.activeElement).toBe(fieldOf('Warga u2')));
  await user.click(screen.getByRole('button', { name: 'Hanya tampilkan percakapan dengan Warga u5' }));
  await waitFor(() => expect(router.state.location.search).toBe('?user=u5'));
  expect(screen.getByRole('button', { name: 'Kembali (Back)' })).toBeTruthy();
  await act(() => router.navigate(-1));
  expect(openPanes()).toEqual(['u5', 'u2']);
  await user.keyboard('{Alt>}[Digit2]{/Alt}{Alt>}[Digit0]{/Alt}');
  await waitFor(() => expect(router.state.location.search).toBe('?user=u2'));
});

it('marks only the column that has the focus as seen, and reports all of them as viewed', async () => {
  const { user, server, socket, push } = await openInbox('?user=u5&beside=u4');
  await loaded('u4');
  await waitFor(() => expect(server.callsOf('POST /api/messages/conversation/u5/seen')).toHaveLength(1));
  await waitFor(() => expect(socket.emitted).toContainEqual(['viewing', { user_id: 'u5', user_ids: ['u5', 'u4'] }]));
  const fields = { user_id: 'u4', sender_id: 'u4', sender_name: 'Warga u4', from_admin: false };
  push('message:new', buildMessage({ number: 60, prev_id: '40', content: 'Ada orang?', ...fields }));
  push('unread', { user_id: 'u4', unread_count: 1, total_unread: 1 });
  expect(within(paneOf('Warga u4')).getByText('Ada orang?')).toBeTruthy();
  expect(within(paneOf('Warga u4')).getByText('1 pesan belum dibaca')).toBeTruthy();
  push('typing', { user_id: 'u4', sender_id: 'u4', name: 'Warga u4', typing: true });
  expect(within(paneOf('Warga u4')).getByText('Warga u4 sedang mengetik…')).toBeTruthy();
  expect(within(paneOf('Warga u5')).queryByText(/sedang mengetik/)).toBeNull();
  expect(server.callsOf('POST /api/messages/conversation/u4/seen')).toHaveLength(0);
  await user.keyboard('{Control>}[Digit2]{/Control}');
  await waitFor(() =>
    expect(server.callsOf('POST /api/messages/conversation/u4/seen')[0]?.body).toEqual({ up_to: '60' }),
  );
});

it('shows several conversations as tabs where there is no space for columns', async () => {
  const { user, router } = await openInbox('?user=u5&beside=u4,u3', false);
  await loaded('u5');
  const tabs = () => screen.getAllByRole('tab').map((tab) => tab.textContent);
  expect(tabs()).toEqual(['Warga u5', 'Warga u4', 'Warga u3']);
  expect(screen.getByRole('tab', { name: 'Warga u5' }).getAttribute('aria-selected')).toBe('true');
  expect(screen.getByRole('tabpanel', { name: 'Warga u5' })).toBeTruthy();
  expect(openPanes()).toEqual(['u5']);
  act(() => screen.getByRole('tab', { name: 'Warga u5' }).focus());
  await user.keyboard('{ArrowRight}');
  expect(document.activeElement).toBe(screen.getByRole('tab', { name: 'Warga u4' }));
  await loaded('u4');
  await user.click(screen.getByRole('tab', { name: 'Warga u3' }));
  expect(openPanes()).toEqual(['u3']);
  await user.keyboard('{Delete}');
  await waitFor(() => expect(router.state.location.search).toBe('?user=u5&beside=u4'));
  expect(document.activeElement).toBe(screen.getByRole('tab', { name: 'Warga u4' }));
  await user.click(screen.getByRole('button', { name: 'Kembali (Back)' }));
  await waitFor(() => expect(router.state.location.search).toBe('?user=u5'));
  expect(screen.queryByRole('tab')).toBeNull();
});

it('marks a tab in which something new is unread', async () => {
  const { push } = await openInbox('?user=u5&beside=u4', false);
  await loaded('u5');
  push('unread', { user_id: 'u4', unread_count: 2, total_unread: 2 });
  expect(screen.getByRole('tab', { name: /^Warga u4/ }).textContent).toContain('2 pesan belum dibaca');
});

it('keeps the focus in the same column after a reload', async () => {
  const first = await openInbox('?user=u5&beside=u4,u3');
  await loaded('u3');
  await first.user.keyboard('{Alt>}[Digit3]{/Alt}');
  first.unmount();
  await openInbox('?user=u5&beside=u4,u3');
  await waitFor(() => expect(openPanes()).toEqual(['u5', 'u4', 'u3']));
  expect(focusedPane()).toBe('u3');
});

it('hides the list for the space of the columns, and shows it for the search', async () => {
  const { user } = await openInbox('?user=u5&beside=u4');
  await loaded('u5');
  await user.click(screen.getByRole('button', { name: 'Sembunyikan daftar percakapan' }));
  expect(screen.queryByRole('region', { name: 'Daftar percakapan' })).toBeNull();
  await user.click(within(paneOf('Warga u4')).getByRole('log'));
  await user.keyboard('/');
  expect(document.activeElement).toBe(screen.getByRole('searchbox', { name: 'Cari nama atau email' }));
  await user.click(screen.getByRole('button', { name: 'Sembunyikan daftar percakapan' }));
  await user.click(screen.getByRole('button', { name: 'Tutup percakapan dengan Warga u4' }));
  await waitFor(() => expect(screen.getByRole('region', { name: 'Daftar percakapan' })).toBeTruthy());
});

it('opens the conversation of a notification in the focused column, and leaves the others', async () => {
  const shown: EventTarget[] = [];
  vi.stubGlobal('isSecureContext', true);
  vi.stubGlobal(
    'Notification',
    class extends EventTarget {
      static permission = 'granted';
      constructor() {
        super();
        shown.push(this);
      }
      close(): void {}
    },
  );
  vi.spyOn(window, 'focus').mockImplementation(() => {});
  window.localStorage.setItem('admin_settings', '{"desktopNotifications":true}');
  const { push, router } = await openInbox('?user=u5&beside=u4');
  await loaded('u4');
  const fields = { user_id: 'u1', sender_id: 'u1', sender_name: 'Warga u1', from_admin: false };
  push('message:new', buildMessage({ number: 70, prev_id: '10', content: 'Halo', ...fields }));
  await waitFor(() => expect(shown).toHaveLength(1));
  act(() => void shown[0]?.dispatchEvent(new Event('click')));
  await waitFor(() => expect(router.state.location.search).toBe('?user=u1&beside=u4'));
  expect(focusedPane()).toBe('u1');
});
