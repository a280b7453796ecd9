import { readStored, removeStored, writeStored } from '#client/lib/safe-storage.ts';
import { accountIdOf, currentSession } from '#client/lib/session.ts';

/** Notifications of pages follow the choice that holds for pushes (R-PUSH-63), as far as this browser has heard of it. */
const storageKeyOf = (accountId: string): string => `pbb-chat-preview:${accountId}`;

/** What the server has: whether notifications show the beginning of a message. */
export function rememberPreviewChoice(showsPreview: boolean): void {
  const user = currentSession()?.user;
  if (!user) return;
  const key = storageKeyOf(accountIdOf(user));
  if (showsPreview) removeStored(key);
  else writeStored(key, 'off');
}

export const hidesPreview = (accountId: string): boolean => readStored(storageKeyOf(accountId)) !== null;
