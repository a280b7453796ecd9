import { isMainThread } from 'node:worker_threads';
import { runBackupInWorker } from '#server/operations/backups/worker.ts';
import { chooseCommand } from '#server/commands/registry.ts';
import { KEEP_RUNNING, reportCommandError } from '#server/commands/terminal/command.ts';
import { serveQueries } from '#server/db/query-worker.ts';
import { workerQueries } from '#server/worker-queries.ts';
import { readThreadTask, type ThreadTasks } from './threads.ts';

const workerTasks: { [K in keyof ThreadTasks]: (data: ThreadTasks[K]) => void } = {
  reads: ({ databaseFile }) => serveQueries(workerQueries, databaseFile),
  backup: (job) => runBackupInWorker(job),
};

/** How long a reader of our last words may take. */
const FLUSH_TIMEOUT_MS = 2000;

async function main(): Promise<void> {
  // Whoever read our lines may stop reading; that is no fault.
  process.stdout.on('error', () => undefined);
  const { command, args } = chooseCommand(process.argv.slice(2));
  const exitCode = await command(args);
  if (exitCode !== KEEP_RUNNING) exitAfterFlush(exitCode);
}

/** Once everything that was said has been passed on: exiting at once would cut it off where pipes are slow. */
function exitAfterFlush(exitCode: number): void {
  if (exitCode !== 0 && isInOwnWindow()) {
    process.stderr.write('Tekan Enter untuk menutup jendela ini.\n');
    process.stdin.once('data', () => process.exit(exitCode));
    return;
  }
  setTimeout(() => process.exit(exitCode), FLUSH_TIMEOUT_MS);
  process.stdout.write('', () => process.stderr.write('', () => process.exit(exitCode)));
}

/** A double click on Windows opens a window that closes with the program: nobody could read why it did not start. */
function isInOwnWindow(): boolean {
  return process.platform === 'win32' && process.stdin.isTTY && process.argv.length <= 2;
}

// One file is both the program and every thread that it starts: that is all a single binary has.
const task = isMainThread ? null : readThreadTask();
if (task?.name === 'reads') workerTasks.reads(task.data);
else if (task?.name === 'backup') workerTasks.backup(task.data);
else main().catch((error: unknown) => exitAfterFlush(reportCommandError(error)));
