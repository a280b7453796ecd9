import { act, fireEvent, screen } from '@testing-library/react';
import { createElement } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Side } from '#shared/events.ts';
import { renderPage } from '#client/testing/render.tsx';
import { buildAttachment, buildMessage, buildSummary } from '../testing/build-chat-data.ts';
import { createPageNotifications } from './desktop/desktop-notification.ts';
import { createNotifier, type Notifier } from './notifier.ts';
import { openNotificationElection } from './notification-election.ts';
import { createTitleMarker } from './title-marker.ts';

/** Messages reach the other tabs of the browser a little later, as over a real channel. */
const DELAY_MS = 5;
const channels = new Set<FakeChannel>();
class FakeChannel extends EventTarget {
  readonly name: string;
  constructor(name: string) {
    super();
    this.name = name;
    channels.add(this);
  }
  postMessage(data: unknown): void {
    for (const other of channels) {
      if (other === this || other.name !== this.name) continue;
      setTimeout(() => other.dispatchEvent(new MessageEvent('message', { data })), DELAY_MS);
    }
  }
  close(): void {
    channels.delete(this);
  }
}

const notifiers: Notifier[] = [];
const shown: { title: string; body: string }[] = [];
const closed: string[] = [];
let visible: DocumentVisibilityState = 'hidden';

function openTab(
  tabId: string,
  {
    side,
    sound,
    titled: withTitleMarker,
    onOpen = () => {},
  }: { side?: Side; sound?: boolean; titled?: boolean; onOpen?: (userId: string) => void } = {},
) {
  const playBeep = vi.fn(async () => true);
  const notifier = createNotifier({
    currentUser: { side: side ?? 'admin', id: 'a1' },
    election: openNotificationElection('a1', tabId),
    // All tabs of the test share one document; only one of them may write its title.
    titleMarker: withTitleMarker ? createTitleMarker() : { markUnseen: () => {}, removeSeen: () => {}, stop: () => {} },
    playBeep,
    isSoundReady: () => sound ?? true,
    desktop: createPageNotifications(onOpen),
    onOpen,
  });
  notifiers.push(notifier);
  return { notifier, playBeep };
}
const messageFromUser = (number: number, content = `Pesan ${number}`) =>
  buildMessage({ number, user_id: 'u1', sender_id: 'u1', sender_name: 'Siti', from_admin: false, content });
const advanceTimers = (ms = 1000): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);
const storePreferences = (settings: object): void =>
  window.localStorage.setItem('admin_settings', JSON.stringify(settings));

const storeChoices = (choices: object): void =>
  window.localStorage.setItem('pbb-chat-choices:a1', JSON.stringify(choices));

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('BroadcastChannel', FakeChannel);
  vi.stubGlobal('isSecureContext', true);
  vi.stubGlobal(
    'Notification',
    class extends EventTarget {
      static permission = 'granted';
      readonly #body: string;
      constructor(title: string, { body }: { body: string }) {
        super();
        this.#body = body;
        shown.push({ title, body });
      }
      close(): void {
        closed.push(this.#body);
      }
    },
  );
  visible = 'hidden';
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visible);
  vi.spyOn(document, 'hasFocus').mockImplementation(() => visible === 'visible');
  document.title = 'Chat · PBB Kita';
});
afterEach(() => {
  for (const notifier of notifiers.splice(0)) notifier.stop();
  shown.length = 0;
  closed.length = 0;
});

it('notifies of a message once, however many tabs are open and however often it arrives', async () => {
  storePreferences({ desktopNotifications: true });
  const tabs = ['b', 'a', 'c'].map((tab) => openTab(tab));
  for (const { notifier } of tabs) notifier.incoming(messageFromUser(1));
  await advanceTimers();
  for (const { notifier } of tabs) notifier.incoming(messageFromUser(1));
  const late = openTab('d');
  late.notifier.incoming(messageFromUser(1));
  await advanceTimers();
  expect(shown).toEqual([{ title: 'Pesan baru dari Siti', body: 'Pesan 1' }]);
  expect(tabs.flatMap(({ playBeep }) => playBeep.mock.calls)).toHaveLength(1);
  expect(late.playBeep).not.toHaveBeenCalled();
});

