import { accessSync, constants, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { dataPathsIn } from '#server/db/data-folder.ts';
import { isSingleBinary } from '#server/files/resources.ts';
import { CommandError } from '../terminal/command-errors.ts';
import { SETTINGS_FILE } from './settings-file.ts';

/**
 * The data folder where nobody names one: `data` in the current folder. The single binary is also started from
 * elsewhere (by its path, with `sudo`, from a shortcut), where that would quietly found another office: it takes the
 * one beside itself, unless the current folder holds an office's data.
 * @param program the single binary's own file; null for a script
 */
export function findDefaultDataDir(
  program: string | null = isSingleBinary() ? process.execPath : null,
  current = process.cwd(),
): string {
  const here = join(current, 'data');
  if (program === null || holdsData(here)) return here;
  const beside = join(dirname(program), 'data');
  // A program that the system keeps (/usr/bin) has no place beside it.
  return holdsData(beside) || mayWrite(dirname(program)) ? beside : here;
}

const holdsData = (folder: string): boolean =>
  [dataPathsIn(folder).databaseFile, join(folder, SETTINGS_FILE)].some((file) => existsSync(file));

function mayWrite(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** For what makes no sense in a folder without data. @throws CommandError that says where it looked */
export function requireExistingData(dataDir: string): void {
  if (existsSync(dataPathsIn(dataDir).databaseFile)) return;
  throw new CommandError(
    `DATA_DIR: belum ada data di folder "${dataDir}"; yang diterima: folder data yang pernah dipakai server. Jalankan dari folder program, atau sebutkan dengan --data FOLDER`,
  );
}
