import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { readUsableBytes } from '#server/files/disk-space.ts';
import { BackupError } from './backup-errors.ts';
import { freeDiskSpace } from './prune.ts';
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
const KEEP_ONE = { periods: 1, days: 0, months: 0 };

const archivesIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.tar'))
    .toSorted();

beforeEach(() => {
  vi.mocked(readUsableBytes).mockImplementation((folder) =>
    readdirSync(folder).reduce((room, name) => room - statSync(join(folder, name)).size, DISK_BYTES),
  );
});

/** One intact archive, three days old, and two later files of 500 kB that only have the name of an archive. */
async function buildFullFolder() {
  const dataFolder = buildDataFolder();
  const outcome = await runBackup(buildJob(dataFolder, { nowMs: NOON - 3 * DAY_MS }));
  if (outcome.result !== 'done') throw new Error(JSON.stringify(outcome));
  const good = outcome.backup.name;
  const [older = '', newest = ''] = [2, 1].map((days) => backupName('periodic', TIME_ZONE, NOON - days * DAY_MS));
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

  it('frees a full disk after BACKUP_KEEP was reduced', async () => {
    const dataFolder = buildDataFolder();
    for (const days of [3, 2, 1]) {
      const name = backupName('periodic', TIME_ZONE, NOON - days * DAY_MS);
      writeFileSync(join(dataFolder.backupsDir, name), Buffer.alloc(660_000));
    }
    expect((await runBackup(buildJob(dataFolder))).result).toBe('failed');
    expect(archivesIn(dataFolder.backupsDir)).toHaveLength(3);
    expect((await runBackup(buildJob(dataFolder, { keep: KEEP_ONE }))).result).toBe('done');
    expect(archivesIn(dataFolder.backupsDir)).toEqual(['pbb-kita-20260610-120000.tar']);
  });
});