it('lets a tab notify that can play sound', async () => {
  const mutedTab = openTab('a', { sound: false });
  const audibleTab = openTab('b');
  mutedTab.notifier.incoming(messageFromUser(1));
  audibleTab.notifier.incoming(messageFromUser(1));
  await advanceTimers();
  expect([mutedTab.playBeep.mock.calls.length, audibleTab.playBeep.mock.calls.length]).toEqual([0, 1]);
});

it('notifies of several messages that arrive together with one tone and the preview of the last one', async () => {
  storePreferences({ desktopNotifications: true });
  const { notifier, playBeep } = openTab('a');
  for (const number of [1, 2, 3]) notifier.incoming(messageFromUser(number));
  await advanceTimers();
  notifier.incoming(messageFromUser(4, 'x'.repeat(80)));
  await advanceTimers();
  expect(shown.map(({ body }) => body)).toEqual(['Pesan 3', `${'x'.repeat(50)}…`]);
  expect(playBeep).toHaveBeenCalledTimes(2);
});

it('says what came beside words, and that a notice is no message', async () => {
  storePreferences({ desktopNotifications: true });
  const { notifier } = openTab('a');
  notifier.incoming({ ...messageFromUser(1, 'Ini\nFoto: struk.jpg'), attachments: [buildAttachment()] });
  await advanceTimers();
  notifier.incoming({ ...messageFromUser(2, 'Foto disimpan sebagai bukti PBB 2026'), kind: 'notice' });
  await advanceTimers();
  expect(shown).toEqual([
    { title: 'Pesan baru dari Siti', body: 'Foto · Ini' },
    { title: 'Pemberitahuan dari Siti', body: 'Foto disimpan sebagai bukti PBB 2026' },
  ]);
});

it('shows no beginning of a message to a person who wants none', async () => {
  storePreferences({ desktopNotifications: true });
  storeChoices({ preview: false });
  openTab('a').notifier.incoming(messageFromUser(1));
  await advanceTimers();
  expect(shown).toEqual([{ title: 'Pesan baru dari Siti', body: 'Buka aplikasi untuk membacanya' }]);
});

it.each([
  ['in the quiet hours of a user', 'user', '22:59', { quiet_hours: { from: '22:00', to: '05:30' } }, 0, 0],
  ['after midnight', 'user', '05:29', { quiet_hours: { from: '22:00', to: '05:30' } }, 0, 0],
  ['when they have ended', 'user', '05:30', { quiet_hours: { from: '22:00', to: '05:30' } }, 1, 1],
  [
    'in the quiet hours of an admin, whose pages have choices of their own',
    'admin',
    '13:00',
    { quiet_hours: { from: '12:30', to: '14:00' } },
    1,
    1,
  ],
  ['for a user who wants none', 'user', '13:00', { enabled: false }, 0, 1],
] as const)('shows and rings %s', async (_case, side, time, choices, notifications, beeps) => {
  vi.setSystemTime(`2026-03-02T${time}:00+07:00`);
  storePreferences({ desktopNotifications: true });
  storeChoices(choices);
  const { notifier, playBeep } = openTab('a', { side });
  notifier.incoming(messageFromUser(1));
  await advanceTimers();
  expect([shown.length, playBeep.mock.calls.length]).toEqual([notifications, beeps]);
});

it('does not notify of a conversation that is being read, here or in another tab', async () => {
  const reader = openTab('a');
  const other = openTab('b');
  reader.notifier.setReading('u1');
  for (const { notifier } of [reader, other]) notifier.incoming(messageFromUser(1));
  await advanceTimers();
  reader.notifier.setReading(null);
  for (const { notifier } of [reader, other]) notifier.incoming(messageFromUser(2));
  await advanceTimers();
  expect([reader, other].flatMap(({ playBeep }) => playBeep.mock.calls)).toHaveLength(1);
});

