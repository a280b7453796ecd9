import { bindToOtherTabs } from '#client/lib/session/other-tabs.ts';
import { DRAFT_FILES_PREFIX, DRAFT_RECORD_PREFIX } from '../files/outbox-file.ts';
import { listStoredKeys, readStored, removeStored, writeStored } from '#client/lib/storage/safe-storage.ts';

/** An answer and a note about the same conversation are two drafts, and none ever becomes the other. */
export type DraftMode = 'answer' | 'note';

/** Unsent drafts: one per user, conversation and mode, kept over reloads and over the end of a session. */
const keyPrefixOf = (currentUserId: string): string => `pbb-draft:${currentUserId}:`;
const storageKeyOf = (currentUserId: string, userId: string, mode: DraftMode): string =>
  keyPrefixOf(currentUserId) + userId + (mode === 'note' ? ':note' : '');

/** Called when this page changed a draft elsewhere than in its field. */
const changeListeners = new Map<string, Set<() => void>>();

export function hasDrafts(currentUserId: string): boolean {
  const attached = [DRAFT_FILES_PREFIX, DRAFT_RECORD_PREFIX].map((prefix) => `${prefix}${currentUserId}:`);
  const prefixes = [keyPrefixOf(currentUserId), ...attached];
  return listStoredKeys().some((key) => prefixes.some((prefix) => key.startsWith(prefix)) && readStored(key)?.trim());
}

export function readDraft(currentUserId: string, userId: string, mode: DraftMode = 'answer'): string {
  return readStored(storageKeyOf(currentUserId, userId, mode)) ?? '';
}

/** @returns whether other tabs see it */
export function writeDraft(currentUserId: string, userId: string, text: string, mode: DraftMode = 'answer'): boolean {
  const key = storageKeyOf(currentUserId, userId, mode);
  if (text !== '') return writeStored(key, text);
  removeStored(key);
  return true;
}

/** Changes a draft from outside its field, which shows the result at once. */
export function changeDraft(
  currentUserId: string,
  userId: string,
  mode: DraftMode,
  change: (text: string) => string,
): void {
  writeDraft(currentUserId, userId, change(readDraft(currentUserId, userId, mode)), mode);
  for (const listener of changeListeners.get(storageKeyOf(currentUserId, userId, mode)) ?? []) listener();
}

/**
 * Calls back when a draft was changed elsewhere than in its field of this page.
 * @param onOtherTab another tab may have changed it, for example by sending it
 * @param onChanged this page has changed it
 * @returns the undo
 */
export function onDraftChange(
  currentUserId: string,
  userId: string,
  mode: DraftMode,
  { onOtherTab, onChanged }: { onOtherTab: () => void; onChanged: () => void },
): () => void {
  const key = storageKeyOf(currentUserId, userId, mode);
  const onStorage = (event: StorageEvent): void => {
    if (event.key === null || event.key === key) onOtherTab();
  };
  const listeners = changeListeners.get(key) ?? new Set();
  changeListeners.set(key, listeners.add(onChanged));
  const unbind = bindToOtherTabs(onStorage, onOtherTab);
  return () => {
    listeners.delete(onChanged);
    unbind();
  };
}
