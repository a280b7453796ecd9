import { atom } from 'jotai';
import { v4 as newClientId } from 'uuid';
import { API_TIMEOUT_MS } from '#shared/limits.ts';
import type { ChatStore } from '../session/state.ts';
import type { OutboxEntry, OutboxStorage } from './outbox-storage.ts';
import { fateOf } from './send-fate.ts';

/** Unsent messages of all conversations, in the order in which they were written. */
export const outboxAtom = atom<readonly OutboxEntry[]>([]);

/** A call is given up after the API's timeout; a tab that is silent for longer has died in the middle of it. */
const BUSY_MS = API_TIMEOUT_MS + 2000;
/** How long two tabs that reach for the same message at once need to notice each other. */
const SETTLE_MS = 40;

export type OutboxDeps = {
  store: ChatStore;
  storage: OutboxStorage;
  tabId: string;
  /** Resolves once the server has it. `entry.attempts` above 0: it may have had it before. */
  deliver: (entry: OutboxEntry) => Promise<void>;
};

/**
 * Sends what this person wrote: once, in order per conversation, whatever the connection does meanwhile. That a message is stored
 * once is guaranteed by the server, which knows its client_id; the tabs' turns among themselves only save calls.
 */
export function createOutbox({ store, storage, tabId, deliver }: OutboxDeps) {
  const sending = new Set<string>();
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  let stopped = false;

  const publish = (): void => store.set(outboxAtom, storage.readAll());
  const waitingOf = (userId: string): OutboxEntry | undefined =>
    store.get(outboxAtom).find((entry) => entry.user_id === userId && entry.state === 'waiting');
  const conversations = (): Set<string> => new Set(store.get(outboxAtom).map(({ user_id }) => user_id));

  function write(entry: OutboxEntry): void {
    storage.write(entry);
    publish();
  }

  function tryLater(userId: string, afterMs: number): void {
    clearTimeout(timers.get(userId));
    timers.set(
      userId,
      setTimeout(() => void pump(userId), afterMs),
    );
  }

  /** Takes a message for this tab. @returns it, or after how many ms to look again, or null when it is gone. */
  async function claim(clientId: string): Promise<OutboxEntry | number | null> {
    const entry = storage.read(clientId);
    if (entry?.state !== 'waiting') return null;
    const now = Date.now();
    const others = entry.busyBy !== tabId;
    // Beyond BUSY_MS ahead only a clock that was set back can put it.
    const busyFor = entry.busyUntil - now;
    if (others && busyFor > 0 && busyFor <= BUSY_MS) return busyFor;
    write({ ...entry, attempts: entry.attempts + 1, busyBy: tabId, busyUntil: now + BUSY_MS });
    if (!others) return entry;
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS * (1 + Math.random())));
    return storage.read(clientId)?.busyBy === tabId ? entry : SETTLE_MS;
  }

  /** @returns whether the next message may follow at once */
  async function sendOne(entry: OutboxEntry): Promise<boolean> {
    try {
      await deliver(entry);
      storage.remove(entry.client_id);
      publish();
      return true;
    } catch (error) {
      const current = storage.read(entry.client_id);
      // A push or another tab has confirmed it meanwhile.
      if (!current) return true;
      const fate = fateOf(error, current.attempts);
      // Free for any tab, and first of all for this one again.
      const free: OutboxEntry = { ...current, busyUntil: 0 };
      if (fate.kind === 'refused') write({ ...free, state: 'failed', reason: fate.reason });
      else write(free);
      if (fate.kind === 'again') tryLater(entry.user_id, fate.afterMs);
      return fate.kind === 'refused';
    }
  }

  async function pump(userId: string): Promise<void> {
    if (sending.has(userId)) return;
    sending.add(userId);
    clearTimeout(timers.get(userId));
    try {
      for (;;) {
        const next = waitingOf(userId);
        if (!next || stopped) return;
        const claimed = await claim(next.client_id);
        if (claimed === null) publish();
        else if (typeof claimed === 'number') {
          tryLater(userId, claimed);
          return;
        } else if (stopped || !(await sendOne(claimed))) return;
      }
    } finally {
      sending.delete(userId);
    }
  }

  function pumpAll(): void {
    for (const userId of conversations()) void pump(userId);
  }

  /** A tab that goes away lets go of what it was sending, so that another need not wait for it. */
  function letGo(): void {
    for (const entry of storage.readAll()) {
      if (entry.busyBy === tabId) storage.write({ ...entry, busyBy: '', busyUntil: 0 });
    }
  }

  const unwatch = storage.onOtherTab(() => {
    publish();
    pumpAll();
  });
  window.addEventListener('pagehide', letGo);
  publish();

  return {
    /** Keeps a message and sets out to send it. */
    add(userId: string, content: string): void {
      const last = store.get(outboxAtom).at(-1)?.order ?? 0;
      write({
        client_id: newClientId(),
        user_id: userId,
        content,
        order: Math.max(Date.now(), last + 1),
        state: 'waiting',
        attempts: 0,
        reason: '',
        busyBy: tabId,
        busyUntil: Date.now() + BUSY_MS,
      });
      void pump(userId);
    },
    retry: (clientId: string): void => {
      const entry = storage.read(clientId);
      if (!entry) return;
      write({ ...entry, state: 'waiting', reason: '', busyBy: tabId, busyUntil: 0 });
      void pump(entry.user_id);
    },
    discard: (clientId: string): void => {
      storage.remove(clientId);
      publish();
    },
    /** The server has these, as a push or a page of the history shows. */
    confirm(clientIds: readonly string[]): void {
      const known = new Set(store.get(outboxAtom).map(({ client_id }) => client_id));
      const stored = clientIds.filter((clientId) => known.has(clientId));
      if (stored.length === 0) return;
      for (const clientId of stored) storage.remove(clientId);
      publish();
    },
    /** The connection is back: nobody waits for a timer any longer. */
    flush: pumpAll,
    stop(): void {
      stopped = true;
      letGo();
      unwatch();
      window.removeEventListener('pagehide', letGo);
      for (const timer of timers.values()) clearTimeout(timer);
      store.set(outboxAtom, []);
    },
  };
}
export type Outbox = ReturnType<typeof createOutbox>;
