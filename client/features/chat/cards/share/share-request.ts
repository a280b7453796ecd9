import { atom, getDefaultStore, useAtomValue } from 'jotai';

/** The user whose records are offered; null while the choice is closed. */
const requestAtom = atom<string | null>(null);

/** Opens the choice of a record for the next message of a conversation, wherever its `ShareRecordHost` stands. */
export function requestShareRecord(userId: string): void {
  getDefaultStore().set(requestAtom, userId);
}

export function endShareRequest(userId: string): void {
  const store = getDefaultStore();
  if (store.get(requestAtom) === userId) store.set(requestAtom, null);
}

export const useShareRequest = (userId: string): boolean => useAtomValue(requestAtom) === userId;
