import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import { DataFolderError } from '#server/db/data-folder/data-folder.ts';
import { DatabaseAddressError } from '#server/db/postgres/address-error.ts';
import { FirstAdminError } from '#server/features/auth/first-admin.ts';
import { ListenError } from '#server/http/listen/listen.ts';
import { withoutParameters } from '#server/db/engine.ts';
import { errorCode } from '#server/files/atomic.ts';
import { programName } from '#server/files/program-name.ts';
import { CommandError, UsageError } from './command-errors.ts';

/** Returned by a command that runs on after its promise is resolved; a signal ends the process. */
export const KEEP_RUNNING = null;

/**
 * One command of the program. Everything that it prints is Indonesian.
 * @param args the words after the command's own name
 * @returns the exit code (0 done, 1 failed, 2 not understood), or KEEP_RUNNING
 */
export type Command = (args: string[]) => Promise<number | typeof KEEP_RUNNING>;

/** Errors whose message explains everything; a stack trace would only confuse. */
const EXPECTED_ERRORS = [CommandError, DataFolderError, DatabaseAddressError, FirstAdminError, ListenError];

export const printLine = (line: string): void => void process.stdout.write(`${line}\n`);

/**
 * Parses the options of a command.
 * @param positionalsMax how many words without a leading dash are accepted
 * @throws UsageError for anything else
 */
export function parseOptions<const T extends ParseArgsOptionsConfig>(args: string[], options: T, positionalsMax = 0) {
  const parsed = parseStrictly(args, options);
  const { [positionalsMax]: surplus } = parsed.positionals;
  if (surplus !== undefined) throw new UsageError(`"${surplus}" tidak dikenal di sini.`);
  return parsed;
}

/** Node's own messages are English: each becomes an Indonesian one. */
function parseStrictly<const T extends ParseArgsOptionsConfig>(args: string[], options: T) {
  try {
    return parseArgs({ args, options, strict: true, allowPositionals: true });
  } catch (error) {
    const code = errorCode(error);
    if (!(error instanceof Error) || code === undefined) throw error;
    const [, name = ''] = /'(-[^' ,]+)/.exec(error.message) ?? [];
    if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') throw new UsageError(`Pilihan "${name}" tidak dikenal.`);
    if (code !== 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE') throw error;
    const takesNoValue = error.message.includes('does not take');
    throw new UsageError(
      takesNoValue ? `Pilihan "${name}" tidak memakai nilai.` : `Pilihan "${name}" memerlukan nilai.`,
    );
  }
}

/** Prints an error on stderr. @returns the exit code */
export function reportCommandError(error: unknown): number {
  if (error instanceof UsageError) {
    process.stderr.write(`${error.message}\nJalankan "${programName()} help" untuk melihat semua perintah.\n`);
    return 2;
  }
  process.stderr.write(`${formatErrorText(error)}\n`);
  return 1;
}

/** @returns the message of an expected error, the stack trace of any other */
export function formatErrorText(thrown: unknown): string {
  const error = withoutParameters(thrown);
  if (!(error instanceof Error)) return String(error);
  const isExpected = EXPECTED_ERRORS.some((expected) => error instanceof expected);
  return isExpected ? error.message : (error.stack ?? error.message);
}
