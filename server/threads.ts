import { isMainThread, Worker, workerData } from 'node:worker_threads';

/** What threads of this program do, and what each is given. */
export type ThreadTasks = {
  reads: { databaseFile: string };
};

type Task = { [K in keyof ThreadTasks]: { name: K; data: ThreadTasks[K] } }[keyof ThreadTasks];

// The bundle is one file; among the sources the entry stands beside this one.
const here = import.meta.url;
const entry = here.endsWith('/threads.ts') ? new URL('main.ts', here) : new URL(here);

/** Starts the program once more, as a thread with one task. */
export function startThread<K extends keyof ThreadTasks>(name: K, data: ThreadTasks[K]): Worker {
  return new Worker(entry, { workerData: { pbbTask: { name, data } } });
}

/** What this thread was started for; null in the program itself and in threads of others (a test runner's). */
export function threadTask(): Task | null {
  if (isMainThread || typeof workerData !== 'object' || workerData === null || !('pbbTask' in workerData)) return null;
  return (workerData as { pbbTask: Task }).pbbTask;
}
