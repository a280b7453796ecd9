/**
 * Local storage that never throws. In private windows, with storage switched off or full,
 * values last as long as the page.
 */

/** Values that could not be stored. Each is newer than the stored value of the same key. */
const memory = new Map<string, string>();

// Another tab has stored a newer value, or removed all of them.
window.addEventListener('storage', ({ key }) => {
  if (key === null) memory.clear();
  else memory.delete(key);
});

export function readStored(key: string): string | null {
  const inMemory = memory.get(key);
  if (inMemory !== undefined) return inMemory;
  try {
    return window.localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** @returns whether it was stored, so that other tabs see it and a reload keeps it */
export function writeStored(key: string, value: string): boolean {
  try {
    window.localStorage.setItem(key, value);
    memory.delete(key);
    return true;
  } catch {
    memory.set(key, value);
    return false;
  }
}

export function removeStored(key: string): void {
  memory.delete(key);
  try {
    window.localStorage.removeItem(key);
  } catch {
    // Without access to the storage, nothing was stored in it.
  }
}

/** The keys of all values, also of those that could not be stored. */
export function listStoredKeys(): string[] {
  try {
    return [...new Set([...Object.keys(window.localStorage), ...memory.keys()])];
  } catch {
    return [...memory.keys()];
  }
}
