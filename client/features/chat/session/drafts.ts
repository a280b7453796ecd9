import { readStored, removeStored, writeStored } from '#client/lib/safe-storage.ts';

/** Half-written messages: one per person and conversation, kept over reloads and over the end of a session. */
const keyOf = (selfId: string, userId: string): string => `pbb-draft:${selfId}:${userId}`;

export function readDraft(selfId: string, userId: string): string {
  return readStored(keyOf(selfId, userId)) ?? '';
}

export function writeDraft(selfId: string, userId: string, text: string): void {
  if (text === '') removeStored(keyOf(selfId, userId));
  else writeStored(keyOf(selfId, userId), text);
}
