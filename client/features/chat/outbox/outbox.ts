import type { createStore } from 'jotai';
import { v4 as newClientId } from 'uuid';
import { API_TIMEOUT_MS } from '#shared/limits.ts';
import { ApiError } from '#client/lib/api-error.ts';
import type { OutboxEntry, OutboxStorage } from './outbox-storage.ts';
import { decideRetry } from './retry-policy.ts';
import { outboxAtom } from './unsent-messages.ts';

/** How long a claim keeps other tabs off. A call ends after the API's timeout, so a tab that takes longer has died. */
const CLAIM_LEASE_MS = API_TIMEOUT_MS + 2000;
/** After this time a tab sees the claim that another tab wrote at the same moment. */
const CLAIM_CONFLICT_WINDOW_MS = 40;

/** A message that this tab may send now. With `wasSentBefore` the server may have stored it at an earlier attempt. */
export type ClaimedEntry = { entry: OutboxEntry; wasSentBefore: boolean };

/** What belongs to a message beside its text. */
export type SendExtras = Pick<OutboxEntry, 'quote' | 'seen_id'>;
const noExtras: SendExtras = { quote: null, seen_id: null };

/** The quoted message was deleted meanwhile. */
const isQuoteRefused = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 422 && error.errors?.['reply_to'] !== undefined;

export type OutboxDeps = {
  store: ReturnType<typeof createStore>;
  storage: OutboxStorage;
  tabId: string;
  /** Resolves once the server has stored it. */
  sendMessage: (claimed: ClaimedEntry) => Promise<void>;
};

/**
 * Sends the messages of this user, in order per conversation. The server stores each one once, because it knows its
 * `client_id`; claims among the tabs only save calls.
 */
