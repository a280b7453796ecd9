import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { LIST_PROCESS_OPTIONS } from '../list-reader.ts';
import { serveListReading } from '../reading-process.ts';

const FILE = fileURLToPath(import.meta.url);

/** Starts this file as a process that reads one list, which is quicker than the whole program. */
export const startReading = (): ChildProcess => spawn(process.execPath, [FILE], LIST_PROCESS_OPTIONS);

/** Starts a process that runs a script in the place of a reading. */
export const startScript = (script: string): ChildProcess =>
  spawn(process.execPath, ['-e', script], LIST_PROCESS_OPTIONS);

if (process.argv[1] === FILE && process.send) serveListReading();
