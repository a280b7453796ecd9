import { basename, relative, resolve } from 'node:path';
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import { DataFolderError } from '#server/db/data-folder.ts';
import { FirstAdminError } from '#server/features/auth/first-admin.ts';
import { ListenError } from '#server/http/listen/listen.ts';
import { isSingleBinary } from '#server/files/resources.ts';
import { addToEnvironment, readSettings, type Settings } from '#server/settings.ts';
import { findDefaultDataDir } from '../data-folder/default-data-dir.ts';
import { CommandError, UsageError } from './command-errors.ts';
import { dropPrivilegesToOwner } from '../data-folder/drop-privileges.ts';
import { readSettingsFile } from '../data-folder/settings-file.ts';

/** A command goes on after its promise: the process ends by a signal. */
export const KEEP_RUNNING = null;

/**
 * One command of the program, in Indonesian for whoever sits at the terminal.
 * @param args what stood behind the command's own name
 * @returns the exit code (0 done, 1 could not be done, 2 not understood), or KEEP_RUNNING
 */
export type Command = (args: string[]) => Promise<number | typeof KEEP_RUNNING>;

const EXPECTED_ERRORS = [CommandError, DataFolderError, FirstAdminError, ListenError];

export const printLine = (line: string): void => void process.stdout.write(`${line}\n`);

/** How this program is started, for the lines that say what to type next. */
export function programName(): string {
  if (isSingleBinary()) return basename(process.execPath);
  return `node ${relative(process.cwd(), process.argv[1] ?? '') || 'main.mjs'}`;
}

/**
 * Reads the options of a command.
 * @param positionalsMax how many words without a dash are understood
 * @throws UsageError for anything else
 */
export function parseOptions<const T extends ParseArgsOptionsConfig>(args: string[], options: T, positionalsMax = 0) {
  const parsed = parseStrictly(args, options);
  const { [positionalsMax]: surplus } = parsed.positionals;
  if (surplus !== undefined) throw new UsageError(`"${surplus}" tidak dikenal di sini.`);
  return parsed;
}

function parseStrictly<const T extends ParseArgsOptionsConfig>(args: string[], options: T) {
  try {
    return parseArgs({ args, options, strict: true, allowPositionals: true });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    const [, name = ''] = /'(-[^' ,]+)/.exec(error.message) ?? [];
    if (error.code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') throw new UsageError(`Pilihan "${name}" tidak dikenal.`);
    if (error.code !== 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE') throw error;
    const takesNone = error.message.includes('does not take');
    throw new UsageError(takesNone ? `Pilihan "${name}" tidak memakai nilai.` : `Pilihan "${name}" memerlukan nilai.`);
  }
}

/** What was said on the command line; it wins over the environment. */
export type SettingsOptions = {
  /** `--data`: the data folder. */
  data?: string | undefined;
  /** `--port` */
  port?: string | undefined;
  /** `--tls` */
  tls?: boolean | undefined;
  /** Goes on as root on somebody else's folder: for what the system itself is told, or ports that only root may take. */
  keepsRoot?: (settings: Settings) => boolean;
  /** Told of what stands in the settings file to no effect; stderr when left out. */
  warn?: (line: string) => void;
};

/**
 * What the program is to do, and as whom: root turns into the owner of the data folder, so that nothing is left in it
 * that the server cannot open.
 * @throws CommandError with a line for each setting that makes no sense
 * @throws UsageError for an option that makes none
 */
export function requireSettings(given: SettingsOptions = {}): Settings {
  const { port, tls, keepsRoot = () => false, warn = warnOnStderr } = given;
  if (port !== undefined && (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)) {
    throw new UsageError(`--port: nilai "${port}" tidak dapat dipakai; yang diterima: bilangan bulat 0 sampai 65535`);
  }
  const dataDir = requireDataDir(given);
  const { values, warnings } = readSettingsFile(dataDir);
  for (const line of warnings) warn(line);
  addToEnvironment(values);
  const settings = { ...requireValidSettings(), dataDir };
  if (port !== undefined) settings.port = Number(port);
  if (tls === true) settings.tls = { ...settings.tls, local: true };
  // Whatever is written from here on is the owner's alone.
  process.umask(0o077);
  if (!keepsRoot(settings)) dropPrivilegesToOwner(dataDir);
  return settings;
}

/**
 * Which folder is meant, before its settings are read.
 * @throws CommandError for an environment that makes no sense
 * @throws UsageError for an option without a name
 */
export function requireDataDir({ data }: Pick<SettingsOptions, 'data'>): string {
  if (data === '') throw new UsageError('Pilihan "--data" memerlukan nama folder.');
  return data === undefined ? requireValidSettings().dataDir : resolve(data);
}

function requireValidSettings(): Settings {
  const result = readSettings(undefined, findDefaultDataDir());
  if (!result.ok) throw new CommandError(result.problems.join('\n'));
  return result.settings;
}

const warnOnStderr = (line: string): void => void process.stderr.write(`PERINGATAN: ${line}\n`);

/** Says on stderr what went wrong. @returns the exit code */
export function reportCommandError(error: unknown): number {
  if (error instanceof UsageError) {
    process.stderr.write(`${error.message}\nJalankan "${programName()} help" untuk melihat semua perintah.\n`);
    return 2;
  }
  process.stderr.write(`${formatErrorText(error)}\n`);
  return 1;
}

/** What there is to say about a fault; where it came from only for one that nobody foresaw. */
export function formatErrorText(error: unknown): string {
  const isExpected = EXPECTED_ERRORS.some((fault) => error instanceof fault);
  return error instanceof Error ? (isExpected ? error.message : (error.stack ?? error.message)) : String(error);
}
