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
import { verifyArchive } from './create-archive.ts';
import { backupName } from './archive-names.ts';
import { createThrottle } from './throttle.ts';
import { runBackup, type BackupOutcome } from './backup-job.ts';
import { readStoredStatus } from './status-file.ts';
import { buildDataFolder, buildJob, NOON, tempFolder, TIME_ZONE } from '#server/testing/test-data-folder.ts';
import { HOUR_MS } from '#shared/domain/durations.ts';

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
/** @returns false where this user or this system cannot */
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
const archivesIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.tar'))
    .toSorted();

describe('a backup', () => {
  it('is made, noted, and told of in percent', async () => {
    const office = buildDataFolder();
    for (let count = 0; count < 5; count += 1) office.addRecord(`r${count}`, 300_000);
    const percents: number[] = [];
    const outcome = requireDone(await runBackup(buildJob(office), (percent) => percents.push(percent)));
    expect(outcome).toMatchObject({
      backup: { name: 'pbb-kita-20260610-120000.tar', kind: 'periodic', createdAtMs: NOON },
      proofs: 5,
      missingProofs: [],
      secondFolderError: null,
    });
    expect(percents.length).toBeGreaterThan(3);
    expect(percents).toEqual([...new Set(percents)].toSorted((a, b) => a - b));
    expect(percents.at(-1)).toBeLessThan(100);
    expect(readStoredStatus(office.backupsDir)).toEqual({
      at: '2026-06-10T05:00:00.000Z',
      failure: null,
      second: { last_at: null, failure: null },
    });
    expect(statSync(join(office.backupsDir, 'status.json')).mode & 0o777).toBe(0o600);
  });

  it('keeps what is to be kept, and sweeps what a crash left', async () => {
    const office = buildDataFolder();
    const old = [1, 2, 3, 40 * 24].map((hours) => backupName('periodic', TIME_ZONE, NOON - hours * HOUR_MS));
    const byHand = backupName('manual', TIME_ZONE, NOON - 20 * 24 * HOUR_MS);
    const kept = ['sebelum-migrasi-x.sqlite', 'catatan.txt', byHand];
    const leftovers = ['pbb-kita-20260101-000000.tar.part', 'pbb-kita-20260101-000000.sqlite.gz.part'];
    for (const name of [...old, ...kept, ...leftovers]) writeFileSync(join(office.backupsDir, name), 'x');
    requireDone(await runBackup(buildJob(office, { keep: { periods: 2, days: 0, months: 0 } })));
    expect(new Set(readdirSync(office.backupsDir))).toEqual(
      new Set([...kept, old[0], 'pbb-kita-20260610-120000.tar', 'status.json']),
    );
  });

  it('to a folder that somebody named touches nothing else', async () => {
    const office = buildDataFolder();
    const toDir = tempFolder();
    const old = backupName('periodic', TIME_ZONE, NOON - HOUR_MS);
    for (const folder of [toDir, office.backupsDir]) writeFileSync(join(folder, old), 'x');
    const job = buildJob(office, {
      toDir,
      kind: 'manual',
      keep: { periods: 1, days: 0, months: 0 },
      secondDir: '/nowhere',
    });
    expect(requireDone(await runBackup(job))).toMatchObject({ folder: toDir, secondFolderError: null, status: null });
    expect(archivesIn(toDir)).toEqual([old, 'pbb-kita-20260610-120000-manual.tar'].toSorted());
    expect(readdirSync(office.backupsDir)).toEqual([old]);
  });

  it('is made by one at a time', async () => {
    const office = buildDataFolder();
    const release = lockBackups(office.dataDir);
    expect(await runBackup(buildJob(office))).toEqual({ result: 'busy' });
    release?.();
    const [first, second] = await Promise.all([runBackup(buildJob(office)), runBackup(buildJob(office))]);
    expect([first.result, second.result]).toEqual(['done', 'busy']);
    expect(requireDone(await runBackup(buildJob(office))).backup.name).toBe('pbb-kita-20260610-120001.tar');
  });
});

