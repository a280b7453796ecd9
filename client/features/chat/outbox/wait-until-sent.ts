import type { createStore } from 'jotai';
import { uploadProgressAtom } from './files/upload-progress.ts';
import type { OutboxEntry } from './outbox-storage.ts';
import { outboxAtom } from './unsent-messages.ts';

type Wait = {
  store: ReturnType<typeof createStore>;
  /** The unsent messages before the attempt, which tell a new failure from an older one. */
  before: readonly OutboxEntry[];
  /** How long nothing may move. */
  giveUpMs: number;
};

/** @returns whether all was sent; false as soon as one attempt has failed, or when nothing moves any more */
export function waitUntilSent({ store, before, giveUpMs }: Wait): Promise<boolean> {
  const attemptsBefore = new Map(before.map(({ client_id, attempts }) => [client_id, attempts]));
  const hasJustFailed = ({ client_id, state, attempts, busyUntil }: OutboxEntry): boolean =>
    state === 'failed' || (busyUntil === 0 && attempts > (attemptsBefore.get(client_id) ?? attempts));
  return new Promise((resolve) => {
    const settle = (isSent: boolean): void => {
      clearTimeout(timer);
      for (const unsubscribe of unsubscribers) unsubscribe();
      resolve(isSent);
    };
    const check = (): void => {
      const entries = store.get(outboxAtom);
      if (entries.length === 0) settle(true);
      else if (entries.some(hasJustFailed)) settle(false);
    };
    const giveUpLater = () => setTimeout(() => settle(false), giveUpMs);
    let timer = giveUpLater();
    const unsubscribers = [
      store.sub(outboxAtom, check),
      // A photo may take longer than a call, as long as it moves.
      store.sub(uploadProgressAtom, () => {
        clearTimeout(timer);
        timer = giveUpLater();
      }),
    ];
    check();
  });
}
