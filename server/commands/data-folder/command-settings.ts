import { resolve } from 'node:path';
import { settingsTable } from '#server/settings-table.ts';
import { addToEnvironment, readSettings, type Settings } from '#server/settings.ts';
import { CommandError, UsageError } from '../terminal/command-errors.ts';
import { findDefaultDataDir } from './default-data-dir.ts';
import { dropPrivilegesToOwner } from './drop-privileges.ts';
import { readSettingsFile } from './settings-file.ts';

/** Options of the command line; they win over the environment and the settings file. */
export type SettingsOptions = {
  /** `--data`: the data folder. */
  data?: string | undefined;
  /** `--port` */
  port?: string | undefined;
  /** `--tls` */
  tls?: boolean | undefined;
  /** Whether root keeps its privileges: to install a system service, or to listen on a privileged port. */
  keepsRoot?: (settings: Settings) => boolean;
  /** Whether an office moves between the engines: then the settings of both may be there. */
  isMove?: boolean;
  /** Receives a line for each entry of the settings file that has no effect; by default it goes to stderr. */
  warn?: (line: string) => void;
};

/**
 * Reads all settings: from the command line, the environment and the settings file, in this order of precedence. Root
 * drops its privileges to the owner of the data folder: the server could not open files that root left there.
 * @throws CommandError with one line for each invalid setting
 * @throws UsageError for an invalid option
 */
export function requireSettings(given: SettingsOptions = {}): Settings {
  const { port, tls, isMove = false, keepsRoot = () => false, warn = warnOnStderr } = given;
  const portNumber = port === undefined ? null : parsePortOption(port);
  const dataDir = requireDataDir(given);
  const { values, warnings } = readSettingsFile(dataDir);
  for (const line of warnings) warn(line);
  addToEnvironment(values);
  const settings = { ...requireValidSettings(isMove), dataDir };
  if (portNumber !== null) settings.port = portNumber;
  if (tls === true) settings.tls = { ...settings.tls, local: true };
  // Only the owner may read the files that are written from here on.
  process.umask(0o077);
  if (!keepsRoot(settings)) dropPrivilegesToOwner(dataDir);
  return settings;
}

function parsePortOption(port: string): number {
  const { data, error } = settingsTable.PORT.schema.safeParse(port);
  if (data !== undefined) return data;
  throw new UsageError(`--port: nilai "${port}" tidak dapat dipakai; yang diterima: ${error?.issues[0]?.message}`);
}

/**
 * Chooses the data folder before the settings file in it is read.
 * @throws CommandError for an invalid environment
 * @throws UsageError for `--data` without a name
 */
export function requireDataDir({ data, isMove = false }: Pick<SettingsOptions, 'data' | 'isMove'>): string {
  if (data === '') throw new UsageError('Pilihan "--data" memerlukan nama folder.');
  return data === undefined ? requireValidSettings(isMove).dataDir : resolve(data);
}

function requireValidSettings(isMove: boolean): Settings {
  const result = readSettings(undefined, findDefaultDataDir(), { isMove });
  if (!result.ok) throw new CommandError(result.problems.join('\n'));
  return result.settings;
}

const warnOnStderr = (line: string): void => void process.stderr.write(`PERINGATAN: ${line}\n`);
