import type { NamedTexts } from '#server/files/named-texts.ts';
import type { Connection, Engine } from './engine.ts';

/** Called after each commit with the time that it took (milliseconds) and the number of its changes. */
export type CommitObserver = { committed: (ms: number, jobs: number) => void };

/** Numbers that only grow, also when rows are deleted. */
export type DatabaseMarks = { messages: number; auditEntries: number };

/** Keeps a copy of the log. Each function is called in the thread of the writes. */
export type CheckpointGuard = {
  /** Takes over what the log has got by now. Resolves when that is done, or when it takes too long. */
  prepare: () => Promise<void>;
  /** Called between two commits, before the log may be emptied. @param end bytes of the log up to its last commit */
  beforeEmptied: (end: number) => void;
  /**
   * Called right afterwards, before this process writes again.
   * @param isEmpty false while a reader keeps the log
   * @param isWhole false when another process has committed meanwhile: the log may have had more than was announced
   */
  afterEmptied: (isEmpty: boolean, isWhole: boolean) => void;
};

export type Checkpoints = {
  /** Called after each commit. */
  committed: () => void;
  /**
   * Resolves when the texts that were deleted before the call are gone from the log, or after five seconds while a
   * reader needs them; callers at the same time share one attempt. On a full disk it resolves at once: they go later.
   */
  eraseDeleted: () => Promise<void>;
  /** From now on no log is emptied without the guard; null: none. */
  setGuard: (guard: CheckpointGuard | null) => void;
};

/** An open database of either engine. */
export type Database = {
  orm: Connection;
  createEngine: (observer?: CommitObserver) => Engine;
  /** @param failed told when a checkpoint failed, once until one succeeds */
  createCheckpoints: (failed?: (error: unknown) => void) => Checkpoints;
  /** Whether the database takes writes now; the answer may take two seconds. */
  takesWrites: () => Promise<boolean>;
  /** Null where no older copy can take the place of the database. */
  readMarks: () => DatabaseMarks | null;
  /** A value that differs from the last one after another process has committed. */
  readVersion: () => unknown;
  /** @returns bytes, without those of a log */
  readSize: () => Promise<number>;
  /** @returns bytes, with those of a log */
  readDiskUse: () => Promise<number>;
  /** @returns how many messages were ever stored, as an id is never used twice */
  countMessagesEver: () => Promise<number>;
  /** Connections that are in use or waited for; null for a file, which needs none. */
  connectionsInUse: () => number | null;
  /** The host to which changes go; null while none is known. Null for a file, which has no host. */
  primaryHost: (() => string | null) | null;
  /** Keys that all processes share; null for a file, beside which they are files. */
  sharedTexts: NamedTexts | null;
};
