import { isMainThread } from 'node:worker_threads';
import { serveBackup } from '#server/operations/backups/thread.ts';
import { chooseCommand } from './commands/all.ts';
import { KEEP_RUNNING, tell } from './commands/command.ts';
import { serveReads } from './db/reader.ts';
import { heavyReads } from './heavy-reads.ts';
import { threadTask, type ThreadTasks } from './threads.ts';

const threads: { [K in keyof ThreadTasks]: (data: ThreadTasks[K]) => void } = {
  reads: ({ databaseFile }) => serveReads(heavyReads, databaseFile),
  backup: (job) => serveBackup(job),
};

/** How long a reader of our last words may take. */
const LAST_WORDS_MS = 2000;

async function main(): Promise<void> {
  // Whoever read our lines may stop reading; that is no fault.
  process.stdout.on('error', () => undefined);
  const { command, args } = chooseCommand(process.argv.slice(2));
  const exitCode = await command(args);
  if (exitCode !== KEEP_RUNNING) end(exitCode);
}

/** Once everything that was said has been passed on: exiting at once would cut it off where pipes are slow. */
function end(exitCode: number): void {
  if (exitCode !== 0 && isInOwnWindow()) {
    process.stderr.write('Tekan Enter untuk menutup jendela ini.\n');
    process.stdin.once('data', () => process.exit(exitCode));
    return;
  }
  setTimeout(() => process.exit(exitCode), LAST_WORDS_MS);
  process.stdout.write('', () => process.stderr.write('', () => process.exit(exitCode)));
}

/** A double click on Windows opens a window that closes with the program: nobody could read why it did not start. */
function isInOwnWindow(): boolean {
  return process.platform === 'win32' && process.stdin.isTTY && process.argv.length <= 2;
}

// One file is both the program and every thread that it starts: that is all a single binary has.
const task = isMainThread ? null : threadTask();
if (task?.name === 'reads') threads.reads(task.data);
else if (task?.name === 'backup') threads.backup(task.data);
else main().catch((error: unknown) => end(tell(error)));
