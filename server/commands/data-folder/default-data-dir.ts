import { constants, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { dataPathsIn } from '#server/db/data-folder/data-folder.ts';
import { requireExpectedDatabase } from '#server/db/data-folder/expected-database.ts';
import { STATE_FILE } from '#server/db/data-folder/installation-state.ts';
import { hasAccess } from '#server/files/access.ts';
import { isSingleBinary } from '#server/files/resources.ts';
import { CommandError } from '../terminal/command-errors.ts';
import { isServerRunning } from './running-server.ts';
import { SETTINGS_FILE } from './settings-file.ts';

/**
 * The data folder that is used without `--data` and DATA_DIR: `data` in the current folder. The single binary is also
 * started from other folders (by its path, with `sudo`, by a shortcut), which would make a second, empty data folder.
 * So it uses the folder beside itself, unless the current folder holds data.
 * @param program the file of the single binary; null for a script
 */
export function findDefaultDataDir(
  program: string | null = isSingleBinary() ? process.execPath : null,
  current = process.cwd(),
): string {
  const here = join(current, 'data');
  if (program === null || holdsData(here)) return here;
  const beside = join(dirname(program), 'data');
  // A program in a system folder such as /usr/bin cannot make a folder beside itself.
  return holdsData(beside) || hasAccess(dirname(program), constants.W_OK) ? beside : here;
}

/** A folder whose database was moved away is still that of an installation. */
const holdsData = (folder: string): boolean =>
  [dataPathsIn(folder).databaseFile, join(folder, SETTINGS_FILE), join(folder, STATE_FILE)].some((file) =>
    existsSync(file),
  );

/**
 * For commands that need existing data.
 * @throws CommandError that names the folder; DataFolderError when the database does not belong to the rest of it
 */
export function requireExistingData(dataDir: string): void {
  if (!isServerRunning(dataDir)) requireExpectedDatabase(dataDir);
  if (existsSync(dataPathsIn(dataDir).databaseFile)) return;
  throw new CommandError(
    `DATA_DIR: belum ada data di folder "${dataDir}"; yang diterima: folder data yang pernah dipakai server. Jalankan dari folder program, atau sebutkan dengan --data FOLDER`,
  );
}
