import type { createStore } from 'jotai';
import { v4 as newClientId } from 'uuid';
import { API_TIMEOUT_MS } from '#shared/limits.ts';
import { contentsOf, readCaption, writeContent } from '#shared/message-contents.ts';
import { ApiError } from '#client/lib/api-error.ts';
import { createEntryUploads, type UploadFile } from './entry-uploads.ts';
import { dropLocalFiles, isInMemory, releaseSentFiles, rememberUploads, sweepLocalFiles } from './files/local-files.ts';
import type { OutboxFile } from './files/outbox-file.ts';
import { uploadProgressAtom } from './files/upload-progress.ts';
import { listUsedFileIds, type OutboxEntry, type OutboxStorage } from './outbox-storage.ts';
import { decideRetry, RefusedFileError } from './retry-policy.ts';
import { outboxAtom } from './unsent-messages.ts';
import { waitUntilSent } from './wait-until-sent.ts';

/** How long a claim keeps other tabs off. A call ends after the API's timeout, so a tab that takes longer has died. */
const CLAIM_LEASE_MS = API_TIMEOUT_MS + 2000;
/** After this time a tab sees the claim that another tab wrote at the same moment. */
const CLAIM_CONFLICT_WINDOW_MS = 40;

/** A message that this tab may send now. With `wasSentBefore` the server may have stored it at an earlier attempt. */
export type ClaimedEntry = { entry: OutboxEntry; wasSentBefore: boolean };

/** What belongs to a message beside its text. */
export type SendExtras = Pick<OutboxEntry, 'quote' | 'seen_id'> & Partial<Pick<OutboxEntry, 'files' | 'record'>>;
const noExtras: SendExtras = { quote: null, seen_id: null };

/** What was typed, without the words for what is attached. */
export const typedTextOf = ({ content, files, record }: OutboxEntry): string =>
  // An object and no function, so `await` takes no notice of it.
  // oxlint-disable-next-line unicorn/no-thenable
  readCaption(content, contentsOf({ attachments: files, record: record && { then: record } }));

/** How many messages of a conversation are being tried or wait for the connection; those behind a held one are not. */
export function countOnTheWay(entries: readonly OutboxEntry[]): number {
  const heldOrder = Math.min(...entries.filter(({ isHeld }) => isHeld).map(({ order }) => order));
  return entries.filter(({ state, order }) => state === 'waiting' && order < heldOrder).length;
}

export const CANCELLED_TEXT = 'Pengiriman dibatalkan';

/** An earlier message of the same conversation that still uploads files, so this one waits for it; undefined if none. */
export const findHolding = (entries: readonly OutboxEntry[], { user_id, order }: OutboxEntry) =>
  entries.find(
    (other) => other.user_id === user_id && other.order < order && other.state === 'waiting' && other.files.length > 0,
  );

/** The server removes files that are not sent for a day, also while a phone sleeps in the middle of an attempt. */
const mayHaveExpired = (error: unknown, { files }: OutboxEntry): boolean =>
  error instanceof ApiError && error.status === 404 && files.length > 0;

/** For another try, without what the last one has said. */
const asWaiting = (entry: OutboxEntry): OutboxEntry => ({
  ...entry,
  state: 'waiting',
  serverError: false,
  reason: '',
  refusedFileId: null,
});

/** The quoted message was deleted meanwhile. */
const isQuoteRefused = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 422 && error.errors?.['reply_to'] !== undefined;

export type OutboxDeps = {
  store: ReturnType<typeof createStore>;
  storage: OutboxStorage;
  tabId: string;
  /** Uploads a file, under its own id as `client_id`. @returns its id at the server */
  uploadFile: UploadFile;
  /** Removes uploads that no message will carry. Nothing waits for it: the server removes what is left after a day. */
  removeUploads: (files: readonly OutboxFile[]) => void;
  /** Resolves once the server has stored it. */
  sendMessage: (claimed: ClaimedEntry) => Promise<void>;
};

/**
 * Sends the messages of this user, in order per conversation. The server stores each one once, because it knows its
 * `client_id`; claims among the tabs only save calls.
 */
