import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { lockBackups } from '#server/db/data-folder/data-folder.ts';
import { verifyArchive } from './archive/create-archive.ts';
import { backupName } from './archive-names.ts';
import { createThrottle } from './throttle.ts';
import { runBackup, type BackupOutcome } from './backup-job.ts';
import { readStoredStatus } from './status-file.ts';
import { buildDataFolder, buildJob, NOON, tempFolder, TIME_ZONE } from '#server/testing/program/test-data-folder.ts';
import { HOUR_MS } from '#shared/durations.ts';

type Done = Extract<BackupOutcome, { result: 'done' }>;
type Failed = Extract<BackupOutcome, { result: 'failed' }>;

function requireDone(outcome: BackupOutcome): Done {
  if (outcome.result !== 'done') throw new Error(JSON.stringify(outcome));
  return outcome;
}
function requireFailed(outcome: BackupOutcome): Failed {
  if (outcome.result !== 'failed') throw new Error(JSON.stringify(outcome));
  return outcome;
}
/** @returns false when the user or the system does not allow it */
function mountSmallDisk(folder: string): boolean {
  if (process.platform !== 'linux') return false;
  const options = ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder];
  if (spawnSync('mount', options, { stdio: 'ignore' }).status !== 0) return false;
  onTestFinished(() => void spawnSync('umount', [folder]));
  return true;
}
function truncateTo(file: string, bytes: number): void {
  writeFileSync(file, '');
  truncateSync(file, bytes);
}
const tarName = (kind: 'periodic' | 'manual', atMs: number): string => `${backupName(kind, TIME_ZONE, atMs)}.tar`;
const archivesIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => /^pbb-kita-[\w-]+(\.tar)?$/.test(name))
    .toSorted();

describe('runBackup', () => {
  it('makes an archive, stores the status and reports its progress in percent', async () => {
    const dataFolder = buildDataFolder();
    for (let count = 0; count < 5; count += 1) dataFolder.addRecord(`r${count}`, 300_000);
    const percents: number[] = [];
    const outcome = requireDone(
      await runBackup(buildJob(dataFolder), { onPercent: (percent) => percents.push(percent) }),
    );
    expect(outcome).toMatchObject({
      backup: { name: 'pbb-kita-20260610-120000', kind: 'periodic', createdAtMs: NOON },
      proofs: 5,
      missingProofs: [],
      secondFolderError: null,
    });
    expect(percents.length).toBeGreaterThan(3);
    expect(percents).toEqual([...new Set(percents)].toSorted((a, b) => a - b));
    expect(percents.at(-1)).toBeLessThan(100);
    expect(readStoredStatus(dataFolder.backupsDir)).toEqual({
      at: '2026-06-10T05:00:00.000Z',
      failure: null,
      second: { last_at: null, failure: null },
    });
    expect(statSync(join(dataFolder.backupsDir, 'status.json')).mode & 0o777).toBe(0o600);
  });

  it('applies the retention and sweeps leftovers of a crash', async () => {
    const dataFolder = buildDataFolder();
    const old = [1, 2, 3, 40 * 24].map((hours) => tarName('periodic', NOON - hours * HOUR_MS));
    const byHand = tarName('manual', NOON - 20 * 24 * HOUR_MS);
    const kept = ['sebelum-migrasi-x.sqlite', 'catatan.txt', byHand];
    const leftovers = ['pbb-kita-20260101-000000.tar.part', 'pbb-kita-20260101-000000.sqlite.gz.part'];
    for (const name of [...old, ...kept, ...leftovers]) writeFileSync(join(dataFolder.backupsDir, name), 'x');
    requireDone(await runBackup(buildJob(dataFolder, { keep: { periods: 2, days: 0, months: 0 } })));
    expect(new Set(readdirSync(dataFolder.backupsDir))).toEqual(
      new Set([...kept, old[0], 'pbb-kita-20260610-120000', 'status.json']),
    );
  });

  it('writes to a folder named on the command line and changes nothing else there', async () => {
    const dataFolder = buildDataFolder();
    const toDir = tempFolder();
    const old = tarName('periodic', NOON - HOUR_MS);
    for (const folder of [toDir, dataFolder.backupsDir]) writeFileSync(join(folder, old), 'x');
    const job = buildJob(dataFolder, {
      toDir,
      kind: 'manual',
      keep: { periods: 1, days: 0, months: 0 },
      secondDir: '/nowhere',
    });
    expect(requireDone(await runBackup(job))).toMatchObject({ folder: toDir, secondFolderError: null, status: null });
    expect(archivesIn(toDir)).toEqual([old, 'pbb-kita-20260610-120000-manual.tar'].toSorted());
    expect(readdirSync(dataFolder.backupsDir)).toEqual([old]);
  });

  it('makes one backup at a time for a data folder', async () => {
    const dataFolder = buildDataFolder();
    const release = lockBackups(dataFolder.dataDir);
    expect(await runBackup(buildJob(dataFolder))).toEqual({ result: 'busy' });
    release?.();
    const [first, second] = await Promise.all([runBackup(buildJob(dataFolder)), runBackup(buildJob(dataFolder))]);
    expect([first.result, second.result]).toEqual(['done', 'busy']);
    expect(requireDone(await runBackup(buildJob(dataFolder))).backup.name).toBe('pbb-kita-20260610-120001');
  });
});

