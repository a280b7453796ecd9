import type { Message } from '#shared/api/chat.ts';
import { isPlainObject } from '#client/lib/is-plain-object.ts';
import { listStoredKeys, readStored } from '#client/lib/safe-storage.ts';
import {
  DRAFT_FILES_PREFIX,
  isOutboxRecord,
  type OutboxFile,
  type OutboxRecord,
  parseFiles,
  readFiles,
} from './files/outbox-file.ts';

/** A message that another one quotes, in short. */
export type Quote = NonNullable<Message['quoted']>;

/** A message of this user that the server has not acknowledged yet. */
export type OutboxEntry = {
  client_id: string;
  /** The conversation it belongs to, by its user's id. */
  user_id: string;
  /** With what is attached in words, as the server stores it (R-FILE-20). */
  content: string;
  /** What it carries, in order. */
  files: readonly OutboxFile[];
  /** The record whose card it carries. */
  record: OutboxRecord | null;
  /** It was written after a message with files that still waits, so it is stored beside that one. */
  followsFiles: boolean;
  /** When it was written, in ms; unique, so it also gives the order. */
  order: number;
  /** The message that it quotes. */
  quote: Quote | null;
  /** The newest message on an admin's screen when this one was sent; null: the server need not compare (R-REPLY-5). */
  seen_id: string | null;
  /**
   * A colleague has answered since `seen_id`, so the server refused it: it and what follows it wait for a decision. It is
   * 'failed' then, so that the code of an earlier version in another tab does not repeat it either.
   */
  isHeld: boolean;
  state: 'waiting' | 'failed';
  /** How often a tab began to send it, counted before the call. Above 0 the server may have stored it already. */
  attempts: number;
  /** The last attempt was answered with an error of the server (5xx). It is still waiting and is tried again. */
  serverError: boolean;
  /** The server's words for the refusal or the error; '' when it gave none. */
  reason: string;
  /** The file for which the server refused it; null when it was for something else, or not refused. */
  refusedFileId: string | null;
  /** The tab that claimed it last, or '' when that tab released it; and until when (ms) the claim keeps other tabs off. */
  busyBy: string;
  busyUntil: number;
};

/** Whether the user is told that the message was not sent: refused, or the server has an error. */
export const hasFailed = ({ state, serverError }: OutboxEntry): boolean => state === 'failed' || serverError;

function parseQuote(value: unknown): Quote | null {
  if (!isPlainObject(value)) return null;
  const { _id, sender_id, sender_name, from_admin, excerpt } = value;
  if (typeof _id !== 'string' || typeof sender_id !== 'string' || typeof sender_name !== 'string') return null;
  if (typeof excerpt !== 'string') return null;
  return { _id, sender_id, sender_name, from_admin: from_admin === true, excerpt };
}

/** A stored quote; null for anything else. */
export function readQuote(text: string | null): Quote | null {
  try {
    return text === null ? null : parseQuote(JSON.parse(text));
  } catch {
    return null;
  }
}

const KEY_PREFIX = 'pbb-outbox:';
/**
 * Where messages with files or a record are stored, and what was written after them. The code of an earlier version in another
 * tab does not look there: it would send the words alone and drop the files.
 */
const FILES_KEY_PREFIX = 'pbb-chat-outbox:';

const belongsToFiles = ({ files, record, followsFiles }: OutboxEntry): boolean =>
  files.length > 0 || record !== null || followsFiles;

function parseEntry(text: string | null): OutboxEntry | null {
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    if (!isPlainObject(value)) return null;
    const { client_id, user_id, content, order, state, attempts, serverError, reason, busyBy, busyUntil } = value;
    const { quote, seen_id, isHeld, files, record, followsFiles, refusedFileId } = value;
    if (typeof client_id !== 'string' || typeof user_id !== 'string' || typeof content !== 'string') return null;
    return {
      client_id,
      user_id,
      content,
      files: parseFiles(files),
      record: isOutboxRecord(record) ? record : null,
      followsFiles: followsFiles === true,
      order: typeof order === 'number' ? order : 0,
      // Entries of an earlier version have no quote and no place in the conversation.
      quote: parseQuote(quote),
      seen_id: typeof seen_id === 'string' ? seen_id : null,
      isHeld: isHeld === true && state === 'failed',
      state: state === 'failed' ? 'failed' : 'waiting',
      attempts: typeof attempts === 'number' ? attempts : 1,
      serverError: serverError === true,
      reason: typeof reason === 'string' ? reason : '',
      refusedFileId: typeof refusedFileId === 'string' ? refusedFileId : null,
      busyBy: typeof busyBy === 'string' ? busyBy : '',
      busyUntil: typeof busyUntil === 'number' ? busyUntil : 0,
    };
  } catch {
    // Written by other code, so it is no unsent message and nothing is lost.
    return null;
  }
}

/**
 * The unsent messages of one user, shared by all tabs. Each has its own key: tabs write at the same time, and with one
 * common list the later write would lose the other tab's message. Without local storage they live as long as the page.
 */
export function createOutboxStorage(currentUserId: string) {
  const prefixes = [KEY_PREFIX, FILES_KEY_PREFIX].map((prefix) => `${prefix}${currentUserId}:`);
  const [textPrefix = '', filesPrefix = ''] = prefixes;
  const memoryEntries = new Map<string, OutboxEntry>();

  function storedClientIds(): string[] {
    try {
      return Object.keys(window.localStorage).flatMap((key) => {
        const prefix = prefixes.find((known) => key.startsWith(known));
        return prefix === undefined ? [] : [key.slice(prefix.length)];
      });
    } catch {
      // No local storage here; the entries are in memory.
      return [];
    }
  }

  function read(clientId: string): OutboxEntry | null {
    const inMemory = memoryEntries.get(clientId);
    if (inMemory) return inMemory;
    try {
      const { localStorage } = window;
      return parseEntry(localStorage.getItem(textPrefix + clientId) ?? localStorage.getItem(filesPrefix + clientId));
    } catch {
      // No local storage here.
      return null;
    }
  }

  return {
    /** Whose messages these are. */
    accountId: currentUserId,
    read,
    readAll: (): OutboxEntry[] => {
      const clientIds = [...storedClientIds(), ...memoryEntries.keys()];
      const entries = [...new Set(clientIds)].flatMap((clientId) => read(clientId) ?? []);
      // Not toSorted: browsers from before 2023 lack it, and old phones need the outbox most.
      // oxlint-disable-next-line unicorn/no-array-sort
      return entries.sort((a, b) => a.order - b.order || (a.client_id < b.client_id ? -1 : 1));
    },
    write(entry: OutboxEntry): void {
      try {
        const prefix = belongsToFiles(entry) ? filesPrefix : textPrefix;
        window.localStorage.setItem(prefix + entry.client_id, JSON.stringify(entry));
        memoryEntries.delete(entry.client_id);
      } catch {
        // Full or disabled: the message is still sent, but does not survive a reload.
        memoryEntries.set(entry.client_id, entry);
      }
    },
    remove(clientId: string): void {
      memoryEntries.delete(clientId);
      try {
        for (const prefix of prefixes) window.localStorage.removeItem(prefix + clientId);
      } catch {
        // Nothing was stored, so there is nothing to remove.
      }
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
