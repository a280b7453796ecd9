import { afterEach, expect, it, vi } from 'vitest';
import { readStored, removeStored, writeStored } from './safe-storage.ts';

const KEY = 'pbb-draft:u1:u1';

/** From now on the storage takes no value, but still has the stored ones. */
function fillStorage(): void {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
}

afterEach(() => {
  vi.restoreAllMocks();
  removeStored(KEY);
});

it('reads the newest value when the storage is full, not the older stored one', () => {
  writeStored(KEY, 'Selamat pagi');
  fillStorage();
  writeStored(KEY, 'Selamat pagi, Bu');
  expect(readStored(KEY)).toBe('Selamat pagi, Bu');
  vi.restoreAllMocks();
  writeStored(KEY, 'Selamat pagi, Bu Ratna');
  expect(readStored(KEY)).toBe('Selamat pagi, Bu Ratna');
  expect(window.localStorage.getItem(KEY)).toBe('Selamat pagi, Bu Ratna');
});

it('removes a value that could not be stored together with the stored one', () => {
  writeStored(KEY, 'lama');
  fillStorage();
  writeStored(KEY, 'baru');
  removeStored(KEY);
  expect(readStored(KEY)).toBeNull();
});

it('follows another tab that stored a newer value, and one that cleared the storage', () => {
  fillStorage();
  writeStored(KEY, 'di tab ini');
  vi.restoreAllMocks();
  window.localStorage.setItem(KEY, 'di tab lain');
  window.dispatchEvent(new StorageEvent('storage', { key: KEY, newValue: 'di tab lain' }));
  expect(readStored(KEY)).toBe('di tab lain');
  fillStorage();
  writeStored(KEY, 'di tab ini lagi');
  window.localStorage.clear();
  window.dispatchEvent(new StorageEvent('storage', { key: null }));
  expect(readStored(KEY)).toBeNull();
});

it('keeps values as long as the page where there is no storage at all', () => {
  vi.spyOn(window, 'localStorage', 'get').mockImplementation(() => {
    throw new DOMException('blocked', 'SecurityError');
  });
  writeStored(KEY, 'Halo');
  expect(readStored(KEY)).toBe('Halo');
  removeStored(KEY);
  expect(readStored(KEY)).toBeNull();
});
