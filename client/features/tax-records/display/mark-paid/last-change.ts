import { atom, getDefaultStore } from 'jotai';

/** What the last change of status did, in words, and its undo. */
type LastChange = { text: string; undo: () => void };

const store = getDefaultStore();

/** The last change that can still be undone: set by `useMarkPaid`, shown above the admins' list of records (R-REC-21). */
export const lastChangeAtom = atom<LastChange | null>(null);

export function setLastChange(change: LastChange | null): void {
  store.set(lastChangeAtom, change);
}
