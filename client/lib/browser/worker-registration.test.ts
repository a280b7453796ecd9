import { afterEach, expect, it, vi } from 'vitest';
import { loadPage } from './worker-registration.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

it('begins to load a page anew when the service worker is replaced meanwhile, and only once (R-PWA-14)', () => {
  const serviceWorker = new EventTarget();
  vi.stubGlobal('navigator', { serviceWorker });
  const load = vi.fn();
  loadPage(load);
  expect(load).toHaveBeenCalledOnce();
  serviceWorker.dispatchEvent(new Event('controllerchange'));
  expect(load).toHaveBeenCalledTimes(2);
  serviceWorker.dispatchEvent(new Event('controllerchange'));
  expect(load).toHaveBeenCalledTimes(2);
});

it('loads a page where there is no service worker', () => {
  vi.stubGlobal('navigator', {});
  const load = vi.fn();
  loadPage(load);
  expect(load).toHaveBeenCalledOnce();
});
