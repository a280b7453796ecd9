import { isMainThread, Worker, workerData } from 'node:worker_threads';
import type { BackupJob } from '#server/operations/backups/backup-job.ts';
import { isSingleBinary, seaResources } from '#server/files/resources.ts';

/** What threads of this program do, and what each is given. */
export type ThreadTasks = {
  reads: { databaseFile: string };
  backup: BackupJob;
};

type Task = { [K in keyof ThreadTasks]: { name: K; data: ThreadTasks[K] } }[keyof ThreadTasks];

/** What the single binary itself starts with (scripts/package/content.ts puts it there). */
const STARTER_KEY = 'program/starter.cjs';

/** Starts the program once more, as a thread with one task. */
export function startThread<K extends keyof ThreadTasks>(name: K, data: ThreadTasks[K]): Worker {
  const options = { workerData: { pbbTask: { name, data } } };
  // The single binary is no script that a thread could be given, but holds one.
  if (isSingleBinary()) return new Worker(seaResources().read(STARTER_KEY).toString(), { ...options, eval: true });
  return new Worker(entryUrl(), options);
}

/** The bundle is one file; among the sources the entry stands beside this one. */
function entryUrl(): URL {
  const here = import.meta.url;
  return here.endsWith('/threads.ts') ? new URL('main.ts', here) : new URL(here);
}

/** What this thread was started for; null in the program itself and in threads of others (a test runner's). */
export function readThreadTask(): Task | null {
  if (isMainThread || typeof workerData !== 'object' || workerData === null || !('pbbTask' in workerData)) return null;
  return (workerData as { pbbTask: Task }).pbbTask;
}
