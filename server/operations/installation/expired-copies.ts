import { existsSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { DAY_MS } from '#shared/durations.ts';
import { listPutAsideFolders, PUT_ASIDE_FOLDER } from '#server/db/data-folder/put-aside.ts';
import { MIGRATION_COPY } from '#server/db/migrations/pre-migration-backup.ts';
import type { InstallationRecord } from './installation-record.ts';

/**
 * Copies of old data that the program makes for an emergency: what was put aside, and the data before a restore or a
 * migration. They hold the data of people who were deleted since, so they must not stay for ever (R-RUN-22).
 */

const PUT_ASIDE_KEEP_MS = 30 * DAY_MS;
const REPLACED_KEEP_MS = 90 * DAY_MS;
/** Of each kind the newest stays: it may be the only way back. */
const REPLACED_KINDS = [/^sebelum-pemulihan-[\w-]+$/, MIGRATION_COPY];

type Folders = {
  dataDir: string;
  backupsDir: string;
  /** The folder that holds photos and documents; what is put aside of them stays there. */
  filesDir: string;
};

const listPutAside = ({ dataDir, filesDir }: Folders): string[] =>
  [...new Set([dataDir, filesDir])].flatMap(listPutAsideFolders);

const listNames = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : []);

/** The data before each restore and each migration, by kind. */
function listReplacedData({ dataDir, backupsDir }: Folders): string[][] {
  // A restore leaves the old data in the data folder itself if the backups are on another disk.
  return REPLACED_KINDS.map((kind) =>
    [dataDir, backupsDir].flatMap((folder) =>
      listNames(folder)
        .filter((name) => kind.test(name))
        .map((name) => join(folder, name)),
    ),
  );
}

/** All copies that `doctor` names, as paths in the data folder. */
export function listOldCopies(folders: Folders): string[] {
  const replaced = listReplacedData(folders)
    .flat()
    .map((path) => basename(path));
  const aside = listPutAside(folders).map((path) => `${PUT_ASIDE_FOLDER}/${basename(path)}`);
  return [...replaced, ...aside];
}

/**
 * Removes copies that are older than they have to be, by operating time. A copy is counted from the day on which this
 * program sees it first.
 * @returns the removed paths
 */
export async function removeExpiredCopies(
  folders: Folders,
  installation: Pick<InstallationRecord, 'ageMs' | 'forgetGone'>,
): Promise<string[]> {
  const keyOf = (path: string): string => `copies/${basename(path)}`;
  const ageOf = (path: string): number => installation.ageMs(keyOf(path));
  const putAside = listPutAside(folders);
  const replaced = listReplacedData(folders).map((paths) =>
    paths.toSorted((a, b) => ageOf(a) - ageOf(b) || basename(b).localeCompare(basename(a))),
  );
  installation.forgetGone('copies', new Set([...putAside, ...replaced.flat()].map(keyOf)));
  const expired = [
    ...putAside.filter((path) => ageOf(path) >= PUT_ASIDE_KEEP_MS),
    ...replaced.flatMap(([, ...older]) => older.filter((path) => ageOf(path) >= REPLACED_KEEP_MS)),
  ];
  for (const path of expired) await rm(path, { recursive: true, force: true });
  return expired;
}
