import { readStored, removeStored, writeStored } from '#client/lib/safe-storage.ts';

/** Unsent drafts: one per user and conversation, kept over reloads and over the end of a session. */
const storageKeyOf = (currentUserId: string, userId: string): string => `pbb-draft:${currentUserId}:${userId}`;

export function readDraft(currentUserId: string, userId: string): string {
  return readStored(storageKeyOf(currentUserId, userId)) ?? '';
}

export function writeDraft(currentUserId: string, userId: string, text: string): void {
  if (text === '') removeStored(storageKeyOf(currentUserId, userId));
  else writeStored(storageKeyOf(currentUserId, userId), text);
}
