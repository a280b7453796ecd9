import { isMainThread, type ResourceLimits, Worker, workerData } from 'node:worker_threads';
import type { LaneName } from '#server/db/query-lane.ts';
import type { DatabaseSource } from '#server/db/source.ts';
import type { BackupJob } from '#server/operations/backups/backup-job.ts';
import type { ExportThreadData } from '#server/features/own-data/export-thread.ts';
import type { CopyThreadData } from '#server/operations/running-copy/copy-thread.ts';
import { isSingleBinary, seaResources } from '#server/files/resources.ts';

/** The tasks of worker threads, each with its data. */
export type ThreadTasks = {
  queries: { source: DatabaseSource; lane: LaneName };
  backup: BackupJob;
  copy: CopyThreadData;
  push: null;
  export: ExportThreadData;
};

type Task = { [K in keyof ThreadTasks]: { name: K; data: ThreadTasks[K] } }[keyof ThreadTasks];

/** The resource with which the single binary starts; scripts/package/sea-content.ts adds it. */
const STARTER_KEY = 'program/starter.cjs';

/** A list of a thousand records with the longest texts needs about 100 MB; more would be an error of the thread. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 384, maxYoungGenerationSizeMb: 16 };

/** Starts the program as a worker thread with one task. */
export function startThread<K extends keyof ThreadTasks>(
  name: K,
  data: ThreadTasks[K],
  resourceLimits: ResourceLimits = RESOURCE_LIMITS,
): Worker {
  // Files of a thread stay open when it ends: closing the database file would drop SQLite's locks on it.
  const files = { trackUnmanagedFds: false };
  const options = { workerData: { pbbTask: { name, data } }, resourceLimits, ...files };
  // A thread cannot run the single binary itself, but the script in it.
  if (isSingleBinary()) return new Worker(seaResources().read(STARTER_KEY).toString(), { ...options, eval: true });
  return new Worker(entryUrl(), options);
}

/** The bundle is a single file; among the sources the entry is main.ts. */
export function entryUrl(): URL {
  const here = import.meta.url;
  return here.endsWith('/threads.ts') ? new URL('../main.ts', here) : new URL(here);
}

/** The task of this thread; null in the main thread and in threads of other programs, such as the test runner. */
export function readThreadTask(): Task | null {
  if (isMainThread || typeof workerData !== 'object' || workerData === null || !('pbbTask' in workerData)) return null;
  return (workerData as { pbbTask: Task }).pbbTask;
}