describe('runBackup with an error', () => {
  it('stores the failure, deletes no older backup, and clears the failure after the next success', async () => {
    const dataFolder = buildDataFolder();
    const old = tarName('periodic', NOON - 1000 * 24 * HOUR_MS);
    writeFileSync(join(dataFolder.backupsDir, old), 'x');
    dataFolder.database.sqlite.pragma('foreign_keys = OFF');
    dataFolder.database.sqlite.exec("update sessions set user_id = 'missing'");
    const keep = { periods: 1, days: 0, months: 0 };
    const outcome = requireFailed(await runBackup(buildJob(dataFolder, { keep })));
    expect(outcome.message).toMatch(/^Database rusak \(.*\)\. Hentikan server, lalu pulihkan cadangan terakhir/);
    expect(readStoredStatus(dataFolder.backupsDir)?.failure).toEqual({
      at: '2026-06-10T05:00:00.000Z',
      message: outcome.message,
    });
    expect(archivesIn(dataFolder.backupsDir)).toEqual([old]);
    dataFolder.database.sqlite.exec('delete from sessions');
    requireDone(await runBackup(buildJob(dataFolder, { keep })));
    expect(readStoredStatus(dataFolder.backupsDir)?.failure).toBeNull();
    expect(archivesIn(dataFolder.backupsDir)).toEqual(['pbb-kita-20260610-120000']);
  });

  it('reports missing data, a missing folder, and an invalid database', async () => {
    const dataFolder = buildDataFolder();
    const elsewhere = buildJob(dataFolder, { toDir: join(dataFolder.dataDir, 'nowhere') });
    expect(requireFailed(await runBackup(elsewhere)).message).toMatch(
      /^Folder ".*nowhere" tidak ada\. Pasang disk USB/,
    );
    dataFolder.close();
    writeFileSync(dataFolder.databaseFile, 'not a database at all '.repeat(100));
    expect(requireFailed(await runBackup(buildJob(dataFolder))).message).toMatch(/^Database rusak \(SQLITE_NOTADB\)/);
    rmSync(dataFolder.databaseFile);
    expect(requireFailed(await runBackup(buildJob(dataFolder))).message).toMatch(/^Belum ada data untuk dicadangkan/);
  });

  it('writes nothing on a full disk, and reports the needed space', async () => {
    const dataFolder = buildDataFolder();
    for (let count = 0; count < 3; count += 1) dataFolder.addRecord(`r${count}`, 1_000_000);
    // If no disk can be mounted, a sparse image larger than any disk has the same effect.
    if (!mountSmallDisk(dataFolder.backupsDir)) truncateTo(join(dataFolder.proofsDir, 'huge.jpg'), 15 * 2 ** 40);
    const { message } = requireFailed(await runBackup(buildJob(dataFolder)));
    expect(message).toMatch(/^Ruang disk tidak cukup: perlu .*B, yang boleh dipakai .*B\. Kosongkan/);
    expect(readdirSync(dataFolder.backupsDir)).toEqual(['status.json']);
  });
});

