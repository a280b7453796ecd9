import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { InstallWay } from './display/install-way.ts';
import { findInstallWay } from './display/install-way.ts';

const HINT = 'Pasang PBB Kita di HP ini?';
const VISIT_GAP_MS = 30 * 60_000;
const SAFARI = 'AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1';
const IPHONE = `Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) ${SAFARI}`;
const ANDROID = 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko)';

let media: Record<string, boolean>;

beforeEach(() => {
  localStorage.clear();
  media = { '(pointer: coarse)': true };
  const matchMedia = window.matchMedia;
  vi.spyOn(window, 'matchMedia').mockImplementation((query) => {
    const list = matchMedia(query);
    return query in media ? Object.assign(list, { matches: media[query] ?? false }) : list;
  });
  vi.stubGlobal('isSecureContext', true);
});

/** A page that was just loaded: the modules know only what the browser remembers. */
async function loadPage() {
  vi.resetModules();
  const [{ renderPage, signIn }, { InstallHint }, { InstallMount }, { InstallCard }, record, session] =
    await Promise.all([
      import('#client/testing/render.tsx'),
      import('./hint/install-hint.tsx'),
      import('./hint/install-mount.tsx'),
      import('./display/install-card.tsx'),
      import('#client/lib/browser/install-record.ts'),
      import('#client/lib/session/session.ts'),
    ]);
  return { renderPage, signIn, InstallHint, InstallMount, InstallCard, ...record, ...session };
}

/** The browser allows to install the app, and the person answers so. */
function offer(outcome: 'accepted' | 'dismissed' = 'accepted') {
  const prompt = vi.fn(async () => {});
  const event = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), {
    prompt,
    userChoice: Promise.resolve({ outcome }),
  });
  act(() => void window.dispatchEvent(event));
  return { prompt, event };
}

const pretendToBe = (userAgent: string) => vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(userAgent);
const rememberVisits = (visits: number, more: object = {}): void =>
  localStorage.setItem('pbb-install', JSON.stringify({ visits, lastStartMs: Date.now() - VISIT_GAP_MS, ...more }));
const remembered = (): unknown => JSON.parse(localStorage.getItem('pbb-install') ?? '{}');
const button = (name: string) => screen.getByRole('button', { name });

async function showHint({ path = '/dashboard' } = {}) {
  const page = await loadPage();
  page.signIn();
  const view = page.renderPage(
    <>
      <h1 tabIndex={-1}>Beranda</h1>
      <page.InstallHint />
    </>,
    { path },
  );
  return { ...page, ...view };
}

describe('the hint', () => {
  it('comes at the second visit, and a reload is none', async () => {
    const first = await showHint();
    expect(offer().event.defaultPrevented).toBe(true);
    expect(screen.queryByText(HINT)).toBeNull();
    expect(remembered()).toMatchObject({ visits: 1 });
    first.unmount();
    (await showHint()).unmount();
    expect(remembered()).toMatchObject({ visits: 1 });
    rememberVisits(1);
    await showHint();
    expect(screen.queryByText(HINT)).toBeNull();
    offer();
    expect(screen.getByText(HINT)).toBeTruthy();
  });

  it('comes after the first message, but only on the dashboard', async () => {
    const page = await showHint();
    offer();
    act(() => page.changeInstallRecord({ hasWritten: true }));
    expect(screen.getByText(HINT)).toBeTruthy();
    page.unmount();
    await showHint({ path: '/tax-records/create' });
    offer();
    expect(screen.queryByText(HINT)).toBeNull();
  });

  it('never appears again after it is declined, not even after a logout', async () => {
    rememberVisits(4);
    const page = await showHint();
    offer();
    await page.user.click(button('Tidak usah'));
    expect(screen.queryByText(HINT)).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }));
    expect(await screen.findByText('Lain kali, pasang dari halaman Akun Saya.')).toBeTruthy();
    page.finishLogout(page.beginLogout());
    page.unmount();
    await showHint();
    offer();
    expect(screen.queryByText(HINT)).toBeNull();
    expect(remembered()).toMatchObject({ isDismissed: true });
  });

  it('asks the browser once, and takes a refusal there for an answer', async () => {
    rememberVisits(4);
    const page = await showHint();
    const { prompt } = offer('dismissed');
    await page.user.click(button('Pasang'));
    expect(prompt).toHaveBeenCalledOnce();
    await waitFor(() => expect(remembered()).toMatchObject({ isDismissed: true }));
    offer();
    expect(screen.queryByText(HINT)).toBeNull();
  });

  it('says when the app is installed', async () => {
    rememberVisits(4);
    const page = await showHint();
    offer();
    await page.user.click(button('Pasang'));
    act(() => void window.dispatchEvent(new Event('appinstalled')));
    expect(await screen.findByText('PBB Kita terpasang. Buka dari layar utama.')).toBeTruthy();
    expect(screen.queryByText(HINT)).toBeNull();
    expect(remembered()).toMatchObject({ isInstalled: true, visits: 5 });
  });

  it('shows the steps on an iPhone, which never asks', async () => {
    pretendToBe(IPHONE);
    rememberVisits(4);
    const page = await showHint();
    await page.user.click(button('Lihat caranya'));
    const dialog = await screen.findByRole('dialog', { name: 'Pasang PBB Kita di layar utama' });
    expect(within(dialog).getAllByRole('listitem')[1]?.textContent).toContain('“Tambah ke Layar Utama”');
    await page.user.click(within(dialog).getByRole('button', { name: 'Tutup' }));
    await waitFor(() => expect(screen.queryByText(HINT)).toBeNull());
    expect(remembered()).toMatchObject({ isDismissed: true });
  });

  it.each([
    ['a phone', {}, true, true],
    ['a computer', { '(pointer: coarse)': false }, true, false],
    ['the installed app', { '(display-mode: standalone)': true }, true, false],
    ['plain http', {}, false, false],
  ])('on %s: its code is loaded where it may come', async (_where, changes, isSecure, comes) => {
    rememberVisits(4);
    Object.assign(media, changes);
    vi.stubGlobal('isSecureContext', isSecure);
    const page = await loadPage();
    page.signIn();
    vi.useFakeTimers();
    page.renderPage(<page.InstallMount />, { path: '/dashboard' });
    await act(() => vi.advanceTimersByTimeAsync(5000));
    vi.useRealTimers();
    offer();
    if (comes) expect(await screen.findByText(HINT)).toBeTruthy();
    else expect(screen.queryByText(HINT)).toBeNull();
  });
});

