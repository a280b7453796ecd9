import { atom, getDefaultStore } from 'jotai';
import { createOutboxStorage, type OutboxEntry } from './outbox-storage.ts';

/** Unsent messages of all conversations, in the order in which they were written. */
export const outboxAtom = atom<readonly OutboxEntry[]>([]);

/** How many messages of an account this browser has not sent yet, also while the code of the chat is not loaded. */
export function countUnsentMessages(accountId: string): number {
  const stored = createOutboxStorage(accountId).readAll();
  // Without local storage they are only here.
  const running = getDefaultStore().get(outboxAtom);
  return new Set([...stored, ...running].map(({ client_id }) => client_id)).size;
}
