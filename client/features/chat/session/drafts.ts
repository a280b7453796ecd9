import { bindToOtherTabs } from '#client/lib/other-tabs.ts';
import { listStoredKeys, readStored, removeStored, writeStored } from '#client/lib/safe-storage.ts';

/** Unsent drafts: one per user and conversation, kept over reloads and over the end of a session. */
const keyPrefixOf = (currentUserId: string): string => `pbb-draft:${currentUserId}:`;
const storageKeyOf = (currentUserId: string, userId: string): string => keyPrefixOf(currentUserId) + userId;

export function hasDrafts(currentUserId: string): boolean {
  const prefix = keyPrefixOf(currentUserId);
  return listStoredKeys().some((key) => key.startsWith(prefix) && readStored(key)?.trim());
}

export function readDraft(currentUserId: string, userId: string): string {
  return readStored(storageKeyOf(currentUserId, userId)) ?? '';
}

/** @returns whether other tabs see it */
export function writeDraft(currentUserId: string, userId: string, text: string): boolean {
  if (text !== '') return writeStored(storageKeyOf(currentUserId, userId), text);
  removeStored(storageKeyOf(currentUserId, userId));
  return true;
}

/** Calls back when another tab may have changed the draft, for example by sending it. @returns the undo */
export function onDraftChange(currentUserId: string, userId: string, listener: () => void): () => void {
  const key = storageKeyOf(currentUserId, userId);
  const onStorage = (event: StorageEvent): void => {
    if (event.key === null || event.key === key) listener();
  };
  return bindToOtherTabs(onStorage, listener);
}