describe('the card of the account page and the settings', () => {
  async function showCard(onPlainHttp: 'nothing' | 'reason' = 'nothing') {
    const page = await loadPage();
    return page.renderPage(<page.InstallCard onPlainHttp={onPlainHttp} />);
  }

  it('shows the steps, offers the button when the browser allows it, and then says that it is installed', async () => {
    pretendToBe(`${ANDROID} Chrome/140.0 Mobile Safari/537.36`);
    const { user } = await showCard();
    expect(screen.getByRole('list', { name: 'Cara memasang' }).textContent).toContain('Tambahkan ke layar utama');
    const { prompt } = offer();
    expect(screen.queryByRole('list')).toBeNull();
    await user.click(button('Pasang PBB Kita'));
    expect(prompt).toHaveBeenCalledOnce();
    // A phone needs some seconds for it.
    expect(await screen.findByText(/sedang dipasang/)).toBeTruthy();
    act(() => void window.dispatchEvent(new Event('appinstalled')));
    expect(screen.getByText(/sudah terpasang di perangkat ini/)).toBeTruthy();
    // It was removed from the device.
    offer();
    expect(button('Pasang PBB Kita')).toBeTruthy();
    expect(remembered()).toMatchObject({ isInstalled: false });
  });

  it('keeps the event that came before it, and survives a browser that refuses to ask', async () => {
    const { event, prompt } = offer();
    prompt.mockRejectedValue(new DOMException('The prompt() method must be called with a user gesture'));
    vi.stubGlobal('pbbInstallPrompt', event);
    const { user } = await showCard();
    await user.click(button('Pasang PBB Kita'));
    expect(await screen.findByText(/Peramban ini tidak dapat memasang aplikasi/)).toBeTruthy();
  });

  it('says in the installed app that it is used', async () => {
    media['(display-mode: standalone)'] = true;
    await showCard();
    expect(screen.getByText('PBB Kita sudah terpasang; Anda sedang memakainya.')).toBeTruthy();
  });

  it('shows users nothing on plain http, and admins the reason', async () => {
    vi.stubGlobal('isSecureContext', false);
    const { container, unmount } = await showCard();
    expect(container.querySelector('section')).toBeNull();
    unmount();
    await showCard('reason');
    expect(screen.getByText(/hanya dapat dipasang lewat alamat https/)).toBeTruthy();
    expect(screen.queryByRole('button')).toBeNull();
  });
});

const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';
const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)';
it.each<[InstallWay, string, number]>([
  ['ios', IPHONE, 5],
  ['ios', `${MAC} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15`, 5],
  ['ios', IPHONE.replace('Version/18.1', 'CriOS/140.0'), 5],
  ['ios-elsewhere', `${IPHONE} Instagram 350.0`, 5],
  ['mac-safari', `${MAC} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15`, 0],
  ['android-chrome', `${ANDROID} Chrome/140.0 Mobile Safari/537.36`, 5],
  ['android-elsewhere', `${ANDROID.replace('K)', 'SM-A15; wv)')} Version/4.0 Chrome/140.0 Mobile Safari/537.36`, 5],
  ['android-samsung', `${ANDROID} SamsungBrowser/28.0 Chrome/130.0 Mobile Safari/537.36`, 5],
  ['android-firefox', 'Mozilla/5.0 (Android 14; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0', 5],
  ['chrome', `${WINDOWS} AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36`, 0],
  ['edge', `${WINDOWS} AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36 Edg/140.0`, 0],
  ['none', `${WINDOWS.replace(')', '; rv:140.0)')} Gecko/20100101 Firefox/140.0`, 0],
])('finds the way %s for %s', (way, userAgent, maxTouchPoints) => {
  expect(findInstallWay({ userAgent, maxTouchPoints })).toBe(way);
});
