import { isMainThread } from 'node:worker_threads';
import { commands } from './commands/all.ts';
import { CommandError, KEEP_RUNNING, tell } from './commands/command.ts';
import { serveReads } from './db/reader.ts';
import { heavyReads } from './heavy-reads.ts';
import { threadTask, type ThreadTasks } from './threads.ts';

const threads: { [K in keyof ThreadTasks]: (data: ThreadTasks[K]) => void } = {
  reads: ({ databaseFile }) => serveReads(heavyReads, databaseFile),
};

/** Options without a command are those of the server: it is what the program does when it is just started. */
async function main(): Promise<void> {
  const [first = '', ...rest] = process.argv.slice(2);
  const isOption = first === '' || first.startsWith('-');
  const command = isOption ? commands['serve'] : commands[first];
  if (!command)
    throw new CommandError(`Perintah "${first}" tidak dikenal. Jalankan "help" untuk melihat semua perintah.`);
  const exitCode = await command(isOption ? process.argv.slice(2) : rest);
  if (exitCode !== KEEP_RUNNING) process.exit(exitCode);
}

// One file is both the program and every thread that it starts: that is all a single binary has.
const task = isMainThread ? null : threadTask();
if (task?.name === 'reads') threads.reads(task.data);
else main().catch((error: unknown) => process.exit(tell(error)));
