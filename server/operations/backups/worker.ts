import { setPriority } from 'node:os';
import { parentPort, type Worker } from 'node:worker_threads';
import { runBackup, type BackupJob, type BackupOutcome } from './backup-job.ts';

/** How a backup is run: in a thread by the server, on the spot by commands. */
export type StartBackup = (
  job: BackupJob,
  onPercent: (percent: number) => void,
) => {
  /** Rejects only when the thread itself ended. */
  outcome: Promise<BackupOutcome>;
  /** Ends it; what it leaves behind is swept before the next one. */
  stop: () => Promise<void>;
};

type WorkerMessage = { percent: number } | { outcome: BackupOutcome };

/** @param startWorker starts a thread that calls `serveBackup` with the job */
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

/** On the spot: for commands, where nobody else waits. */
export const startInProcess: StartBackup = (job, onPercent) => ({
  outcome: runBackup(job, onPercent),
  stop: async () => undefined,
});

/** The thread's side. */
export function runBackupInWorker(job: BackupJob): void {
  // Linux counts niceness by thread; elsewhere this would slow the whole server down.
  if (process.platform === 'linux') setPriority(19);
  const postToParent = (what: WorkerMessage): void => parentPort?.postMessage(what);
  runBackup(job, (percent) => postToParent({ percent })).then(
    (outcome) => postToParent({ outcome }),
    (error: unknown) => {
      // Nobody waits here; thrown past the promise it reaches the 'error' event of whoever started the thread.
      setImmediate(() => {
        throw error;
      });
    },
  );
}