export function createOutbox({ store, storage, tabId, sendMessage }: OutboxDeps) {
  const sendingUserIds = new Set<string>();
  const retryTimers = new Map<string, ReturnType<typeof setTimeout>>();
  let stopped = false;

  const refreshAtom = (): void => store.set(outboxAtom, storage.readAll());
  /** Nothing passes a message that waits for a decision. */
  function findNextWaiting(userId: string): OutboxEntry | undefined {
    const next = store
      .get(outboxAtom)
      .find((entry) => entry.user_id === userId && (entry.state === 'waiting' || entry.isHeld));
    return next?.isHeld ? undefined : next;
  }
  const listUserIds = (): Set<string> => new Set(store.get(outboxAtom).map(({ user_id }) => user_id));

  function write(entry: OutboxEntry): void {
    storage.write(entry);
    refreshAtom();
  }

  function cancelRetry(userId: string): void {
    clearTimeout(retryTimers.get(userId));
    retryTimers.delete(userId);
  }

  function scheduleRetry(userId: string, afterMs: number): void {
    cancelRetry(userId);
    retryTimers.set(
      userId,
      setTimeout(() => void sendWaiting(userId), afterMs),
    );
  }

  /** Claims a message for this tab. @returns the message, or after how many ms to try again, or null when it is gone */
  async function claim(clientId: string): Promise<ClaimedEntry | number | null> {
    const entry = storage.read(clientId);
    if (entry?.state !== 'waiting') return null;
    const now = Date.now();
    const wasOwnClaim = entry.busyBy === tabId;
    // A clock that was set back is the only reason for a lease longer than CLAIM_LEASE_MS.
    const leaseLeftMs = entry.busyUntil - now;
    if (!wasOwnClaim && leaseLeftMs > 0 && leaseLeftMs <= CLAIM_LEASE_MS) return leaseLeftMs;
    const claimed: ClaimedEntry = {
      entry: { ...entry, attempts: entry.attempts + 1, busyBy: tabId, busyUntil: now + CLAIM_LEASE_MS },
      wasSentBefore: entry.attempts > 0,
    };
    write(claimed.entry);
    if (wasOwnClaim) return claimed;
    // The message was released, or the other tab's lease has expired, so several tabs may claim it at once. Local storage has
    // no lock: the last write wins, and a second read shows which tab wrote it.
    await new Promise((resolve) => setTimeout(resolve, CLAIM_CONFLICT_WINDOW_MS * (1 + Math.random())));
    return storage.read(clientId)?.busyBy === tabId ? claimed : CLAIM_CONFLICT_WINDOW_MS;
  }

  /** @returns whether the next message may follow at once */
  async function sendOne(claimed: ClaimedEntry): Promise<boolean> {
    const { entry } = claimed;
    try {
      await sendMessage(claimed);
      storage.remove(entry.client_id);
      refreshAtom();
      return true;
    } catch (error) {
      const current = storage.read(entry.client_id);
      // A server event or another tab has confirmed it meanwhile.
      if (!current) return true;
      const decision = decideRetry(error, current.attempts, current.seen_id !== null);
      write({
        ...current,
        // The next try is without it; the text stays.
        quote: isQuoteRefused(error) ? null : current.quote,
        isHeld: decision.kind === 'held',
        state: decision.kind === 'refused' || decision.kind === 'held' ? 'failed' : 'waiting',
        serverError: decision.kind === 'serverError',
        reason: 'reason' in decision ? decision.reason : '',
        // Any tab may claim it now; this one tries again first.
        busyUntil: 0,
      });
      if ('afterMs' in decision) scheduleRetry(entry.user_id, decision.afterMs);
      return decision.kind === 'refused';
    }
  }

  async function sendWaiting(userId: string): Promise<void> {
    if (sendingUserIds.has(userId)) return;
    sendingUserIds.add(userId);
    cancelRetry(userId);
    try {
      for (;;) {
        const next = findNextWaiting(userId);
        if (!next || stopped) return;
        const claimed = await claim(next.client_id);
        if (claimed === null) refreshAtom();
        else if (typeof claimed === 'number') {
          scheduleRetry(userId, claimed);
          return;
        } else if (stopped || !(await sendOne(claimed))) return;
      }
    } finally {
      sendingUserIds.delete(userId);
    }
  }

  function sendAllWaiting(): void {
    for (const userId of listUserIds()) void sendWaiting(userId);
  }

  /** A tab that closes releases its claims, so that another tab need not wait for them. */
  function releaseClaims(): void {
    for (const entry of storage.readAll()) {
      if (entry.busyBy === tabId) storage.write({ ...entry, busyBy: '', busyUntil: 0 });
    }
  }

  const unbindStorage = storage.onOtherTab(() => {
    refreshAtom();
    sendAllWaiting();
  });
  window.addEventListener('pagehide', releaseClaims);
  refreshAtom();

  const outbox = {
    /** Stores a message and starts to send it. */
    add(userId: string, content: string, { quote, seen_id }: SendExtras = noExtras): void {
      const last = store.get(outboxAtom).at(-1)?.order ?? 0;
      write({
        client_id: newClientId(),
        user_id: userId,
        content,
        order: Math.max(Date.now(), last + 1),
        quote,
        seen_id,
        isHeld: false,
        state: 'waiting',
        attempts: 0,
        serverError: false,
        reason: '',
        busyBy: tabId,
        busyUntil: Date.now() + CLAIM_LEASE_MS,
      });
      void sendWaiting(userId);
    },
    retry: (clientId: string): void => {
      const entry = storage.read(clientId);
      if (!entry || entry.isHeld) return;
      const shown: OutboxEntry = { ...entry, state: 'waiting', serverError: false, reason: '' };
      // A message that waits may be on its way right now, under the claim of this tab or another.
      write(entry.state === 'waiting' ? shown : { ...shown, busyBy: tabId, busyUntil: 0 });
      void sendWaiting(entry.user_id);
    },
    /** Sends a held message after all, under the same `client_id`. @param seenId up to which message it was read now */
    sendHeld(clientId: string, seenId: string | null): void {
      const entry = storage.read(clientId);
      if (!entry?.isHeld) return;
      write({ ...entry, state: 'waiting', isHeld: false, seen_id: seenId, reason: '', busyBy: tabId, busyUntil: 0 });
      void sendWaiting(entry.user_id);
    },
    /**
     * Tries everything at once, also what was refused; what is held stays.
     * @returns whether all was sent within the time of a call; false as soon as one attempt has failed
     */
    sendAll(): Promise<boolean> {
      const attemptsBefore = new Map<string, number>();
      for (const { client_id, attempts, state } of storage.readAll()) {
        attemptsBefore.set(client_id, attempts);
        if (state === 'failed') outbox.retry(client_id);
      }
      return new Promise((resolve) => {
        const settle = (isSent: boolean): void => {
          clearTimeout(timer);
          unsubscribe();
          resolve(isSent);
        };
        const check = (): void => {
          const entries = store.get(outboxAtom);
          if (entries.length === 0) settle(true);
          else if (entries.some(hasJustFailed)) settle(false);
        };
        const hasJustFailed = ({ client_id, state, attempts, busyUntil }: OutboxEntry): boolean =>
          state === 'failed' || (busyUntil === 0 && attempts > (attemptsBefore.get(client_id) ?? attempts));
        const timer = setTimeout(() => settle(false), CLAIM_LEASE_MS);
        const unsubscribe = store.sub(outboxAtom, check);
        sendAllWaiting();
        check();
      });
    },
    discard: (clientId: string): void => {
      const userId = storage.read(clientId)?.user_id;
      storage.remove(clientId);
      refreshAtom();
      if (userId !== undefined) void sendWaiting(userId);
    },
    /** The server has these, as an event or a page of the history shows. */
    confirm(clientIds: readonly string[]): void {
      const known = new Set(store.get(outboxAtom).map(({ client_id }) => client_id));
      const stored = clientIds.filter((clientId) => known.has(clientId));
      if (stored.length === 0) return;
      for (const clientId of stored) storage.remove(clientId);
      refreshAtom();
    },
    /** The connection is back: sends at once instead of waiting for a retry timer. */
    flush: sendAllWaiting,
    /** The server has answered: sends what no retry timer waits for. A delay that the server asked for stays. */
    resume(): void {
      for (const userId of listUserIds()) if (!retryTimers.has(userId)) void sendWaiting(userId);
    },
    stop(): void {
      stopped = true;
      releaseClaims();
      unbindStorage();
      window.removeEventListener('pagehide', releaseClaims);
      for (const timer of retryTimers.values()) clearTimeout(timer);
      store.set(outboxAtom, []);
    },
  };
  return outbox;
}
export type Outbox = ReturnType<typeof createOutbox>;