describe('a backup that cannot be', () => {
  it('is noted, costs no older one, and the note goes with the next that can', async () => {
    const office = buildDataFolder();
    const old = backupName('periodic', TIME_ZONE, NOON - 1000 * 24 * HOUR_MS);
    writeFileSync(join(office.backupsDir, old), 'x');
    office.database.sqlite.pragma('foreign_keys = OFF');
    office.database.sqlite.exec("update sessions set user_id = 'nobody'");
    const keep = { periods: 1, days: 0, months: 0 };
    const outcome = requireFailed(await runBackup(buildJob(office, { keep })));
    expect(outcome.message).toMatch(/^Database rusak \(.*\)\. Hentikan server, lalu pulihkan cadangan terakhir/);
    expect(readStoredStatus(office.backupsDir)?.failure).toEqual({
      at: '2026-06-10T05:00:00.000Z',
      message: outcome.message,
    });
    expect(archivesIn(office.backupsDir)).toEqual([old]);
    office.database.sqlite.exec('delete from sessions');
    requireDone(await runBackup(buildJob(office, { keep })));
    expect(readStoredStatus(office.backupsDir)?.failure).toBeNull();
    expect(archivesIn(office.backupsDir)).toEqual(['pbb-kita-20260610-120000.tar']);
  });

  it('says so without data, without a folder, and with a database that is none', async () => {
    const office = buildDataFolder();
    const elsewhere = buildJob(office, { toDir: join(office.dataDir, 'nowhere') });
    expect(requireFailed(await runBackup(elsewhere)).message).toMatch(
      /^Folder ".*nowhere" tidak ada\. Pasang disk USB/,
    );
    office.close();
    writeFileSync(office.databaseFile, 'not a database at all '.repeat(100));
    expect(requireFailed(await runBackup(buildJob(office))).message).toMatch(/^Database rusak \(SQLITE_NOTADB\)/);
    rmSync(office.databaseFile);
    expect(requireFailed(await runBackup(buildJob(office))).message).toMatch(/^Belum ada data untuk dicadangkan/);
  });

  it('for lack of room writes nothing, and says how much is needed', async () => {
    const office = buildDataFolder();
    for (let count = 0; count < 3; count += 1) office.addRecord(`r${count}`, 1_000_000);
    // Where no disk can be mounted, a sparse image that no disk has room for does as well.
    if (!mountSmallDisk(office.backupsDir)) truncateTo(join(office.proofsDir, 'huge.jpg'), 15 * 2 ** 40);
    const { message } = requireFailed(await runBackup(buildJob(office)));
    expect(message).toMatch(/^Ruang disk tidak cukup: perlu .*B, yang boleh dipakai .*B\. Kosongkan/);
    expect(readdirSync(office.backupsDir)).toEqual(['status.json']);
  });
});

describe('the second folder', () => {
  it('gets a copy of each, and is thinned out alike', async () => {
    const office = buildDataFolder();
    office.addRecord('satu');
    const secondDir = tempFolder();
    writeFileSync(join(secondDir, 'foto.jpg'), 'x');
    writeFileSync(join(secondDir, 'pbb-kita-20260101-000000.tar.part'), 'x');
    for (const hours of [0, 1, 2]) {
      const nowMs = NOON + hours * HOUR_MS;
      requireDone(await runBackup(buildJob(office, { nowMs, secondDir, keep: { periods: 2, days: 0, months: 0 } })));
    }
    expect(readdirSync(secondDir).toSorted()).toEqual([
      'foto.jpg',
      'pbb-kita-20260610-130000.tar',
      'pbb-kita-20260610-140000.tar',
    ]);
    const copy = join(secondDir, 'pbb-kita-20260610-140000.tar');
    expect(readFileSync(copy).equals(readFileSync(join(office.backupsDir, 'pbb-kita-20260610-140000.tar')))).toBe(true);
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    await verifyArchive(copy, createThrottle(false));
    expect(readStoredStatus(office.backupsDir)?.second).toEqual({ last_at: '2026-06-10T07:00:00.000Z', failure: null });
  });

  it('that is unplugged is never made, told of, and spoils nothing', async () => {
    const office = buildDataFolder();
    const secondDir = join(tempFolder(), 'usb/cadangan');
    const outcome = requireDone(await runBackup(buildJob(office, { secondDir })));
    expect(outcome.secondFolderError).toMatch(/^Folder ".*usb\/cadangan" tidak ada\. Pasang disk USB/);
    expect(existsSync(join(secondDir, '..'))).toBe(false);
    expect(readStoredStatus(office.backupsDir)).toMatchObject({
      failure: null,
      second: { last_at: null, failure: outcome.secondFolderError },
    });
    mkdirSync(secondDir, { recursive: true });
    requireDone(await runBackup(buildJob(office, { secondDir })));
    expect(readStoredStatus(office.backupsDir)?.second.failure).toBeNull();
    expect(archivesIn(secondDir)).toEqual(['pbb-kita-20260610-120001.tar']);
  });

  it('is refused when it is the first one, by whatever path', async () => {
    const office = buildDataFolder();
    const link = join(tempFolder(), 'link');
    symlinkSync(office.backupsDir, link);
    const outcome = requireDone(await runBackup(buildJob(office, { secondDir: link })));
    expect(outcome.secondFolderError).toMatch(/^BACKUP_SECOND_DIR menunjuk folder cadangan itu sendiri/);
    expect(archivesIn(office.backupsDir)).toHaveLength(1);
  });
});
