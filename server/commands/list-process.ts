import { type ChildProcess, spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { LIST_PROCESS_OPTIONS } from '#server/features/dhkp/reading/list-reader.ts';
import { isSingleBinary } from '#server/files/resources.ts';
import { entryUrl } from './threads.ts';

/** The only word of such a process; it shows in the computer's list of processes. */
const TASK = 'baca-daftar';
/** While every core is busy, the chat comes first, as before slow queries. */
const NICENESS = 10;

/** Starts the program as a process that reads one list. */
export function startListProcess(): ChildProcess {
  const child = spawn(programFile(), [...(isSingleBinary() ? [] : [fileURLToPath(entryUrl())]), TASK], {
    ...LIST_PROCESS_OPTIONS,
    argv0: process.execPath,
  });
  try {
    // On Linux niceness belongs to a thread, and those that the process starts from here on inherit it.
    if (child.pid !== undefined) setPriority(child.pid, NICENESS);
  } catch {
    // It has ended already, which is reported on its own.
  }
  return child;
}

/** Linux finds the program of this process also after an upgrade has replaced its file. */
const programFile = (): string => (process.platform === 'linux' ? '/proc/self/exe' : process.execPath);

/** Whether this process was started by `startListProcess`. */
export const isListProcess = (): boolean => process.argv[2] === TASK && process.send !== undefined;
