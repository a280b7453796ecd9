import { closeSync, openSync, readSync, renameSync, statSync, writeFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import type { FastifyBaseLogger } from 'fastify';
import { z } from 'zod';
import type { Checkpoints } from '#server/db/database.ts';
import type { DataPaths } from '#server/db/data-folder/data-folder.ts';
import type { InstallationIdentity } from '#server/db/data-folder/installation-state.ts';
import { createMonotonicClock } from '#server/process/monotonic-clock.ts';
import type { CopyReport } from './copy-loop.ts';
import { copyFolderIn, logPlaceSchema, type LogPlace, type RunningCopy, type RunningCopyStatus } from './copy-state.ts';
import type { Beginning, CopyThreadData, FromCopyThread, ToCopyThread } from './copy-thread.ts';
import { readLogFile } from './database-copy.ts';
import type { EmptiedLog } from './log-follower.ts';
import { LOG_HEADER_BYTES, parseLogHeader } from './write-ahead-log.ts';

/** Of the data folder: which log was emptied last, so that after a stop the copy goes on where it was, and what it held. */
const NOTE_FILE = 'salinan-berjalan.json';
/** The longest wait for the thread before a log is emptied, so that less has to be handed over. */
const PREPARE_MAX_MS = 1000;
/** The memory for a disk that is away. */
const HANDED_OVER_MAX_BYTES = 64 * 1024 * 1024;
/** A disk that hangs answers no call, and its thread says nothing. */
const SILENT_MAX_MS = 45_000;
/** The instant of the copy moves at every look; writing it down each time would keep the disk of the data awake. */
const NOTE_EVERY_MS = 60_000;
/** A stop of the server must not wait for a slow disk longer than this. */
const END_MAX_MS = 3000;

const noteSchema = z.object({
  /** The second folder that has a copy of this data folder; null before the first copy is whole. */
  copyIn: z.string().nullable(),
  /** The instant that this copy held, for a start without its disk; up to a minute older after a kill. */
  atMs: z.number().nullable().default(null),
  emptied: logPlaceSchema.nullable(),
  /** The database file right after that. */
  database: z.object({ bytes: z.number(), changedMs: z.number() }),
});
type Note = z.infer<typeof noteSchema>;

type CopyThread = Pick<Worker, 'postMessage' | 'terminate'> & {
  on: {
    (event: 'message', listener: (message: FromCopyThread) => void): unknown;
    (event: 'error', listener: (error: Error) => void): unknown;
  };
};

export type RunningCopyDeps = {
  paths: Pick<DataPaths, 'databaseFile'> & { dataDir: string };
  secondDir: string;
  startThread: (data: CopyThreadData) => CopyThread;
  /** Milliseconds that only grow. */
  monotonicNow?: () => number;
  now?: () => number;
  /** More is not kept for a thread that has not taken it over: then a new base is made. */
  handedOverMaxBytes?: number;
};
type Log = Pick<FastifyBaseLogger, 'info' | 'warn'>;

function readNote(file: string): Note | null {
  try {
    return noteSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}

function statDatabase(file: string): Note['database'] {
  const stats = statSync(file, { throwIfNoEntry: false });
  return { bytes: stats?.size ?? 0, changedMs: stats?.mtimeMs ?? 0 };
}

/** Keeps the running copy of a server's data folder, in a thread of its own. */
export function createRunningCopy(deps: RunningCopyDeps) {
  const { paths, secondDir, startThread, monotonicNow = createMonotonicClock(), now = Date.now } = deps;
  const { handedOverMaxBytes = HANDED_OVER_MAX_BYTES } = deps;
  const { dataDir, databaseFile } = paths;
  const logFile = `${databaseFile}-wal`;
  const noteFile = join(dataDir, NOTE_FILE);
  const path = copyFolderIn(secondDir);
  const removals = new SharedArrayBuffer(4);
  const counter = new Int32Array(removals);
  let logger: Log | null = null;
  let worker: CopyThread | null = startThread({ removals });
  let checkpoints: Checkpoints | null = null;
  let report: CopyReport = {
    atMs: null,
    state: 'starting',
    message: null,
    percent: 0,
    reason: null,
    place: null,
    takenBytes: 0,
  };
  let reportedAtMs = monotonicNow();
  let stoppedSinceMs: number | null = null;
  let emptying: Omit<EmptiedLog, 'isEmptied'> | null = null;
  /** The log that was handed over last, and whether it is known to be over. */
  let handedOver: { log: LogPlace; isOver: boolean } | null = null;
  let lastEmptied: LogPlace | null = null;
  /** The same since the start of this server. */
  let lastOver: LogPlace | null = null;
  let copyIn: string | null = null;
  let emptiedDatabase: Note['database'] = { bytes: 0, changedMs: 0 };
  let notedAtMs: number | null = null;
  /** Handed over, and not reported as taken over. */
  let unreportedBytes = 0;
  /** The thread has not answered in time, and no report has come since. */
  let isLate = false;
  const waiting = new Set<() => void>();
  let ended: () => void = () => undefined;

  const post = (message: ToCopyThread): void => worker?.postMessage(message);

  function storeNote(): void {
    if (copyIn === secondDir) notedAtMs = report.atMs;
    const note: Note = { copyIn, atMs: notedAtMs, emptied: lastEmptied, database: emptiedDatabase };
    try {
      // Not synced: after a power cut that loses it a new base is made.
      writeFileSync(`${noteFile}.new`, JSON.stringify(note), { mode: 0o600 });
      renameSync(`${noteFile}.new`, noteFile);
    } catch (error) {
      logger?.warn({ err: error }, 'the note of the running copy was not written');
    }
  }

  /** Whether the note is a minute behind, or the copy has just stopped at its last instant. */
  function isNoteDue(stateBefore: CopyReport['state']): boolean {
    if (copyIn !== secondDir || report.atMs === notedAtMs) return false;
    if (report.state === 'stopped' && stateBefore !== 'stopped') return true;
    return Math.abs((report.atMs ?? 0) - (notedAtMs ?? 0)) >= NOTE_EVERY_MS;
  }

  /** @returns the log that was emptied last, unless something else may have changed the database since */
  function trustedEmptied(note: Note | null): Beginning['lastEmptied'] {
    if (!note?.emptied) return null;
    const header = parseLogHeader(readLogFile(logFile, 0, LOG_HEADER_BYTES));
    const log = note.emptied;
    if (header) return header.salt1 === (log.salt1 + 1) % 2 ** 32 ? { log, isNextUnknown: false } : null;
    const { bytes, changedMs } = statDatabase(databaseFile);
    return bytes === note.database.bytes && changedMs === note.database.changedMs ? { log, isNextUnknown: true } : null;
  }

  function receive(message: FromCopyThread): void {
    if (message.kind === 'begin handover') {
      report = { ...report, place: null };
      handedOver = null;
      unreportedBytes = 0;
      post({ kind: 'handover begun', last: lastOver });
      return;
    }
    if (message.kind === 'ended') return ended();
    const { state: stateBefore, message: before } = report;
    report = message.report;
    isLate = false;
    reportedAtMs = monotonicNow();
    unreportedBytes -= report.takenBytes;
    if (report.state !== 'stopped') stoppedSinceMs = null;
    else stoppedSinceMs ??= now();
    if (report.state !== stateBefore || report.message !== before) {
      const details = { state: report.state, at: report.atMs };
      if (report.state === 'stopped') logger?.warn(details, `the running copy is stopped: ${report.message ?? ''}`);
      else logger?.info(details, 'the running copy goes on');
    }
    const isNew = report.state === 'ok' && copyIn !== secondDir;
    if (isNew) copyIn = secondDir;
    if (isNew || isNoteDue(stateBefore)) storeNote();
    endKeptLog();
    for (const resolve of waiting) resolve();
    waiting.clear();
  }

  const readHeader = () => parseLogHeader(readLogFile(logFile, 0, LOG_HEADER_BYTES));

  /** A log that a long read kept is over as soon as SQLite has begun another one. */
  function endKeptLog(): void {
    if (!handedOver || handedOver.isOver) return;
    const header = readHeader();
    const { log: kept } = handedOver;
    if (header && header.salt1 === kept.salt1 && header.salt2 === kept.salt2) return;
    handOver({ log: kept, from: kept.end, bytes: new Uint8Array(0), isEmptied: true });
  }

  function handOver(emptied: EmptiedLog): void {
    handedOver = { log: emptied.log, isOver: emptied.isEmptied };
    if (emptied.isEmptied) {
      lastEmptied = emptied.log;
      lastOver = emptied.log;
      emptiedDatabase = statDatabase(databaseFile);
      storeNote();
    }
    unreportedBytes += emptied.bytes.length;
    const message: ToCopyThread = { kind: 'emptied', log: emptied };
    worker?.postMessage(message, [emptied.bytes.buffer as ArrayBuffer]);
  }

  /** The end of a log is not known: no copy can go on from it. */
  function giveUpLogs(): void {
    handedOver = null;
    lastEmptied = null;
    lastOver = null;
    storeNote();
    post({ kind: 'lost' });
  }

  /** Reads the part that the thread has not reported as copied of the log that is about to be emptied. */
  function takeRest(end: number): void {
    endKeptLog();
    const header = readHeader();
    if (!header) return;
    const { salt1, salt2 } = header;
    const known = [report.place, handedOver?.log].filter((place) => place?.salt1 === salt1 && place.salt2 === salt2);
    const from = Math.min(end, Math.max(0, ...known.map((place) => place?.end ?? 0)));
    if (unreportedBytes + end - from > handedOverMaxBytes) {
      emptying = { log: { salt1, salt2, end }, from: end, bytes: new Uint8Array(0) };
      return;
    }
    const bytes = new Uint8Array(end - from);
    const handle = openSync(logFile, 'r');
    try {
      readSync(handle, bytes, 0, bytes.length, from);
    } finally {
      closeSync(handle);
    }
    emptying = { log: { salt1, salt2, end }, from, bytes };
  }

  async function lookAndWait(): Promise<void> {
    // Without a copy there is nothing to wait for: what is missing is handed over. Nor does anybody wait twice for a slow disk.
    if (!worker || report.state !== 'ok' || isLate) return;
    post({ kind: 'look' });
    const looked = new Promise<void>((resolve) => waiting.add(resolve));
    const hasLooked = looked.then(() => true);
    isLate = !(await Promise.race([hasLooked, sleep(PREPARE_MAX_MS, false, { ref: false })]));
  }

  const copy: RunningCopy & {
    start: (gate: Checkpoints, identity: InstallationIdentity, log: Log) => void;
    countRemovedUpload: () => void;
    stop: () => Promise<void>;
  } = {
    status(): RunningCopyStatus {
      const { atMs, state, message, percent, reason } = report;
      const isSilent = worker !== null && monotonicNow() - reportedAtMs > SILENT_MAX_MS;
      if (isSilent && state !== 'stopped') {
        return {
          path,
          atMs,
          state: 'stopped',
          message: `Disk dari "${secondDir}" tidak menjawab. Periksa disk itu atau sambungan jaringannya.`,
          percent: null,
          stoppedSinceMs: now() - (monotonicNow() - reportedAtMs - SILENT_MAX_MS),
          reason: 'disk',
        };
      }
      return { path, atMs, state, message, percent, stoppedSinceMs, reason };
    },

    startNew(): boolean {
      if (report.reason !== 'emptied') return false;
      post({ kind: 'start new' });
      return true;
    },

    /** Must be called before an upload is removed. */
    countRemovedUpload(): void {
      Atomics.add(counter, 0, 1);
    },

    /** Begins to copy. */
    start(gate, identity, ownLogger): void {
      logger = ownLogger;
      const note = readNote(noteFile);
      copyIn = note?.copyIn ?? null;
      const hadCopy = copyIn === secondDir;
      const trusted = trustedEmptied(note);
      lastEmptied = trusted?.log ?? null;
      emptiedDatabase = note?.database ?? emptiedDatabase;
      notedAtMs = note?.atMs ?? null;
      if (hadCopy) report = { ...report, atMs: notedAtMs };
      checkpoints = gate;
      if (!worker) return;
      worker.on('message', receive);
      worker.on('error', (error: Error) => {
        logger?.warn({ err: error }, 'the thread of the running copy has ended');
        worker = null;
        gate.setGuard(null);
        report = { ...report, state: 'stopped', reason: 'disk', percent: null, place: null };
        report.message = 'Salinan berjalan berhenti karena kesalahan program. Jalankan ulang server.';
        stoppedSinceMs ??= now();
      });
      const known = { hadCopy, atMs: report.atMs, lastEmptied: trusted };
      post({ kind: 'start', beginning: { dataDir, databaseFile, secondDir, identity, ...known } });
      gate.setGuard({
        prepare: lookAndWait,
        beforeEmptied: takeRest,
        afterEmptied(isEmptied, isWhole) {
          if (!isWhole) giveUpLogs();
          else if (emptying && (isEmptied || emptying.bytes.length > 0)) handOver({ ...emptying, isEmptied });
          emptying = null;
        },
      });
    },

    /** Brings the copy up to the last commit, if the disk is quick enough. The database must still be open. */
    async stop(): Promise<void> {
      if (!worker || !checkpoints) return;
      const isEnded = new Promise<void>((resolve) => {
        ended = resolve;
      });
      await checkpoints.eraseDeleted();
      post({ kind: 'end' });
      await Promise.race([isEnded, sleep(END_MAX_MS, undefined, { ref: false })]);
      if (copyIn === secondDir) storeNote();
      checkpoints.setGuard(null);
      void worker.terminate();
      worker = null;
    },
  };
  return copy;
}
