import { getDefaultStore } from 'jotai';
import { type ChatStore, chatStateAtom } from '../state/chat-state.ts';
import type { OutboxEntry } from '../state/model/outbox-entry.ts';
import { listProgress } from '../state/selectors.ts';
import { createOutboxStorage } from './outbox-storage.ts';

/** Counts the unsent messages of an account in this browser. The count does not need the code of the chat. */
export function countUnsentMessages(accountId: string): number {
  const stored = createOutboxStorage(accountId).readAll();
  // Without local storage they are only here.
  const running = getDefaultStore().get(chatStateAtom).outbox;
  return new Set([...stored, ...running].map(({ client_id }) => client_id)).size;
}

/**
 * @param before the unsent messages before the attempt, which tell a new failure from an older one
 * @param giveUpMs how long nothing may move
 * @returns whether all was sent; false as soon as one attempt has failed, or when nothing moves any more
 */
export function waitUntilSent(store: ChatStore, before: readonly OutboxEntry[], giveUpMs: number): Promise<boolean> {
  const attemptsBefore = new Map(before.map(({ client_id, attempts }) => [client_id, attempts]));
  const hasJustFailed = ({ client_id, state, attempts, busyUntil }: OutboxEntry): boolean =>
    state === 'failed' || (busyUntil === 0 && attempts > (attemptsBefore.get(client_id) ?? attempts));
  return new Promise((resolve) => {
    const settle = (isSent: boolean): void => {
      clearTimeout(timer);
      unsubscribe();
      resolve(isSent);
    };
    const giveUpLater = () => setTimeout(() => settle(false), giveUpMs);
    let timer = giveUpLater();
    let progress = '';
    const check = (): void => {
      const state = store.get(chatStateAtom);
      if (state.outbox.length === 0) return settle(true);
      if (state.outbox.some(hasJustFailed)) return settle(false);
      // A photo may take longer than a call, as long as it moves.
      const nextProgress = JSON.stringify(listProgress(state));
      if (nextProgress === progress) return undefined;
      progress = nextProgress;
      clearTimeout(timer);
      timer = giveUpLater();
      return undefined;
    };
    const unsubscribe = store.sub(chatStateAtom, check);
    check();
  });
}