describe('the second folder of backups', () => {
  it('gets a copy of each backup and the same retention', async () => {
    const dataFolder = buildDataFolder();
    dataFolder.addRecord('satu');
    const secondDir = tempFolder();
    writeFileSync(join(secondDir, 'foto.jpg'), 'x');
    writeFileSync(join(secondDir, 'pbb-kita-20260101-000000.tar.part'), 'x');
    for (const hours of [0, 1, 2]) {
      const nowMs = NOON + hours * HOUR_MS;
      requireDone(
        await runBackup(buildJob(dataFolder, { nowMs, secondDir, keep: { periods: 2, days: 0, months: 0 } })),
      );
    }
    expect(readdirSync(secondDir).toSorted()).toEqual([
      'foto.jpg',
      'pbb-kita-20260610-130000',
      'pbb-kita-20260610-140000',
    ]);
    const copy = join(secondDir, 'pbb-kita-20260610-140000');
    const manifest = 'pbb-kita-20260610-140000/manifest.json';
    const readManifest = (folder: string): unknown => JSON.parse(readFileSync(join(folder, manifest), 'utf8'));
    expect(readManifest(secondDir)).toEqual(readManifest(dataFolder.backupsDir));
    expect(statSync(copy).mode & 0o777).toBe(0o700);
    expect(statSync(join(secondDir, manifest)).mode & 0o777).toBe(0o600);
    await verifyArchive(copy, createThrottle(false));
    expect(readStoredStatus(dataFolder.backupsDir)?.second).toEqual({
      last_at: '2026-06-10T07:00:00.000Z',
      failure: null,
    });
  });

  it('stays missing when its disk is unplugged; the failure is reported and the backup stays', async () => {
    const dataFolder = buildDataFolder();
    const secondDir = join(tempFolder(), 'usb/cadangan');
    const outcome = requireDone(await runBackup(buildJob(dataFolder, { secondDir })));
    expect(outcome.secondFolderError).toMatch(/^Folder ".*usb\/cadangan" tidak ada\. Pasang disk USB/);
    expect(existsSync(join(secondDir, '..'))).toBe(false);
    expect(readStoredStatus(dataFolder.backupsDir)).toMatchObject({
      failure: null,
      second: { last_at: null, failure: outcome.secondFolderError },
    });
    mkdirSync(secondDir, { recursive: true });
    requireDone(await runBackup(buildJob(dataFolder, { secondDir })));
    expect(readStoredStatus(dataFolder.backupsDir)?.second.failure).toBeNull();
    expect(archivesIn(secondDir)).toEqual(['pbb-kita-20260610-120001']);
  });

  it('stays as it is while it belongs to another computer', async () => {
    const dataFolder = buildDataFolder();
    const secondDir = tempFolder();
    const theirs = [tarName('periodic', NOON - 1000 * 24 * HOUR_MS), tarName('periodic', NOON - HOUR_MS)];
    const unfinished = 'pbb-kita-20260101-000000.part';
    for (const name of [...theirs, unfinished]) writeFileSync(join(secondDir, name), 'x');
    const job = buildJob(dataFolder, { secondDir, keep: { periods: 1, days: 0, months: 0 } });
    const outcome = requireDone(await runBackup(job, { findForeignOwner: () => 'Salinan di situ lebih baru.' }));
    expect(outcome.secondFolderError).toBe('Salinan di situ lebih baru.');
    expect(readStoredStatus(dataFolder.backupsDir)?.second.failure).toBe('Salinan di situ lebih baru.');
    expect(readdirSync(secondDir).toSorted()).toEqual([...theirs, unfinished].toSorted());
    requireDone(await runBackup({ ...job, nowMs: NOON + HOUR_MS }));
    expect(archivesIn(secondDir)).toEqual(['pbb-kita-20260610-130000']);
  });

  it('cannot be the folder of backups itself, also not by a symbolic link', async () => {
    const dataFolder = buildDataFolder();
    const link = join(tempFolder(), 'link');
    symlinkSync(dataFolder.backupsDir, link);
    const outcome = requireDone(await runBackup(buildJob(dataFolder, { secondDir: link })));
    expect(outcome.secondFolderError).toMatch(/^Folder cadangan kedua sama dengan folder cadangan itu sendiri/);
    expect(archivesIn(dataFolder.backupsDir)).toHaveLength(1);
  });
});
