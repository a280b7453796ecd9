// First, because other modules use the streams while they load.
import './process/standard-streams.ts';
import { isMainThread } from 'node:worker_threads';
import { runBackupInWorker } from '#server/operations/backups/worker.ts';
import { serveRunningCopy } from '#server/operations/running-copy/copy-thread.ts';
import { chooseCommand } from '#server/commands/registry.ts';
import { KEEP_RUNNING, reportCommandError } from '#server/commands/terminal/command.ts';
import { serveListReading } from '#server/features/dhkp/reading/reading-process.ts';
import { serveExport } from '#server/features/own-data/export-thread.ts';
import { servePushes } from '#server/features/push/sending/push-thread.ts';
import { serveQueries } from '#server/db/query-worker.ts';
import { workerQueries } from '#server/worker-queries.ts';
import { findForeignOwner } from './commands/data-folder/second-folder-owner.ts';
import { isListProcess } from './commands/list-process.ts';
import { readThreadTask, type ThreadTasks } from './commands/threads.ts';

const workerTasks: { [K in keyof ThreadTasks]: (data: ThreadTasks[K]) => void } = {
  queries: ({ source, lane }) => serveQueries(workerQueries, source, lane),
  backup: (job) => runBackupInWorker(job, findForeignOwner),
  copy: (data) => serveRunningCopy(data),
  push: () => servePushes(),
  export: (data) => void serveExport(data),
};

/** The longest wait for the last output to be read before the process exits: a pager reads long texts page by page. */
const FLUSH_TIMEOUT_MS = 60_000;

async function main(): Promise<void> {
  // The reader of a pipe may close it (as in `| head`); that must not end the server.
  process.stdout.on('error', () => undefined);
  const { command, args } = chooseCommand(process.argv.slice(2));
  const exitCode = await command(args);
  if (exitCode !== KEEP_RUNNING) exitAfterFlush(exitCode);
}

/** Exits after the output is written: exiting at once would lose lines in a slow pipe. */
function exitAfterFlush(exitCode: number): void {
  if (exitCode !== 0 && isInOwnWindow()) {
    process.stderr.write('Tekan Enter untuk menutup jendela ini.\n');
    process.stdin.once('data', () => process.exit(exitCode));
    return;
  }
  setTimeout(() => process.exit(exitCode), FLUSH_TIMEOUT_MS);
  process.stdout.write('', () => process.stderr.write('', () => process.exit(exitCode)));
}

/** After a double click on Windows the window closes with the program, before an error in it can be read. */
function isInOwnWindow(): boolean {
  return process.platform === 'win32' && process.stdin.isTTY && process.argv.length <= 2;
}

// This file is the entry of the program, of its worker threads and of the process that reads a list: the single binary has only one entry.
const task = isMainThread ? null : readThreadTask();
if (task?.name === 'queries') workerTasks.queries(task.data);
else if (task?.name === 'backup') workerTasks.backup(task.data);
else if (task?.name === 'copy') workerTasks.copy(task.data);
else if (task?.name === 'push') workerTasks.push(task.data);
else if (task?.name === 'export') workerTasks.export(task.data);
else if (isListProcess()) serveListReading();
else main().catch((error: unknown) => exitAfterFlush(reportCommandError(error)));