it.each([
  [{}, 1, 0],
  [{ chatSound: false }, 0, 0],
  [{ chatSound: false, desktopNotifications: true }, 0, 1],
  [{ notifications: false, desktopNotifications: true, chatSound: true }, 0, 0],
])('follows the settings %j of an admin', async (settings, beeps, desktop) => {
  storePreferences(settings);
  const { notifier, playBeep } = openTab('a');
  notifier.incoming(messageFromUser(1));
  await advanceTimers();
  expect(playBeep).toHaveBeenCalledTimes(beeps);
  expect(shown).toHaveLength(desktop);
});

it('ignores the admin settings for a user', async () => {
  storePreferences({ notifications: false });
  const { notifier, playBeep } = openTab('a', { side: 'user' });
  notifier.incoming(buildMessage({ number: 1 }));
  await advanceTimers();
  expect(playBeep).toHaveBeenCalledTimes(1);
  // For users only the browser’s permission counts.
  expect(shown).toHaveLength(1);
});

it.each([
  ['denied', true],
  ['default', true],
  ['granted', false],
])('shows no desktop notification when the permission is %s, in a secure context: %s', async (permission, secure) => {
  storePreferences({ desktopNotifications: true });
  vi.stubGlobal('isSecureContext', secure);
  Object.assign(Notification, { permission });
  const { notifier, playBeep } = openTab('a');
  notifier.incoming(messageFromUser(1));
  await advanceTimers();
  expect(shown).toEqual([]);
  expect(playBeep).toHaveBeenCalledTimes(1);
});

describe('a toast in a visible page', () => {
  const toastTexts = () => screen.queryAllByRole('status').map((toast) => toast.textContent);
  const settle = (ms = 500) => act(() => vi.advanceTimersByTimeAsync(ms));

  beforeEach(() => {
    visible = 'visible';
    renderPage(createElement('p'));
  });

  it('opens the conversation of its message', async () => {
    const onOpen = vi.fn();
    const { notifier } = openTab('a', { onOpen });
    notifier.incoming(messageFromUser(1));
    await settle();
    expect(toastTexts()).toEqual(['Siti: Pesan 1Buka']);
    fireEvent.click(screen.getByRole('button', { name: 'Buka percakapan dengan Siti' }));
    expect(onOpen).toHaveBeenCalledExactlyOnceWith('u1');
    await settle();
    expect(toastTexts()).toEqual([]);
  });

  it('stands for one conversation and counts its messages, until it is gone', async () => {
    const { notifier } = openTab('a');
    notifier.incoming(messageFromUser(1));
    await settle();
    for (const number of [2, 3]) notifier.incoming(messageFromUser(number));
    notifier.incoming(
      buildMessage({
        number: 4,
        user_id: 'u2',
        sender_id: 'u2',
        sender_name: 'Budi',
        from_admin: false,
        content: 'Hai',
      }),
    );
    await settle(2800);
    // Each new message restarts the three seconds.
    expect(toastTexts()).toEqual(['Siti (3 pesan baru): Pesan 3Buka', 'Budi: HaiBuka']);
    await settle(4000);
    expect(toastTexts()).toEqual([]);
    notifier.incoming(messageFromUser(5));
    await settle();
    expect(toastTexts()).toEqual(['Siti: Pesan 5Buka']);
  });

  it('stays while the keyboard focus is in it, and goes when the conversation was read elsewhere', async () => {
    const { notifier } = openTab('a');
    notifier.incoming(messageFromUser(1));
    await settle();
    act(() => screen.getByRole('button', { name: 'Buka percakapan dengan Siti' }).focus());
    await settle(10_000);
    expect(toastTexts()).toEqual(['Siti: Pesan 1Buka']);
    act(() => notifier.seen('u1', 1));
    await settle();
    expect(toastTexts()).toEqual([]);
  });

  it('does not appear while the inbox itself is on the screen', async () => {
    const { notifier } = openTab('a');
    notifier.setListOnScreen(true);
    notifier.incoming(messageFromUser(2));
    await settle();
    expect(toastTexts()).toEqual([]);
  });
});

