import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { listChangedSettings } from '#server/settings.ts';
import { type SettingName, settingsTable } from '#server/settings-table.ts';
import { errorCodeOrText } from '#server/files/atomic.ts';
import { CommandError } from '../terminal/command-errors.ts';

/** The settings file in the data folder: a service, a double click and a command find the same settings there. */
export const SETTINGS_FILE = 'setelan.env';
/** Notepad may save the file under these names, while the Explorer hides file extensions. */
const MISNAMED_FILES = ['setelan.env.txt', 'setelan.txt'];

export type SettingsFile = {
  /** null when there is no settings file. */
  path: string | null;
  values: Record<string, string>;
  /** A line for each entry without effect, and for each file under a wrong name. */
  warnings: string[];
};

/**
 * Reads the settings file as editors write it: also with a byte order mark or with line ends of Windows.
 * @throws CommandError for a file that cannot be read or is not plain text
 */
export function readSettingsFile(dataDir: string): SettingsFile {
  const misnamed = MISNAMED_FILES.map((name) => join(dataDir, name)).filter((path) => existsSync(path));
  const warnings = misnamed.map((path) => `Berkas "${path}" tidak dibaca: ganti namanya menjadi "${SETTINGS_FILE}".`);
  const path = join(dataDir, SETTINGS_FILE);
  if (!existsSync(path)) return { path: null, values: {}, warnings };
  const text = readText(path);
  const found = Object.entries(parseEnv(text)).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  const values = Object.fromEntries(found) as Record<string, string>;
  return { path, values, warnings: [...warnings, ...listIgnoredLines(path, text, Object.keys(values))] };
}

function readText(path: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    const reason = errorCodeOrText(error);
    throw unusableFileError(
      path,
      `tidak dapat dibaca (${reason})`,
      'berkas teks milik pengguna yang menjalankan program ini',
    );
  }
  // UTF-16 (Notepad calls it Unicode) has a zero in every second byte of ASCII text.
  if (bytes.includes(0)) {
    throw unusableFileError(
      path,
      'bukan teks biasa (UTF-16?)',
      'teks UTF-8; di Notepad: Simpan sebagai, pengodean UTF-8',
    );
  }
  // Otherwise the byte order mark would become part of the first name.
  return bytes.toString('utf8').replace(/^\uFEFF/, '');
}

const unusableFileError = (path: string, why: string, accepted: string): CommandError =>
  new CommandError(`DATA_DIR: berkas setelan "${path}" ${why}; yang diterima: ${accepted}`);

/** A comment after a value follows a space; without one the sign probably belongs to the value. */
const CUT_AT_HASH = /^[ \t]*(?:export[ \t]+)?([\w.-]+)[ \t]*=(?:#|[ \t]*(?!["'`])[^\s#][^\n#]*(?<!\s)#)/gm;

function listIgnoredLines(path: string, text: string, names: string[]): string[] {
  const known = new Set(Object.keys(settingsTable));
  const ignored = names.flatMap((name) => {
    if (name === 'DATA_DIR') return ['DATA_DIR tidak berlaku di sini; pakai --data FOLDER.'];
    if (known.has(name)) return [];
    const upper = name.toUpperCase();
    return [`${name} tidak dikenal dan diabaikan${known.has(upper) ? `; maksudnya ${upper}?` : '.'}`];
  });
  const linesWithoutValue = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#') && !line.includes('='));
  for (const [, name = ''] of text.matchAll(CUT_AT_HASH)) {
    ignored.push(
      `nilai ${name} dipotong pada "#"; bila "#" bagian dari nilainya, tulis nilainya di antara tanda kutip, bila bukan, beri spasi sebelum "#".`,
    );
  }
  // The line itself is not repeated: it may be a password.
  if (linesWithoutValue.length > 0)
    ignored.push(`${linesWithoutValue.length} baris tanpa "=" diabaikan; yang benar misalnya PORT=8080`);
  return ignored.map((line) => `${path}: ${line}`);
}

/** Makes the file readable by its owner only: it may hold a secret, and editors let all accounts read it. */
export function restrictSettingsFile(dataDir: string): void {
  try {
    chmodSync(join(dataDir, SETTINGS_FILE), 0o600);
  } catch {
    // The file does not exist or has another owner; doctor reports the second case.
  }
}

/** The service gets the data folder as an option, and the first administrator is made before it starts. */
const NOT_STORED: readonly SettingName[] = ['DATA_DIR', 'ADMIN_EMAIL', 'ADMIN_PASSWORD', 'ADMIN_NAME'];

/**
 * The lines of the settings file of a service: it starts with another environment than this command.
 * @returns one line for each setting that differs from its default
 * @throws CommandError for a value that the file cannot hold
 */
export function settingsLines(environment?: NodeJS.ProcessEnv): string[] {
  return listChangedSettings(environment)
    .filter(([name]) => !NOT_STORED.includes(name))
    .map(([name, text]) => `${name}=${quoteValue(name, text)}`);
}

function quoteValue(name: string, value: string): string {
  if (/^[\w.:/@,+=~-]*$/.test(value)) return value;
  const quote = ["'", '"', '`'].find((mark) => !value.includes(mark));
  if (quote !== undefined && !value.includes('\n')) return `${quote}${value}${quote}`;
  throw new CommandError(
    `${name}: nilainya tidak dapat disimpan dalam berkas setelan; yang diterima: tanpa tanda kutip`,
  );
}
