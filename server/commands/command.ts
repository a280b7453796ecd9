import { DataFolderError } from '#server/db/data-folder.ts';
import { FirstAdminError } from '#server/features/auth/first-admin.ts';
import { ListenError } from '#server/http/listen.ts';
import { readSettings, type Settings } from '#server/settings.ts';

/** A command goes on after its promise: the process ends by a signal. */
export const KEEP_RUNNING = null;

/**
 * One command of the program, in Indonesian for whoever sits at the terminal.
 * @param args what stood behind the command's own name
 * @returns the exit code (0 done, 1 could not be done, 2 not understood), or KEEP_RUNNING
 */
export type Command = (args: string[]) => Promise<number | typeof KEEP_RUNNING>;

/** A fault whose message is the whole story for the person at the terminal; it may have several lines. */
export class CommandError extends Error {}

const PLAIN_FAULTS = [CommandError, DataFolderError, FirstAdminError, ListenError];

export const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** @throws CommandError with a line for each setting that makes no sense */
export function requireSettings(): Settings {
  const result = readSettings();
  if (!result.ok) throw new CommandError(result.problems.join('\n'));
  // Whatever is written from here on is the owner's alone.
  process.umask(0o077);
  return result.settings;
}

/** Says on stderr what went wrong. @returns the exit code */
export function tell(error: unknown): number {
  const isPlain = PLAIN_FAULTS.some((fault) => error instanceof fault);
  const text = error instanceof Error ? (isPlain ? error.message : (error.stack ?? error.message)) : String(error);
  process.stderr.write(`${text}\n`);
  return 1;
}
