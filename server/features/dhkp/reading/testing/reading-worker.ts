import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { LIST_THREAD_LIMITS } from '../list-reader.ts';
import { serveListReading } from '../reading-thread.ts';

const TASK = 'read a list';

/** Starts this file as a thread that reads one list, which is quicker than the whole program. */
export function startReadingWorker(): Worker {
  return new Worker(new URL(import.meta.url), { workerData: TASK, resourceLimits: LIST_THREAD_LIMITS });
}

if (!isMainThread && workerData === TASK) serveListReading();
