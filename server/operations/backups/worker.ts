import { setPriority } from 'node:os';
import { parentPort, type Worker } from 'node:worker_threads';
import { runBackup, type BackupJob, type BackupOutcome, type FindForeignOwner } from './backup-job.ts';

/** Starts a backup: in a worker thread in the server, in the same thread in commands. */
export type StartBackup = (
  job: BackupJob,
  onPercent: (percent: number) => void,
) => {
  /** Rejects only when the thread itself ends. */
  outcome: Promise<BackupOutcome>;
  /** Ends the backup. The next backup sweeps its leftovers. */
  stop: () => Promise<void>;
};

type WorkerMessage = { percent: number } | { outcome: BackupOutcome };

/** @param startWorker starts a thread that calls `runBackupInWorker` with the job */
export function createWorkerStart(startWorker: (job: BackupJob) => Worker): StartBackup {
  return (job, onPercent) => {
    const worker = startWorker(job);
    const outcome = new Promise<BackupOutcome>((resolve, reject) => {
      worker.on('message', (report: WorkerMessage) => {
        if ('outcome' in report) resolve(report.outcome);
        else onPercent(report.percent);
      });
      worker.once('error', reject);
      worker.once('exit', (code) => reject(new Error(`the backup thread ended with ${code}`)));
    });
    return {
      outcome,
      stop: async () => {
        await worker.terminate();
      },
    };
  };
}

/** For commands, where nothing else runs in the thread. */
export const startInProcess: StartBackup = (job, onPercent) => ({
  outcome: runBackup(job, { onPercent }),
  stop: async () => undefined,
});

/** Runs inside the worker thread. */
export function runBackupInWorker(job: BackupJob, findForeignOwner: FindForeignOwner): void {
  // On Linux niceness belongs to a thread. On other systems this would slow the whole server down.
  if (process.platform === 'linux') setPriority(19);
  const postToParent = (message: WorkerMessage): void => parentPort?.postMessage(message);
  runBackup(job, { onPercent: (percent) => postToParent({ percent }), findForeignOwner }).then(
    (outcome) => postToParent({ outcome }),
    (error: unknown) => {
      // Thrown outside the promise, the error reaches the 'error' event of the thread that started this one.
      setImmediate(() => {
        throw error;
      });
    },
  );
}
