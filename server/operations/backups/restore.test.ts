import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lockBackups, openDataFolder } from '#server/db/data-folder/data-folder.ts';
import { BackupError } from './backup-errors.ts';
import { verifyForRestore, restore } from './restore.ts';
import { runBackup } from './backup-job.ts';
import {
  buildDataFolder,
  readContent,
  buildJob,
  NOON,
  tempFolder,
  TIME_ZONE,
  type TestDataFolder,
} from '#server/testing/test-data-folder.ts';

const ANY_MIGRATION = Number.MAX_SAFE_INTEGER;
const RESTORE_TIME = { nowMs: NOON, timeZone: TIME_ZONE };

async function backUp(dataFolder: TestDataFolder): Promise<string> {
  const outcome = await runBackup(buildJob(dataFolder));
  if (outcome.result !== 'done') throw new Error(JSON.stringify(outcome));
  return join(dataFolder.backupsDir, outcome.backup.name);
}

describe('a restore', () => {
  it('brings everything back, ends all sessions, and keeps the present data aside', async () => {
    const office = buildDataFolder();
    const proof = office.addRecord('dulu', 30_000);
    const image = readFileSync(join(office.proofsDir, proof));
    const file = await backUp(office);
    const later = office.addRecord('kemudian');
    office.removeProof(proof);
    // As a server that was killed leaves it: the last changes are still in the log.
    const log = readFileSync(`${office.databaseFile}-wal`);
    expect(log.length).toBeGreaterThan(0);
    const present = readContent(office.databaseFile);
    expect(present.sessions).toBe(1);
    office.close();

    const folder = openDataFolder(office.dataDir);
    const checked = await verifyForRestore(file, ANY_MIGRATION);
    expect(checked).toMatchObject({ proofs: 1, manifest: { created_at: '2026-06-10T05:00:00.000Z' } });
    const aside = await restore(office.dataDir, checked, RESTORE_TIME);
    expect(aside).toBe(join(office.backupsDir, 'sebelum-pemulihan-20260610-120000'));
    expect(readContent(office.databaseFile)).toEqual({ records: { dulu: proof }, sessions: 0 });
    expect(readdirSync(office.proofsDir)).toEqual([proof]);
    expect(readFileSync(join(office.proofsDir, proof)).equals(image)).toBe(true);
    for (const path of [office.databaseFile, join(office.proofsDir, proof)])
      expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readContent(join(aside ?? '', 'pbb.sqlite'))).toEqual(present);
    expect(existsSync(join(aside ?? '', 'proofs', later))).toBe(true);
    expect(readdirSync(office.dataDir).filter((name) => name.startsWith('pemulihan'))).toEqual([]);
    expect(existsSync(file)).toBe(true);
    folder.release();
  });

  it('also replaces a database that is beyond repair', async () => {
    const office = buildDataFolder();
    office.addRecord('dulu');
    const file = await backUp(office);
    office.close();
    writeFileSync(office.databaseFile, 'broken '.repeat(1000));
    const aside = await restore(office.dataDir, await verifyForRestore(file, ANY_MIGRATION), RESTORE_TIME);
    expect(Object.keys(readContent(office.databaseFile).records)).toEqual(['dulu']);
    expect(readFileSync(join(aside ?? '', 'pbb.sqlite'), 'utf8')).toMatch(/^broken/);
  });

  it('refuses what a newer program made, and a file that is not there', async () => {
    const office = buildDataFolder();
    const file = await backUp(office);
    const newest = (await verifyForRestore(file, ANY_MIGRATION)).manifest.newest_migration;
    await verifyForRestore(file, newest);
    await expect(verifyForRestore(file, newest - 1)).rejects.toThrow(
      /^Cadangan ini dibuat oleh PBB Kita v\d+\.\d+\.\d+ yang lebih baru daripada program ini/,
    );
    await expect(verifyForRestore('/nowhere.tar', ANY_MIGRATION)).rejects.toThrow(/^Berkas "\/nowhere\.tar" tidak ada/);
    await expect(verifyForRestore(tempFolder(), ANY_MIGRATION)).rejects.toThrow(BackupError);
  });

  it('changes nothing when the archive changes under its hands, nor while a backup is made', async () => {
    const office = buildDataFolder();
    const proof = office.addRecord('dulu', 3000);
    const file = await backUp(office);
    const checked = await verifyForRestore(file, ANY_MIGRATION);
    const present = readContent(office.databaseFile);

    const release = lockBackups(office.dataDir);
    await expect(restore(office.dataDir, checked, RESTORE_TIME)).rejects.toThrow(/^Pencadangan sedang berjalan/);
    release?.();

    const bytes = readFileSync(file);
    bytes[700] = (bytes[700] ?? 0) ^ 1;
    writeFileSync(file, bytes);
    await expect(restore(office.dataDir, checked, RESTORE_TIME)).rejects.toThrow(
      `rusak atau tidak lengkap (proofs/${proof})`,
    );
    expect(readContent(office.databaseFile)).toEqual(present);
    expect(readdirSync(office.dataDir).filter((name) => name.startsWith('pemulihan'))).toEqual([]);
    expect(readdirSync(office.backupsDir).filter((name) => name.startsWith('sebelum'))).toEqual([]);
  });

  it('does not begin without room', async () => {
    const office = buildDataFolder();
    office.addRecord('dulu');
    const checked = await verifyForRestore(await backUp(office), ANY_MIGRATION);
    const huge = { ...checked, unpackedBytes: 2 ** 60 };
    await expect(restore(office.dataDir, huge, RESTORE_TIME)).rejects.toThrow(/^Ruang disk tidak cukup: perlu/);
    expect(readdirSync(office.dataDir).filter((name) => name.startsWith('pemulihan'))).toEqual([]);
  });

  it('into a folder that never was one makes it one', async () => {
    const office = buildDataFolder();
    office.addRecord('dulu');
    const file = await backUp(office);
    const dataDir = join(tempFolder(), 'pindah/data');
    const folder = openDataFolder(dataDir);
    expect(await restore(dataDir, await verifyForRestore(file, ANY_MIGRATION), RESTORE_TIME)).toBeNull();
    expect(Object.keys(readContent(folder.databaseFile).records)).toEqual(['dulu']);
    expect(readdirSync(folder.backupsDir)).toEqual([]);
    folder.release();
  });

  it('a second time in the same second loses nothing of the first', async () => {
    const office = buildDataFolder();
    office.addRecord('dulu');
    const checked = await verifyForRestore(await backUp(office), ANY_MIGRATION);
    office.close();
    const aside = await restore(office.dataDir, checked, RESTORE_TIME);
    rmSync(office.proofsDir, { recursive: true });
    mkdirSync(office.proofsDir);
    expect(await restore(office.dataDir, checked, RESTORE_TIME)).toBe(aside);
    expect(readdirSync(aside ?? '').toSorted()).toEqual(['pbb.sqlite', 'pbb.sqlite.1', 'proofs']);
  });
});
