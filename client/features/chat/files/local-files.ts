import { useEffect, useSyncExternalStore } from 'react';
import { onErasePrivateData } from '#client/lib/session/private-data.ts';
import {
  listPrivateFiles,
  readPrivateFile,
  removePrivateFiles,
  writePrivateFiles,
} from '#client/lib/session/private-files.ts';
import { accountIdOf, currentSession } from '#client/lib/session/session.ts';

/**
 * The bytes of files that are not sent yet: in the browser's database, and in memory as far as this page has chosen or shown
 * them. What was sent stays in memory for a while, so that the own bubble need not load what this device has.
 */

export type LocalPart = 'file' | 'thumb';

const nameOf = (id: string, part: LocalPart): string => (part === 'thumb' ? `${id}.thumb` : id);
const idOf = (name: string): string => name.replace(/\.thumb$/, '');

/** Files of sent messages whose bytes stay in memory. */
const SENT_KEPT = 12;
/** A file without a message may be one that another tab is storing right now; after this time it is a leftover. */
const ORPHAN_MS = 60_000;
/** The page itself is loaded first. */
const FIRST_LOOK_MS = 10_000;

const blobs = new Map<string, Blob>();
const urls = new Map<string, string>();
/** By the id that the server gave it: the id that this browser gave it. In the order of sending. */
const sentIds = new Map<string, string>();
/** By the id that the server gave it: the id that this browser gave it, of every file that this page has seen unsent. */
const localIds = new Map<string, string>();
const listeners = new Set<() => void>();

function notify(): void {
  for (const listener of listeners) listener();
}

function forget(id: string): void {
  for (const name of [nameOf(id, 'file'), nameOf(id, 'thumb')]) {
    const url = urls.get(name);
    if (url !== undefined) URL.revokeObjectURL(url);
    urls.delete(name);
    blobs.delete(name);
  }
}

/** Empties the memory of this page; the database keeps what it has. */
export function forgetLocalFiles(): void {
  for (const name of blobs.keys()) forget(idOf(name));
  sentIds.clear();
  localIds.clear();
  notify();
}
onErasePrivateData(forgetLocalFiles);

/** Keeps a file for a message. @returns whether a reload keeps it; if not, it lives as long as this page */
export async function keepLocalFile(accountId: string, id: string, file: Blob, thumb: Blob | null): Promise<boolean> {
  // A copy: what the user picked may be changed or deleted on the disk before it is sent.
  const copy = await file.arrayBuffer().then(
    (bytes) => new Blob([bytes], { type: file.type }),
    () => file,
  );
  blobs.set(nameOf(id, 'file'), copy);
  if (thumb) blobs.set(nameOf(id, 'thumb'), thumb);
  notify();
  return writePrivateFiles(accountId, {
    [nameOf(id, 'file')]: copy,
    ...(thumb && { [nameOf(id, 'thumb')]: thumb }),
  });
}

/** @returns null when this page does not have it, nor the browser's database */
export async function readLocalFile(accountId: string, id: string, part: LocalPart): Promise<Blob | null> {
  const name = nameOf(id, part);
  const known = blobs.get(name);
  if (known) return known;
  const stored = await readPrivateFile(accountId, name);
  if (!stored) return null;
  blobs.set(name, blobs.get(name) ?? stored);
  notify();
  return stored;
}

/** Whether this page has a file in memory, so that it can send it also without the database. */
export const isInMemory = (id: string): boolean => blobs.has(nameOf(id, 'file'));

/** Remembers which file of this browser became which one of the server. */
export function rememberUploads(files: readonly { id: string; uploadedId: string | null }[]): void {
  for (const { id, uploadedId } of files) if (uploadedId !== null) localIds.set(uploadedId, id);
}

/** The id that a file had in this browser before it was sent, else the one that the server gave it. */
export const firstIdOf = (sentId: string): string => localIds.get(sentId) ?? sentId;

/** Removes files that no message needs any more. */
export function dropLocalFiles(accountId: string, ids: readonly string[]): void {
  if (ids.length === 0) return;
  for (const id of ids) forget(id);
  notify();
  void removePrivateFiles(
    accountId,
    ids.flatMap((id) => [nameOf(id, 'file'), nameOf(id, 'thumb')]),
  );
}

/** The server has these, under the ids beside them: nothing of them stays on the disk. */
export function releaseSentFiles(accountId: string, files: readonly { id: string; uploadedId: string | null }[]): void {
  if (files.length === 0) return;
  for (const { id, uploadedId } of files) if (uploadedId !== null && isInMemory(id)) sentIds.set(uploadedId, id);
  for (const [sentId, id] of [...sentIds].slice(0, -SENT_KEPT)) {
    sentIds.delete(sentId);
    forget(id);
  }
  void removePrivateFiles(
    accountId,
    files.flatMap(({ id }) => [nameOf(id, 'file'), nameOf(id, 'thumb')]),
  );
}

function urlOf(anyId: string | null, part: LocalPart): string | null {
  if (anyId === null) return null;
  const name = nameOf(sentIds.get(anyId) ?? anyId, part);
  const known = urls.get(name);
  if (known !== undefined) return known;
  const blob = blobs.get(name);
  if (!blob) return null;
  const url = URL.createObjectURL(blob);
  urls.set(name, url);
  return url;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/**
 * An address of a file of this browser: of one that is not sent yet, by its own id, or of one that this page has just sent, by
 * the id that the server gave it. null while it is being read, and when this browser does not have it.
 */
export function useLocalFileUrl(id: string | null, part: LocalPart = 'file'): string | null {
  const url = useSyncExternalStore(subscribe, () => urlOf(id, part));
  useEffect(() => {
    const user = currentSession()?.user;
    if (url === null && user && id !== null) void readLocalFile(accountIdOf(user), id, part);
  }, [id, part, url]);
  return url;
}

/** Removes what no message and no draft of this browser names, for example after a crash in the middle of a choice. */
export function sweepLocalFiles(readUsedIds: () => ReadonlySet<string>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopped = false;
  async function findOrphans(): Promise<{ accountId: string; name: string }[]> {
    const stored = await listPrivateFiles();
    const used = readUsedIds();
    return stored.filter(({ name }) => !used.has(idOf(name)) && !isInMemory(idOf(name)));
  }
  async function lookForThem(): Promise<void> {
    const first = await findOrphans();
    if (first.length === 0 || stopped) return;
    timer = setTimeout(() => void removeIfStill(new Set(first.map(({ name }) => name))), ORPHAN_MS);
  }
  timer = setTimeout(() => void lookForThem(), FIRST_LOOK_MS);
  async function removeIfStill(suspects: ReadonlySet<string>): Promise<void> {
    for (const { accountId, name } of await findOrphans()) {
      if (suspects.has(name) && !stopped) void removePrivateFiles(accountId, [name]);
    }
  }
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
