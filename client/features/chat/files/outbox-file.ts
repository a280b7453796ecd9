import type { RecordCardFields } from '#shared/api/tax-records/record-card.ts';
import { isPlainObject } from '#client/lib/storage/is-plain-object.ts';

/** A file that was chosen for a message, ready to be uploaded. */
export type PreparedFile = {
  file: File;
  /** A small JPEG of it; null for a document, and for a picture that is small itself. */
  thumb: Blob | null;
  /** In pixels; null for a document, or a picture that this browser cannot read. */
  width: number | null;
  height: number | null;
};

/** A file of a message that is not sent yet. Its bytes lie beside, under its id (local-files.ts). */
export type OutboxFile = {
  /** The `client_id` of its upload, so that a repeated upload is stored once. */
  id: string;
  name: string;
  /** Media type as the browser says it; the server judges by the bytes. */
  type: string;
  bytes: number;
  width: number | null;
  height: number | null;
  hasThumb: boolean;
  /** False: only this page has it, so a reload loses it. */
  isKept: boolean;
  /** Its id at the server; null: not uploaded yet. */
  uploadedId: string | null;
};

/** A record whose card a message carries, as it was when it was chosen. */
export type OutboxRecord = RecordCardFields & { id: string };

/** The prefix of the lists of draft files: `<prefix><account>:<user of the conversation>`, a key of `lib/private-data.ts`. */
export const DRAFT_FILES_PREFIX = 'pbb-chat-files:';
/** The prefix of the records of drafts, in keys of the same form. */
export const DRAFT_RECORD_PREFIX = 'pbb-chat-record:';

const numberOrNull = (value: unknown): number | null => (typeof value === 'number' ? value : null);

function parseFile(value: unknown): OutboxFile | null {
  if (!isPlainObject(value)) return null;
  const { id, name, type, bytes, width, height, hasThumb, isKept, uploadedId } = value;
  if (typeof id !== 'string' || typeof name !== 'string' || typeof type !== 'string') return null;
  return {
    id,
    name,
    type,
    bytes: numberOrNull(bytes) ?? 0,
    width: numberOrNull(width),
    height: numberOrNull(height),
    hasThumb: hasThumb === true,
    isKept: isKept !== false,
    uploadedId: typeof uploadedId === 'string' ? uploadedId : null,
  };
}

/** Files as local storage has them; none for anything else. */
export function parseFiles(value: unknown): OutboxFile[] {
  return Array.isArray(value) ? value.flatMap((file) => parseFile(file) ?? []) : [];
}

/** A stored list of files; none for anything else. */
export function readFiles(stored: string | null): OutboxFile[] {
  try {
    return parseFiles(JSON.parse(stored ?? 'null'));
  } catch {
    // Written by other code.
    return [];
  }
}

/** Enough to send it and to say it in words; only this code has written it. */
export function isOutboxRecord(value: unknown): value is OutboxRecord {
  if (!isPlainObject(value)) return false;
  const { id, spt_number, year, amount, status } = value;
  return (
    typeof id === 'string' &&
    typeof spt_number === 'string' &&
    typeof year === 'number' &&
    typeof amount === 'number' &&
    typeof status === 'string'
  );
}
