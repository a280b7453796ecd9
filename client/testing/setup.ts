import { notifications } from '@mantine/notifications';
import { cleanup, configure } from '@testing-library/react';
import { afterAll, afterEach, beforeEach, expect, type MockInstance, vi } from 'vitest';
import { collectListeners } from './collect-listeners.ts';

// The test files of a worker share one window and the packages; each file starts with its own copy of the modules.
vi.resetModules();
const releaseListeners = collectListeners();
const { reloadSession } = await import('#client/lib/session/session.ts');
const { screenWidth } = await import('./screen-width.ts');

// On a slow machine a page takes a second to render, so the default limit is too short.
configure({ asyncUtilTimeout: 30_000 });

// Browser functions that Mantine calls and jsdom does not have.
class NoResizeObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
}
window.ResizeObserver = NoResizeObserver;
window.HTMLElement.prototype.scrollIntoView = () => {};
window.scrollTo = () => {};
document.title = '';
window.Range.prototype.getClientRects = () => Object.assign([], { item: () => null });
window.URL.createObjectURL = () => 'blob:test';
window.URL.revokeObjectURL = () => {};
Object.defineProperty(document, 'fonts', {
  value: { addEventListener: () => {}, removeEventListener: () => {}, ready: Promise.resolve() },
  // Each test file of a worker runs this again on the same document.
  configurable: true,
});
// Mantine measures a growing textarea again for each character, but not one without a box. In jsdom nothing has a size, and
// each measurement makes it compute all styles of the page again.
Object.defineProperty(Object.getPrototypeOf(document.body.style), 'boxSizing', {
  get: () => '',
  set: () => {},
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

afterAll(releaseListeners);

let consoleErrors: MockInstance<typeof console.error>;
beforeEach(() => {
  // A toast may come a moment after its test has ended, and the store of toasts is shared by the files of a worker.
  notifications.clean();
  consoleErrors = vi.spyOn(console, 'error');
});

afterEach(() => {
  cleanup();
  notifications.clean();
  screenWidth.wide = false;
  vi.useRealTimers();
  vi.unstubAllGlobals();
  window.localStorage.clear();
  window.sessionStorage.clear();
  document.title = '';
  reloadSession();
  // React reports its warnings only here, and a test that causes one must fail.
  const errors = consoleErrors.mock.calls;
  vi.restoreAllMocks();
  expect(errors, 'unexpected console.error').toEqual([]);
});
