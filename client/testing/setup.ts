import { notifications } from '@mantine/notifications';
import { cleanup, configure } from '@testing-library/react';
import { afterEach, beforeEach, expect, vi } from 'vitest';

// The test files of a worker share one window and the packages; each file starts with its own copy of the modules.
vi.resetModules();
const { reloadSession } = await import('#client/lib/session.ts');
const { screenWidth } = await import('./screen-width.ts');

// On a slow machine a page takes a second to render, so the default limit is too short.
configure({ asyncUtilTimeout: 10_000 });

// Browser functions that Mantine calls and jsdom does not have.
class NoResizeObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
}
window.ResizeObserver = NoResizeObserver;
window.HTMLElement.prototype.scrollIntoView = () => {};
window.scrollTo = () => {};
window.Range.prototype.getClientRects = () => Object.assign([], { item: () => null });
window.URL.createObjectURL = () => 'blob:test';
window.URL.revokeObjectURL = () => {};
Object.defineProperty(document, 'fonts', {
  value: { addEventListener: () => {}, removeEventListener: () => {}, ready: Promise.resolve() },
  // Each test file of a worker runs this again on the same document.
  configurable: true,
});
window.matchMedia = (query) => ({
  matches: screenWidth.wide && query.includes('min-width'),
  media: query,
  onchange: null,
  addEventListener: () => {},
  removeEventListener: () => {},
  addListener: () => {},
  removeListener: () => {},
  dispatchEvent: () => false,
});

const consoleErrors = vi.spyOn(console, 'error');

beforeEach(() => {
  consoleErrors.mockClear();
});

afterEach(() => {
  cleanup();
  notifications.clean();
  screenWidth.wide = false;
  vi.useRealTimers();
  vi.unstubAllGlobals();
  window.localStorage.clear();
  window.sessionStorage.clear();
  reloadSession();
  // React reports its warnings only here, and a test that causes one must fail.
  expect(consoleErrors.mock.calls, 'unexpected console.error').toEqual([]);
});
