import { act, screen } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { renderPage, signIn } from '#client/testing/render.tsx';
import { ChatMount } from './chat-mount.tsx';

const widgetModule = vi.hoisted(() => ({ reachable: true, loads: 0 }));
vi.mock('./chat-widget.tsx', () => ({
  get ChatWidget() {
    widgetModule.loads += 1;
    if (!widgetModule.reachable) throw new TypeError('Failed to fetch dynamically imported module');
    return () => <p>obrolan</p>;
  },
}));

const advanceTimers = (ms: number): Promise<unknown> => act(() => vi.advanceTimersByTimeAsync(ms));

beforeEach(() => {
  widgetModule.reachable = true;
  widgetModule.loads = 0;
  vi.useFakeTimers();
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  signIn();
});

it('loads the chat after the page', async () => {
  renderPage(<ChatMount />);
  expect(screen.queryByText('obrolan')).toBeNull();
  await advanceTimers(500);
  expect(screen.getByText('obrolan')).toBeTruthy();
});

it('shows that the chat could not be loaded, and loads it as soon as that works again', async () => {
  widgetModule.reachable = false;
  renderPage(<ChatMount />);
  await advanceTimers(500);
  const button = screen.getByRole('button', { name: 'Live Chat gagal dimuat. Coba lagi' });
  act(() => button.click());
  await advanceTimers(500);
  expect(screen.getByText('Periksa koneksi Anda, atau muat ulang halaman ini.')).toBeTruthy();
  await advanceTimers(11_000);
  expect(widgetModule.loads).toBeGreaterThanOrEqual(3);
  widgetModule.reachable = true;
  act(() => void window.dispatchEvent(new Event('online')));
  await advanceTimers(500);
  expect(screen.getByText('obrolan')).toBeTruthy();
});
