import { listStoredKeys, readStored } from '#client/lib/storage/safe-storage.ts';
import { DRAFT_FILES_PREFIX, readFiles } from '../files/outbox-file.ts';
import { type OutboxEntry, parseEntry, withoutClaims } from '../state/model/outbox-entry.ts';

const KEY_PREFIX = 'pbb-outbox:';
/**
 * The keys of messages with files or a record, and of those written after them. The code of an earlier version in another
 * tab does not read these keys: it would send the words alone and drop the files.
 */
const FILES_KEY_PREFIX = 'pbb-chat-outbox:';

const belongsToFiles = ({ files, record, followsFiles }: OutboxEntry): boolean =>
  files.length > 0 || record !== null || followsFiles;

/**
 * The unsent messages of one user, shared by all tabs. Each has its own key: tabs write at the same time, and with one
 * common list the later write would lose the other tab's message. Without local storage they live as long as the page.
 */
export function createOutboxStorage(currentUserId: string) {
  const prefixes = [KEY_PREFIX, FILES_KEY_PREFIX].map((prefix) => `${prefix}${currentUserId}:`);
  const [textPrefix = '', filesPrefix = ''] = prefixes;
  const memoryEntries = new Map<string, OutboxEntry>();
  /** The entry parsed from each text, so that an entry that is read again is the same object. */
  const parsed = new Map<string, { text: string; entry: OutboxEntry | null }>();
  let known: readonly OutboxEntry[] = [];

  function storedClientIds(): string[] {
    try {
      return Object.keys(window.localStorage).flatMap((key) => {
        const prefix = prefixes.find((own) => key.startsWith(own));
        return prefix === undefined ? [] : [key.slice(prefix.length)];
      });
    } catch {
      // No local storage here; the entries are in memory.
      return [];
    }
  }

  function parse(clientId: string, text: string | null): OutboxEntry | null {
    if (text === null) return null;
    const before = parsed.get(clientId);
    if (before?.text === text) return before.entry;
    const entry = parseEntry(text);
    parsed.set(clientId, { text, entry });
    return entry;
  }

  function read(clientId: string): OutboxEntry | null {
    const inMemory = memoryEntries.get(clientId);
    if (inMemory) return inMemory;
    try {
      const { localStorage } = window;
      const text = localStorage.getItem(textPrefix + clientId) ?? localStorage.getItem(filesPrefix + clientId);
      return parse(clientId, text);
    } catch {
      // No local storage here.
      return null;
    }
  }

  /** The same list as before when nothing has changed. */
  function readAll(): readonly OutboxEntry[] {
    const clientIds = [...storedClientIds(), ...memoryEntries.keys()];
    const entries = [...new Set(clientIds)]
      .flatMap((clientId) => read(clientId) ?? [])
      .toSorted((a, b) => a.order - b.order || (a.client_id < b.client_id ? -1 : 1));
    const isSame = entries.length === known.length && entries.every((entry, index) => entry === known[index]);
    if (!isSame) known = entries;
    return known;
  }

  function write(entry: OutboxEntry): void {
    try {
      const prefix = belongsToFiles(entry) ? filesPrefix : textPrefix;
      const text = JSON.stringify(entry);
      window.localStorage.setItem(prefix + entry.client_id, text);
      parsed.set(entry.client_id, { text, entry });
      memoryEntries.delete(entry.client_id);
    } catch {
      // Full or disabled: the message is still sent, but does not survive a reload.
      memoryEntries.set(entry.client_id, entry);
    }
  }

  function remove(clientId: string): void {
    memoryEntries.delete(clientId);
    parsed.delete(clientId);
    try {
      for (const prefix of prefixes) window.localStorage.removeItem(prefix + clientId);
    } catch {
      // Nothing was stored, so there is nothing to remove.
    }
  }

  /** Stores what differs; what another tab has changed meanwhile is in `before`. */
  function writeChanges(before: readonly OutboxEntry[], after: readonly OutboxEntry[]): void {
    if (before === after) return;
    const stored = new Set(before);
    for (const entry of after) if (!stored.has(entry)) write(entry);
    const left = new Set(after.map(({ client_id }) => client_id));
    for (const { client_id } of before) if (!left.has(client_id)) remove(client_id);
    known = after;
  }

  return {
    readAll,
    writeChanges,
    /** A tab that closes, or whose session ends, does not keep other tabs off. */
    releaseClaims(tabId: string): void {
      const entries = readAll();
      writeChanges(entries, withoutClaims(entries, tabId));
    },
    /** Calls back when another tab changed an entry. @returns the undo */
    onOtherTab(listener: () => void): () => void {
      const onStorage = (event: StorageEvent) => {
        if (event.key === null || prefixes.some((prefix) => event.key?.startsWith(prefix))) listener();
      };
      window.addEventListener('storage', onStorage);
      return () => window.removeEventListener('storage', onStorage);
    },
  };
}
export type OutboxStorage = ReturnType<typeof createOutboxStorage>;

/** The ids of all files that a message or a draft in this browser names, of every account. */
export function listUsedFileIds(): Set<string> {
  const used = new Set<string>();
  for (const key of listStoredKeys()) {
    const stored = readStored(key);
    const files = key.startsWith(DRAFT_FILES_PREFIX)
      ? readFiles(stored)
      : key.startsWith(FILES_KEY_PREFIX)
        ? (parseEntry(stored)?.files ?? [])
        : [];
    for (const { id } of files) used.add(id);
  }
  return used;
}
