import { useSyncExternalStore } from 'react';
import { bindToOtherTabs } from '#client/lib/session/other-tabs.ts';
import { readStored, removeStored, writeStored } from '#client/lib/storage/safe-storage.ts';

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  const unbind = bindToOtherTabs(listener, listener);
  return () => {
    listeners.delete(listener);
    unbind();
  };
}

/** Stores a text, or removes it. Everything that shows it follows, in all tabs. */
export function writeStoredText(key: string, text: string | null): void {
  if (text === null) removeStored(key);
  else writeStored(key, text);
  for (const listener of listeners) listener();
}

export function useStoredText(key: string): string | null {
  return useSyncExternalStore(subscribe, () => readStored(key));
}
