import type { createStore } from 'jotai';
import type { OutboxFile } from './files/outbox-file.ts';
import { type UploadProgress, uploadProgressAtom } from './files/upload-progress.ts';
import type { OutboxEntry, OutboxStorage } from './outbox-storage.ts';
import { toUploadError } from './retry-policy.ts';

export type UploadFile = (
  file: OutboxFile,
  options: { signal: AbortSignal; onProgress: (fraction: number) => void },
) => Promise<string>;

type Deps = {
  store: ReturnType<typeof createStore>;
  storage: OutboxStorage;
  tabId: string;
  uploadFile: UploadFile;
  leaseMs: number;
  /** Stores an entry and shows it. */
  write: (entry: OutboxEntry) => void;
};

type Upload = { abort: AbortController; lastProgressMs: number; renewedMs: number };

/** Without progress for so long, an upload is taken for one of a connection that is gone, once another one is there. */
const STALLED_MS = 5000;

/** Uploads the files of messages before these are sent, and keeps the claim of this tab alive meanwhile. */
export function createEntryUploads({ store, storage, tabId, uploadFile, leaseMs, write }: Deps) {
  const running = new Map<string, Upload>();

  function setProgress(clientId: string, progress: UploadProgress | null): void {
    const { [clientId]: _before, ...others } = store.get(uploadProgressAtom);
    store.set(uploadProgressAtom, progress ? { ...others, [clientId]: progress } : others);
  }

  /** The entry, if it still waits and no other tab has claimed it. */
  function readOwn(clientId: string): OutboxEntry | null {
    const entry = storage.read(clientId);
    return entry?.state === 'waiting' && entry.busyBy === tabId ? entry : null;
  }

  function renew(clientId: string, upload: Upload): void {
    const own = readOwn(clientId);
    if (!own) {
      upload.abort.abort();
      return;
    }
    upload.renewedMs = Date.now();
    write({ ...own, busyUntil: upload.renewedMs + leaseMs });
  }

  function showProgress({ client_id, files }: OutboxEntry, current: OutboxFile, fraction: number): void {
    const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
    const done = files.reduce((sum, { bytes, uploadedId }) => sum + (uploadedId === null ? 0 : bytes), 0);
    const percent = total === 0 ? 0 : Math.round((100 * (done + fraction * current.bytes)) / total);
    setProgress(client_id, { kind: 'uploading', percent: Math.min(100, percent) });
  }

  async function uploadNext(entry: OutboxEntry, file: OutboxFile, upload: Upload): Promise<void> {
    showProgress(entry, file, 0);
    const uploadedId = await uploadFile(file, {
      signal: upload.abort.signal,
      onProgress: (fraction) => {
        if (upload.abort.signal.aborted) return;
        upload.lastProgressMs = Date.now();
        // Timers of a tab in the background may be too rare for the claim.
        if (upload.lastProgressMs - upload.renewedMs > leaseMs / 3) renew(entry.client_id, upload);
        showProgress(entry, file, fraction);
      },
    }).catch((error: unknown) => {
      throw toUploadError(error, file);
    });
    const own = readOwn(entry.client_id);
    if (!own) return;
    const files = own.files.map((known) => (known.id === file.id ? { ...known, uploadedId } : known));
    write({ ...own, files, busyUntil: Date.now() + leaseMs });
  }

  return {
    /**
     * Uploads what is missing, one file after the other.
     * @returns the message with all its files uploaded; null when it is no longer this tab's to send
     */
    async run(clientId: string): Promise<OutboxEntry | null> {
      const upload: Upload = { abort: new AbortController(), lastProgressMs: Date.now(), renewedMs: Date.now() };
      running.set(clientId, upload);
      const timer = setInterval(() => renew(clientId, upload), leaseMs / 3);
      try {
        for (;;) {
          const own = readOwn(clientId);
          const file = own?.files.find(({ uploadedId }) => uploadedId === null);
          if (!own || !file) {
            if (own && own.files.length > 0) setProgress(clientId, { kind: 'sending' });
            return own;
          }
          // One after the other, so that on a slow connection the first is through early.
          // oxlint-disable-next-line no-await-in-loop
          await uploadNext(own, file, upload);
        }
      } finally {
        clearInterval(timer);
        running.delete(clientId);
      }
    },
    /** The attempt to send a message is over. */
    end: (clientId: string): void => {
      if (store.get(uploadProgressAtom)[clientId]) setProgress(clientId, null);
    },
    /** Stops uploads of messages that are gone, were cancelled, or belong to another tab now. */
    stopForeign(): void {
      for (const [clientId, { abort }] of running) if (!readOwn(clientId)) abort.abort();
    },
    /** The connection is back: what hangs on the one before begins anew. */
    stopStalled(): void {
      for (const { abort, lastProgressMs } of running.values()) {
        if (Date.now() - lastProgressMs > STALLED_MS) abort.abort();
      }
    },
    stopAll(): void {
      for (const { abort } of running.values()) abort.abort();
      store.set(uploadProgressAtom, {});
    },
  };
}