export function createOutbox({ store, storage, tabId, uploadFile, removeUploads, sendMessage }: OutboxDeps) {
  const sendingUserIds = new Set<string>();
  const retryTimers = new Map<string, ReturnType<typeof setTimeout>>();
  let stopped = false;

  function refreshAtom(): void {
    // What ends late must not show one account's messages to the next one.
    if (stopped) return;
    const entries = storage.readAll();
    for (const { files } of entries) rememberUploads(files);
    store.set(outboxAtom, entries);
    uploads.stopForeign();
  }
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

  const uploads = createEntryUploads({ store, storage, tabId, uploadFile, leaseMs: CLAIM_LEASE_MS, write });

  /** The server has it. */
  function removeSent(clientId: string): void {
    const files = storage.read(clientId)?.files ?? [];
    storage.remove(clientId);
    releaseSentFiles(storage.accountId, files);
  }

  /** No message will carry these. */
  function dropFiles(files: readonly OutboxFile[]): void {
    dropLocalFiles(
      storage.accountId,
      files.map(({ id }) => id),
    );
    removeUploads(files);
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

  const isForeign = ({ busyBy, busyUntil }: OutboxEntry): boolean =>
    busyBy !== '' && busyBy !== tabId && busyUntil > Date.now();

  /** After an attempt that this tab gave up. @returns whether the next message may follow */
  function isSettled(clientId: string, userId: string): boolean {
    refreshAtom();
    if (storage.read(clientId)?.state !== 'waiting') return true;
    scheduleRetry(userId, CLAIM_CONFLICT_WINDOW_MS);
    return false;
  }

  /** Uploads what is missing and sends. @returns whether it was sent; not when it is no longer this tab's to send */
  async function uploadAndSend(claimed: ClaimedEntry, onUploaded: () => void): Promise<boolean> {
    const { client_id, files } = claimed.entry;
    const entry = files.length > 0 ? await uploads.run(client_id) : claimed.entry;
    if (!entry) return false;
    onUploaded();
    try {
      await sendMessage({ ...claimed, entry });
      return true;
    } catch (error) {
      const current = storage.read(client_id);
      // Not one that was cancelled or dropped meanwhile.
      if (!mayHaveExpired(error, entry) || current?.state !== 'waiting' || current.busyBy !== tabId) throw error;
      write({ ...current, files: entry.files.map((file) => ({ ...file, uploadedId: null })) });
      const again = await uploads.run(client_id);
      if (!again) return false;
      // The server still had them all: it misses something else.
      if (again.files.every(({ uploadedId }, index) => uploadedId === entry.files[index]?.uploadedId)) throw error;
      await sendMessage({ ...claimed, entry: again });
      return true;
    }
  }

  /** @returns whether the next message may follow at once */
  async function sendOne(claimed: ClaimedEntry): Promise<boolean> {
    const { client_id, user_id } = claimed.entry;
    let wasUploaded = false;
    try {
      const isSent = await uploadAndSend(claimed, () => (wasUploaded = true));
      if (!isSent) return isSettled(client_id, user_id);
      removeSent(client_id);
      refreshAtom();
      return true;
    } catch (error) {
      // After a sign-out or on a page that goes away the message stays as it is: another page begins anew.
      if (stopped) return false;
      const current = storage.read(client_id);
      // A server event or another tab has confirmed it meanwhile, or the user has cancelled it, or another tab sends it now.
      if (current?.state !== 'waiting' || isForeign(current)) return isSettled(client_id, user_id);
      const decision = decideRetry(error, current.attempts, wasUploaded && current.seen_id !== null);
      write({
        ...current,
        // The next try is without it; the text stays.
        quote: isQuoteRefused(error) ? null : current.quote,
        isHeld: decision.kind === 'held',
        state: decision.kind === 'refused' || decision.kind === 'held' ? 'failed' : 'waiting',
        serverError: decision.kind === 'serverError',
        reason: 'reason' in decision ? decision.reason : '',
        refusedFileId: error instanceof RefusedFileError ? error.fileId : null,
        // Any tab may claim it now; this one tries again first.
        busyUntil: 0,
      });
      if ('afterMs' in decision) scheduleRetry(user_id, decision.afterMs);
      return decision.kind === 'refused';
    } finally {
      uploads.end(client_id);
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

  /** A file that could not be stored is only in this page, so no other tab may take over. */
  function keepOwnFiles(): void {
    for (const entry of storage.readAll()) {
      const isOnlyHere = entry.files.some(({ id, isKept }) => !isKept && isInMemory(id));
      if (!isOnlyHere || entry.state !== 'waiting' || isForeign(entry)) continue;
      write({ ...entry, busyBy: tabId, busyUntil: Date.now() + CLAIM_LEASE_MS });
    }
  }
  const keepTimer = setInterval(keepOwnFiles, CLAIM_LEASE_MS / 3);
  const stopSweep = sweepLocalFiles(
    () => new Set([...listUsedFileIds(), ...storage.readAll().flatMap(({ files }) => files.map(({ id }) => id))]),
  );

  /**
   * Another tab has changed something. One that has just failed tries again itself after its delay; if this tab tried at once,
   * the two would answer each other's failures without any delay.
   */
  function followOtherTab(userId: string): void {
    const next = findNextWaiting(userId);
    const willRetry = next && next.attempts > 0 && next.busyUntil === 0 && next.busyBy !== '';
    if (!willRetry) void sendWaiting(userId);
    else if (!retryTimers.has(userId) && !sendingUserIds.has(userId)) scheduleRetry(userId, CLAIM_LEASE_MS);
  }

  const unbindStorage = storage.onOtherTab(() => {
    refreshAtom();
    for (const userId of listUserIds()) followOtherTab(userId);
  });
  window.addEventListener('pagehide', releaseClaims);
  refreshAtom();

  const outbox = {
    /**
     * Stores a message and starts to send it.
     * @param typed may be empty when something is attached; what is attached is added in words
     */
    add(userId: string, typed: string, extras: SendExtras = noExtras): void {
      const { quote, seen_id, files = [], record = null } = extras;
      const earlier = store.get(outboxAtom);
      const last = earlier.at(-1)?.order ?? 0;
      write({
        client_id: newClientId(),
        user_id: userId,
        content: writeContent(typed, files, record),
        files,
        record,
        followsFiles: earlier.some(
          (entry) => entry.user_id === userId && (entry.files.length > 0 || entry.record || entry.followsFiles),
        ),
        order: Math.max(Date.now(), last + 1),
        quote,
        seen_id,
        isHeld: false,
        state: 'waiting',
        attempts: 0,
        serverError: false,
        reason: '',
        refusedFileId: null,
        busyBy: tabId,
        busyUntil: Date.now() + CLAIM_LEASE_MS,
      });
      void sendWaiting(userId);
    },
    retry: (clientId: string): void => {
      const entry = storage.read(clientId);
      if (!entry || entry.isHeld) return;
      const shown = asWaiting(entry);
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
      const before = storage.readAll();
      for (const { client_id, state } of before) if (state === 'failed') outbox.retry(client_id);
      sendAllWaiting();
      return waitUntilSent({ store, before, giveUpMs: CLAIM_LEASE_MS });
    },
    /** @param keepFiles its files go back into the draft, so their bytes stay */
    discard(clientId: string, { keepFiles = false } = {}): void {
      const entry = storage.read(clientId);
      storage.remove(clientId);
      refreshAtom();
      if (!entry) return;
      if (!keepFiles) dropFiles(entry.files);
      void sendWaiting(entry.user_id);
    },
    /** Stops an upload. The message stays, with its files, until the user sends or discards it; what follows goes on. */
    cancelUpload(clientId: string): void {
      const entry = storage.read(clientId);
      // Once the message itself is on its way, nobody can say whether it arrives.
      if (entry?.state !== 'waiting' || store.get(uploadProgressAtom)[clientId]?.kind === 'sending') return;
      write({ ...entry, state: 'failed', serverError: false, reason: CANCELLED_TEXT, busyBy: '', busyUntil: 0 });
      void sendWaiting(entry.user_id);
    },
    /** Takes one file out of a message that was not sent. Without the one that was refused the rest goes on by itself. */
    removeFile(clientId: string, fileId: string): void {
      const entry = storage.read(clientId);
      if (entry?.state !== 'failed') return;
      const files = entry.files.filter(({ id }) => id !== fileId);
      const typed = typedTextOf(entry);
      if (typed === '' && files.length === 0 && !entry.record) {
        outbox.discard(clientId);
        return;
      }
      // The place in local storage stays the same.
      const rest = { ...entry, files, followsFiles: true, content: writeContent(typed, files, entry.record) };
      const goesOn = fileId === entry.refusedFileId;
      write(goesOn ? { ...asWaiting(rest), busyBy: tabId, busyUntil: 0 } : rest);
      dropFiles(entry.files.filter(({ id }) => id === fileId));
      if (goesOn) void sendWaiting(entry.user_id);
    },
    /** The server has these, as an event or a page of the history shows. */
    confirm(clientIds: readonly string[]): void {
      const known = new Set(store.get(outboxAtom).map(({ client_id }) => client_id));
      const stored = clientIds.filter((clientId) => known.has(clientId));
      if (stored.length === 0) return;
      for (const clientId of stored) removeSent(clientId);
      refreshAtom();
    },
    /** The connection is back: sends at once instead of waiting for a retry timer. */
    flush(): void {
      uploads.stopStalled();
      sendAllWaiting();
    },
    /** The server has answered: sends what no retry timer waits for. A delay that the server asked for stays. */
    resume(): void {
      for (const userId of listUserIds()) if (!retryTimers.has(userId)) void sendWaiting(userId);
    },
    stop(): void {
      stopped = true;
      uploads.stopAll();
      clearInterval(keepTimer);
      stopSweep();
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
