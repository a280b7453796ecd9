import { existsSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import { DataFolderError } from '#server/db/data-folder.ts';
import { FirstAdminError } from '#server/features/auth/first-admin.ts';
import { ListenError } from '#server/http/listen.ts';
import { isSingleBinary } from '#server/resources.ts';
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

/** What was asked for was not understood: exit code 2, and where to read on. */
export class UsageError extends Error {}

const PLAIN_FAULTS = [CommandError, DataFolderError, FirstAdminError, ListenError];

export const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** How this program is started, for the lines that say what to type next. */
export function programName(): string {
  if (isSingleBinary()) return basename(process.execPath);
  return `node ${relative(process.cwd(), process.argv[1] ?? '') || 'main.mjs'}`;
}

/**
 * Reads the options of a command.
 * @param most how many words without a dash are understood
 * @throws UsageError for anything else
 */
export function parseOptions<const T extends ParseArgsOptionsConfig>(args: string[], options: T, most = 0) {
  const parsed = parseStrictly(args, options);
  const { [most]: surplus } = parsed.positionals;
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

/** A file of settings in the data folder, so that a service, a double click and a command by hand all find the same. */
export const SETTINGS_FILE = 'setelan.env';

/** What was said on the command line; it wins over the environment. */
export type SettingsGiven = {
  /** `--data`: the data folder. */
  data?: string | undefined;
  /** `--port` */
  port?: string | undefined;
  /** `--tls` */
  tls?: boolean | undefined;
};

/**
 * @throws CommandError with a line for each setting that makes no sense
 * @throws UsageError for an option that makes none
 */
export function requireSettings(given: SettingsGiven = {}): Settings {
  const { data, port, tls } = given;
  if (data === '') throw new UsageError('Pilihan "--data" memerlukan nama folder.');
  if (port !== undefined && (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)) {
    throw new UsageError(`--port: nilai "${port}" tidak dapat dipakai; yang diterima: bilangan bulat 0 sampai 65535`);
  }
  const dataDir = data === undefined ? acceptable().dataDir : resolve(data);
  const file = join(dataDir, SETTINGS_FILE);
  if (existsSync(file)) loadFile(file);
  const settings = { ...acceptable(), dataDir };
  if (port !== undefined) settings.port = Number(port);
  if (tls === true) settings.tls = { ...settings.tls, local: true };
  // Whatever is written from here on is the owner's alone.
  process.umask(0o077);
  return settings;
}

function acceptable(): Settings {
  const result = readSettings();
  if (!result.ok) throw new CommandError(result.problems.join('\n'));
  return result.settings;
}

/** What stands in the environment already wins over the file. */
function loadFile(file: string): void {
  try {
    process.loadEnvFile(file);
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new CommandError(
      `DATA_DIR: berkas setelan "${file}" tidak dapat dibaca (${reason}); yang diterima: berkas teks milik pengguna yang menjalankan program ini`,
    );
  }
}

/** Says on stderr what went wrong. @returns the exit code */
export function tell(error: unknown): number {
  if (error instanceof UsageError) {
    process.stderr.write(`${error.message}\nJalankan "${programName()} help" untuk melihat semua perintah.\n`);
    return 2;
  }
  const isPlain = PLAIN_FAULTS.some((fault) => error instanceof fault);
  const text = error instanceof Error ? (isPlain ? error.message : (error.stack ?? error.message)) : String(error);
  process.stderr.write(`${text}\n`);
  return 1;
}
