import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { LIST_PROCESS_OPTIONS } from '#server/features/dhkp/reading/list-reader.ts';
import { isSingleBinary } from '#server/files/resources.ts';
import { entryUrl } from './threads.ts';

/** The only word of such a process; it shows in the computer's list of processes. */
const TASK = 'baca-daftar';

/** Starts the program as a process that reads one list. */
export const startListProcess = (): ChildProcess =>
  spawn(programFile(), [...(isSingleBinary() ? [] : [fileURLToPath(entryUrl())]), TASK], {
    ...LIST_PROCESS_OPTIONS,
    argv0: process.execPath,
  });

/** Linux finds the program of this process also after an upgrade has replaced its file. */
const programFile = (): string => (process.platform === 'linux' ? '/proc/self/exe' : process.execPath);

/** Whether this process was started by `startListProcess`. */
export const isListProcess = (): boolean => process.argv[2] === TASK && process.send !== undefined;
