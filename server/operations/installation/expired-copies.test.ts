import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { DAY_MS } from '#shared/durations.ts';
import { buildDataFolder, NOON, tempFolder } from '#server/testing/program/test-data-folder.ts';
import { listOldCopies, removeExpiredCopies } from './expired-copies.ts';
import { createInstallationRecord } from './installation-record.ts';

function buildFolder() {
  const dataFolder = buildDataFolder();
  const folder = { ...dataFolder, filesDir: dataFolder.dataDir };
  const clock = { wallMs: NOON, monotonicMs: 0 };
  const installation = createInstallationRecord({
    dataDir: folder.dataDir,
    database: folder.database,
    now: () => clock.wallMs,
    monotonicNow: () => clock.monotonicMs,
    log: { error: () => undefined },
  });
  const passDays = (days: number): void => {
    clock.wallMs += days * DAY_MS;
    clock.monotonicMs += days * DAY_MS;
  };
  const makeFolder = (path: string): void => void mkdirSync(join(folder.dataDir, path), { recursive: true });
  const makeMigrationCopy = (name: string): void => writeFileSync(join(folder.backupsDir, name), 'x');
  return {
    folder,
    clock,
    passDays,
    makeFolder,
    makeMigrationCopy,
    remove: () => removeExpiredCopies(folder, installation),
  };
}

it('removes what was put aside after 30 days', async () => {
  const { folder, passDays, makeFolder, remove } = buildFolder();
  makeFolder('disisihkan/2026-06-10');
  expect(await remove()).toEqual([]);
  passDays(29);
  makeFolder('disisihkan/2026-07-09');
  expect(await remove()).toEqual([]);
  passDays(1);
  expect(await remove()).toEqual([join(folder.dataDir, 'disisihkan/2026-06-10')]);
  expect(readdirSync(join(folder.dataDir, 'disisihkan'))).toEqual(['2026-07-09']);
});

it('removes and lists what was put aside in a shared folder of files, too (FILES_DIR)', async () => {
  const { folder, passDays, makeFolder, remove } = buildFolder();
  folder.filesDir = tempFolder();
  mkdirSync(join(folder.filesDir, 'disisihkan/2026-06-10'), { recursive: true });
  makeFolder('disisihkan/2026-06-11');
  expect(listOldCopies(folder).toSorted()).toEqual(['disisihkan/2026-06-10', 'disisihkan/2026-06-11']);
  expect(await remove()).toEqual([]);
  passDays(30);
  expect(await remove()).toHaveLength(2);
  expect(readdirSync(join(folder.filesDir, 'disisihkan'))).toEqual([]);
});

it('removes the data before a restore or a migration after 90 days, and never the newest of a kind', async () => {
  const { folder, passDays, makeFolder, makeMigrationCopy, remove } = buildFolder();
  makeFolder('backups/sebelum-pemulihan-20260601-120000');
  makeFolder('backups/sebelum-pemulihan-20260602-120000');
  makeMigrationCopy('sebelum-migrasi-2026-06-01T05-00-00-123Z.sqlite');
  makeMigrationCopy('sebelum-migrasi-2026-06-02T05-00-00-123Z.sqlite');
  for (const name of ['pbb-kita-20260101-120000.tar', 'sebelum-rapat.txt']) makeMigrationCopy(name);
  expect(listOldCopies(folder)).toHaveLength(4);
  expect(await remove()).toEqual([]);
  passDays(89);
  makeFolder('backups/sebelum-pemulihan-20260907-120000');
  expect(await remove()).toEqual([]);
  passDays(1);
  expect(await remove()).toHaveLength(3);
  passDays(1000);
  expect(await remove()).toEqual([]);
  expect(readdirSync(folder.backupsDir).toSorted()).toEqual([
    'pbb-kita-20260101-120000.tar',
    'sebelum-migrasi-2026-06-02T05-00-00-123Z.sqlite',
    'sebelum-pemulihan-20260907-120000',
    'sebelum-rapat.txt',
  ]);
});

it('removes nothing because the clock was set forward by a year', async () => {
  const { clock, makeFolder, remove } = buildFolder();
  makeFolder('disisihkan/2026-06-10');
  makeFolder('backups/sebelum-pemulihan-20260601-120000');
  makeFolder('backups/sebelum-pemulihan-20260602-120000');
  await remove();
  clock.wallMs += 365 * DAY_MS;
  expect(await remove()).toEqual([]);
});