it('closes its desktop notifications when it stops, because the user may have signed out', async () => {
  storePreferences({ desktopNotifications: true });
  const { notifier } = openTab('a');
  notifier.incoming(messageFromUser(1));
  await advanceTimers();
  expect(closed).toEqual([]);
  notifier.stop();
  expect(closed).toEqual(['Pesan 1']);
});

it('shows nothing of a message for which tabs still stand for election when the user signs out', async () => {
  visible = 'visible';
  renderPage(createElement('p'));
  const { notifier, playBeep } = openTab('a');
  notifier.incoming(messageFromUser(1));
  await act(() => advanceTimers(10));
  notifier.stop();
  await act(() => advanceTimers());
  expect(screen.queryByRole('status')).toBeNull();
  expect(shown).toEqual([]);
  expect(playBeep).not.toHaveBeenCalled();
});

it('notifies of new rows of a polled list, but not of messages by admins', async () => {
  const { notifier, playBeep } = openTab('a');
  notifier.newer([buildSummary('u1', buildMessage({ number: 1 })), buildSummary('u2', messageFromUser(2))]);
  await advanceTimers();
  expect(playBeep).toHaveBeenCalledTimes(1);
});

it('marks the tab’s title until the tab has the focus or the message was read elsewhere', async () => {
  const { notifier } = openTab('a', { titled: true });
  notifier.incoming(messageFromUser(1));
  notifier.incoming(messageFromUser(2));
  expect(document.title).toBe('(2) Chat · PBB Kita');
  document.title = 'Laporan · PBB Kita';
  await advanceTimers();
  expect(document.title).toBe('(2) Laporan · PBB Kita');
  notifier.seen('u1', 1);
  expect(document.title).toBe('(1) Laporan · PBB Kita');
  window.dispatchEvent(new Event('focus'));
  expect(document.title).toBe('Laporan · PBB Kita');
  notifier.incoming(messageFromUser(3));
  expect(document.title).toBe('(1) Laporan · PBB Kita');
  visible = 'visible';
  document.dispatchEvent(new Event('visibilitychange'));
  expect(document.title).toBe('Laporan · PBB Kita');
  notifier.incoming(messageFromUser(4));
  expect(document.title).toBe('Laporan · PBB Kita');
});

it('draws the number of unseen messages onto the tab’s icon, and takes it away with the one in the title', async () => {
  document.head.insertAdjacentHTML('beforeend', '<link rel="icon" href="http://pbb.lokal/favicon.svg">');
  const link = document.head.querySelector<HTMLLinkElement>('link[rel="icon"]');
  const drawn = () => /<text[^>]*>([^<]*)</.exec(decodeURIComponent(link?.href ?? ''))?.[1];
  const { notifier } = openTab('a', { titled: true });
  expect(link?.href).toBe('http://pbb.lokal/favicon.svg');
  for (let number = 1; number <= 9; number += 1) notifier.incoming(messageFromUser(number));
  expect([drawn(), document.title]).toEqual(['9', '(9) Chat · PBB Kita']);
  notifier.incoming(messageFromUser(10));
  expect([drawn(), document.title]).toEqual(['9+', '(10) Chat · PBB Kita']);
  notifier.seen('u1', 9);
  expect(drawn()).toBe('1');
  window.dispatchEvent(new Event('focus'));
  expect(link?.href).toBe('http://pbb.lokal/favicon.svg');
  notifier.incoming(messageFromUser(11));
  expect(drawn()).toBe('1');
  // After a sign-out nobody has unseen messages here.
  notifier.stop();
  expect(link?.href).toBe('http://pbb.lokal/favicon.svg');
  link?.remove();
});

it('lets only one tab notify without BroadcastChannel, too', async () => {
  vi.stubGlobal('BroadcastChannel', undefined);
  const tabs = [openTab('a'), openTab('b')];
  tabs[0]?.notifier.incoming(messageFromUser(1));
  await advanceTimers();
  tabs[1]?.notifier.incoming(messageFromUser(1));
  await advanceTimers();
  expect(tabs.flatMap(({ playBeep }) => playBeep.mock.calls)).toHaveLength(1);
});
