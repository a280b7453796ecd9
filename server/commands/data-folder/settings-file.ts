import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { settingsTable } from '#server/settings-table.ts';
import { CommandError } from '../terminal/command-errors.ts';

/** A file of settings in the data folder, so that a service, a double click and a command by hand all find the same. */
export const SETTINGS_FILE = 'setelan.env';
/** What Notepad makes of that name, while the Explorer shows no endings. */
const MISNAMED_FILES = ['setelan.env.txt', 'setelan.txt'];

export type SettingsFile = {
  /** null: there is none. */
  path: string | null;
  values: Record<string, string>;
  /** Lines about what is in it (or beside it) to no effect. */
  warnings: string[];
};

/**
 * Reads it as people's editors leave it: with a byte order mark, with Windows' line ends, under a wrong name.
 * @throws CommandError for one that cannot be read, or is no plain text
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
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw unusableFileError(
      path,
      `tidak dapat dibaca (${reason})`,
      'berkas teks milik pengguna yang menjalankan program ini',
    );
  }
  // UTF-16, which Notepad calls Unicode, has a zero in every other byte of what we understand.
  if (bytes.includes(0)) {
    throw unusableFileError(
      path,
      'bukan teks biasa (UTF-16?)',
      'teks UTF-8; di Notepad: Simpan sebagai, pengodean UTF-8',
    );
  }
  // Else the mark would become a part of the first name.
  return bytes.toString('utf8').replace(/^\uFEFF/, '');
}

const unusableFileError = (path: string, why: string, accepted: string): CommandError =>
  new CommandError(`DATA_DIR: berkas setelan "${path}" ${why}; yang diterima: ${accepted}`);

function listIgnoredLines(path: string, text: string, names: string[]): string[] {
  const known = new Set(Object.keys(settingsTable));
  const ignored = names.flatMap((name) => {
    if (name === 'DATA_DIR') return ['DATA_DIR tidak berlaku di sini; pakai --data FOLDER.'];
    if (known.has(name)) return [];
    const upper = name.toUpperCase();
    return [`${name} tidak dikenal dan diabaikan${known.has(upper) ? `; maksudnya ${upper}?` : '.'}`];
  });
  const odd = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#') && !line.includes('='));
  // The line itself is not repeated: it may be a password that went astray.
  if (odd.length > 0) ignored.push(`${odd.length} baris tanpa "=" diabaikan; yang benar misalnya PORT=8080`);
  return ignored.map((line) => `${path}: ${line}`);
}

/** It may hold a secret, and whoever wrote it with an editor left it to everybody. */
export function restrictSettingsFile(dataDir: string): void {
  try {
    chmodSync(join(dataDir, SETTINGS_FILE), 0o600);
  } catch {
    // There is none, or it is somebody else's: doctor says so.
  }
}
