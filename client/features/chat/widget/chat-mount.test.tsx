import { act, screen } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { renderPage, signIn } from '#client/testing/render.tsx';
import { ChatMount } from './chat-mount.tsx';

const code = vi.hoisted(() => ({ reachable: true, loads: 0 }));
vi.mock('./chat-widget.tsx', () => ({
  get ChatWidget() {
    code.loads += 1;
    if (!code.reachable) throw new TypeError('Failed to fetch dynamically imported module');
    return () => <p>obrolan</p>;
  },
}));

const pass = (ms: number): Promise<unknown> => act(() => vi.advanceTimersByTimeAsync(ms));

beforeEach(() => {
  code.reachable = true;
  code.loads = 0;
  vi.useFakeTimers();
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  signIn();
});

it('loads the chat beside the page', async () => {
  renderPage(<ChatMount />);
  expect(screen.queryByText('obrolan')).toBeNull();
  await pass(500);
  expect(screen.getByText('obrolan')).toBeTruthy();
});

it('says that the chat could not be loaded, and loads it as soon as that works again', async () => {
  code.reachable = false;
  renderPage(<ChatMount />);
  await pass(500);
  const button = screen.getByRole('button', { name: 'Live Chat gagal dimuat. Coba lagi' });
  act(() => button.click());
  await pass(500);
  expect(screen.getByText('Periksa koneksi Anda, atau muat ulang halaman ini.')).toBeTruthy();
  await pass(11_000);
  expect(code.loads).toBeGreaterThanOrEqual(3);
  code.reachable = true;
  act(() => void window.dispatchEvent(new Event('online')));
  await pass(500);
  expect(screen.getByText('obrolan')).toBeTruthy();
});
