import { readdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { readUsableBytes } from '#server/files/disk-space.ts';
import { BackupError } from './backup-errors.ts';
import { freeDiskSpace, sweepLeftovers } from './prune.ts';
import { backupName } from './archive-names.ts';
import { createThrottle } from './throttle.ts';
import { runBackup } from './backup-job.ts';
import { buildDataFolder, buildJob, NOON, TIME_ZONE, tempFolder } from '#server/testing/program/test-data-folder.ts';
import { DAY_MS } from '#shared/durations.ts';

// The free space of this computer's disk changes while a test runs.
vi.mock(import('#server/files/disk-space.ts'), async (original) => ({
  ...(await original()),
  readUsableBytes: vi.fn(),
}));

const DISK_BYTES = 2_000_000;
/** Has room for several whole databases. */
const LARGER_DISK_BYTES = 2_700_000;
const KEEP_ONE = { periods: 1, days: 0, months: 0 };

const tarName = (atMs: number): string => `${backupName('periodic', TIME_ZONE, atMs)}.tar`;
const archivesIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.startsWith('pbb-kita-'))
    .toSorted();

/** A disk counts a file with several names once. */
function usedBytes(folder: string): number {
  const sizes = new Map<number, number>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const { ino, size } = statSync(join(entry.parentPath, entry.name));
    if (entry.isFile()) sizes.set(ino, size);
  }
  return [...sizes.values()].reduce((total, size) => total + size, 0);
}

function useDiskOf(bytes: number): void {
  vi.mocked(readUsableBytes).mockImplementation((folder) => bytes - usedBytes(folder));
}

beforeEach(() => useDiskOf(DISK_BYTES));

/** One intact archive, three days old, and two later files of 500 kB that only have the name of an archive. */
async function buildFullFolder() {
  const dataFolder = buildDataFolder();
  const outcome = await runBackup(buildJob(dataFolder, { nowMs: NOON - 3 * DAY_MS }));
  if (outcome.result !== 'done') throw new Error(JSON.stringify(outcome));
  const good = outcome.backup.name;
  const [older = '', newest = ''] = [2, 1].map((days) => tarName(NOON - days * DAY_MS));
  for (const name of [older, newest]) writeFileSync(join(dataFolder.backupsDir, name), Buffer.alloc(500_000));
  const ask = (neededBytes: number, changes: Parameters<typeof buildJob>[1] = {}) =>
    freeDiskSpace(
      dataFolder.backupsDir,
      neededBytes,
      { ...buildJob(dataFolder, changes), agesMs: {} },
      createThrottle(false),
    );
  return { folder: dataFolder.backupsDir, good, older, newest, ask };
}

describe('freeDiskSpace', () => {
  it('deletes nothing while there is enough space', async () => {
    const { folder, ask } = await buildFullFolder();
    expect(await ask(500_000, { keep: KEEP_ONE })).toEqual([]);
    expect(archivesIn(folder)).toHaveLength(3);
  });

  it('deletes archives beyond BACKUP_KEEP, but neither the newest nor the newest intact one', async () => {
    const { folder, good, older, newest, ask } = await buildFullFolder();
    expect(await ask(1_300_000, { keep: KEEP_ONE })).toEqual([older]);
    expect(archivesIn(folder)).toEqual([good, newest].toSorted());
  });

  it('deletes nothing when that would not be enough, and reports what helps', async () => {
    const { folder, ask } = await buildFullFolder();
    const refused = (changes: Parameters<typeof buildJob>[1]) =>
      ask(1_300_000, changes).then(
        () => 'nothing was refused',
        (error: unknown) => (error instanceof BackupError ? error.message : String(error)),
      );
    expect(await refused({})).toMatch(/atau minta pengelola server mengurangi jumlah cadangan yang disimpan\.$/);
    expect(await refused({ keep: KEEP_ONE, toDir: tempFolder() })).toMatch(/Kosongkan disk dari "[^"]*"\.$/);
    await expect(ask(1_900_000, { keep: KEEP_ONE })).rejects.toThrow('Ruang disk tidak cukup');
    expect(archivesIn(folder)).toHaveLength(3);
  });

  it('counts only what no other archive shares, until the last that shares it goes too', async () => {
    useDiskOf(2 * LARGER_DISK_BYTES);
    const dataFolder = buildDataFolder();
    dataFolder.addRecord('satu', 700_000);
    for (const days of [4, 3, 2, 1]) {
      expect((await runBackup(buildJob(dataFolder, { nowMs: NOON - days * DAY_MS }))).result).toBe('done');
    }
    const [oldest = '', second = '', third = '', newest = ''] = archivesIn(dataFolder.backupsDir);
    // The image is the greatest part of each, and is freed only with the newest one.
    dataFolder.removeProof(readdirSync(join(dataFolder.backupsDir, newest, 'proofs'))[0] ?? '');
    const ask = (neededBytes: number) =>
      freeDiskSpace(
        dataFolder.backupsDir,
        neededBytes,
        { ...buildJob(dataFolder, { keep: KEEP_ONE }), agesMs: {} },
        createThrottle(false),
      );
    const free = (readUsableBytes(dataFolder.backupsDir) ?? 0) + 1;
    await expect(ask(free + 650_000)).rejects.toThrow('Ruang disk tidak cukup');
    expect(archivesIn(dataFolder.backupsDir)).toHaveLength(4);
    expect(await ask(free)).toEqual([oldest]);
    expect(archivesIn(dataFolder.backupsDir)).toEqual([second, third, newest]);
    expect(usedBytes(join(dataFolder.backupsDir, newest))).toBeGreaterThan(700_000);
  });

  it('leaves half of a deletion that was interrupted to the next sweep', async () => {
    const { folder, good } = await buildFullFolder();
    renameSync(join(folder, good), join(folder, `${good}.part`));
    sweepLeftovers(folder);
    expect(readdirSync(folder).filter((name) => name.startsWith(good))).toEqual([]);
  });

  it('frees a full disk after BACKUP_KEEP was reduced', async () => {
    useDiskOf(LARGER_DISK_BYTES);
    const dataFolder = buildDataFolder();
    for (const days of [3, 2, 1]) {
      const name = tarName(NOON - days * DAY_MS);
      writeFileSync(join(dataFolder.backupsDir, name), Buffer.alloc(820_000));
    }
    expect((await runBackup(buildJob(dataFolder))).result).toBe('failed');
    expect(archivesIn(dataFolder.backupsDir)).toHaveLength(3);
    expect((await runBackup(buildJob(dataFolder, { keep: KEEP_ONE }))).result).toBe('done');
    expect(archivesIn(dataFolder.backupsDir)).toEqual(['pbb-kita-20260610-120000']);
  });
});
