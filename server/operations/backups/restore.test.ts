import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lockBackups, openDataFolder } from '#server/db/data-folder/data-folder.ts';
import { openDatabase } from '#server/db/sqlite/open.ts';
import { officeIdentity } from '#server/db/schema.ts';
import { openMigratedDatabase } from '#server/db/migrations/open-migrated.ts';
import { openVersion1Database } from '#server/testing/version-1-database.ts';
import { testResources } from '#server/testing/open-test-database.ts';
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
} from '#server/testing/program/test-data-folder.ts';

const ANY_MIGRATION = Number.MAX_SAFE_INTEGER;
const RESTORE_TIME = { nowMs: NOON, timeZone: TIME_ZONE };

function countSubscriptions(databaseFile: string): unknown {
  const { sqlite } = openDatabase(databaseFile);
  const count = sqlite.prepare('select count(*) from push_subscriptions').pluck().get();
  sqlite.close();
  return count;
}

async function backUp(dataFolder: TestDataFolder): Promise<string> {
  const outcome = await runBackup(buildJob(dataFolder));
  if (outcome.result !== 'done') throw new Error(JSON.stringify(outcome));
  return join(dataFolder.backupsDir, outcome.backup.name);
}

describe('a restore', () => {
  it('takes an archive of version 1.0.0, whose database has no files of messages', async () => {
    const dataFolder = buildDataFolder();
    dataFolder.close();
    for (const ending of ['', '-wal', '-shm']) rmSync(`${dataFolder.databaseFile}${ending}`, { force: true });
    const old = openVersion1Database();
    old.prepare('vacuum into ?').run(dataFolder.databaseFile);
    old.close();
    writeFileSync(join(dataFolder.proofsDir, 'bukti.png'), 'gambar');
    const checked = await verifyForRestore(await backUp(dataFolder), ANY_MIGRATION);
    expect(checked).toMatchObject({ proofs: 1, manifest: { missing_proofs: [] } });
    const restored = openDataFolder(join(tempFolder(), 'data'));
    await restore(dirname(restored.databaseFile), checked, RESTORE_TIME);
    const { sqlite } = openMigratedDatabase(restored, testResources);
    expect(sqlite.prepare('select proof_file from tax_records where id = ?').pluck().get('r1')).toBe('bukti.png');
    expect(sqlite.prepare('select count(*) from attachments').pluck().get()).toBe(0);
    sqlite.close();
    restored.release();
    expect(readFileSync(join(restored.proofsDir, 'bukti.png'), 'utf8')).toBe('gambar');
  });

  it('brings the logo of the office back', async () => {
    const dataFolder = buildDataFolder();
    const logo = '11111111-1111-4111-8111-111111111111.png';
    writeFileSync(join(dataFolder.proofsDir, logo), 'lambang');
    const values = { id: 1, name: 'Desa Sukamaju', logoFile: logo, updatedAt: NOON };
    dataFolder.database.direct.insert(officeIdentity).values(values).run();
    const file = await backUp(dataFolder);
    dataFolder.database.direct.update(officeIdentity).set({ name: 'lain', logoFile: null }).run();
    rmSync(join(dataFolder.proofsDir, logo));
    dataFolder.close();
    const folder = openDataFolder(dataFolder.dataDir);
    const checked = await verifyForRestore(file, ANY_MIGRATION);
    expect(checked).toMatchObject({ proofs: 1, manifest: { missing_proofs: [] } });
    await restore(dataFolder.dataDir, checked, RESTORE_TIME);
    folder.release();
    const restored = openDatabase(dataFolder.databaseFile);
    expect(await restored.orm.select().from(officeIdentity).get()).toMatchObject({
      name: 'Desa Sukamaju',
      logoFile: logo,
    });
    restored.sqlite.close();
    expect(readFileSync(join(dataFolder.proofsDir, logo), 'utf8')).toBe('lambang');
  });

  it('restores all data, ends all sessions, and keeps the present data in a folder', async () => {
    const dataFolder = buildDataFolder();
    const proof = dataFolder.addRecord('dulu', 30_000);
    const image = readFileSync(join(dataFolder.proofsDir, proof));
    const pushKeys = join(dataFolder.dataDir, 'push-keys.json');
    writeFileSync(pushKeys, 'kunci-notifikasi');
    dataFolder.database.sqlite.exec(
      "insert into push_subscriptions select id, user_id, 'https://push.contoh.id/1', 'p', 'a', null, 0 from sessions",
    );
    const file = await backUp(dataFolder);
    // With the key, whoever finds the archive could push to the endpoints in it.
    const files = readdirSync(file, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.map(({ name }) => name)).not.toContain('push-keys.json');
    for (const { parentPath, name } of files) {
      expect(readFileSync(join(parentPath, name), 'latin1')).not.toMatch(/push-keys|kunci-notifikasi/);
    }
    const later = dataFolder.addRecord('kemudian');
    dataFolder.removeProof(proof);
    // A killed server leaves its last changes in the write-ahead log.
    const log = readFileSync(`${dataFolder.databaseFile}-wal`);
    expect(log.length).toBeGreaterThan(0);
    const present = readContent(dataFolder.databaseFile);
    expect(present.sessions).toBe(1);
    dataFolder.close();

    const folder = openDataFolder(dataFolder.dataDir);
    const checked = await verifyForRestore(file, ANY_MIGRATION);
    expect(checked).toMatchObject({ proofs: 1, manifest: { created_at: '2026-06-10T05:00:00.000Z' } });
    const aside = await restore(dataFolder.dataDir, checked, RESTORE_TIME);
    expect(aside).toBe(join(dataFolder.backupsDir, 'sebelum-pemulihan-20260610-120000'));
    expect(readContent(dataFolder.databaseFile)).toEqual({ records: { dulu: proof }, files: [], sessions: 0 });
    expect(countSubscriptions(dataFolder.databaseFile)).toBe(0);
    expect(countSubscriptions(join(aside ?? '', 'pbb.sqlite'))).toBe(1);
    expect(readFileSync(pushKeys, 'utf8')).toBe('kunci-notifikasi');
    expect(readdirSync(dataFolder.proofsDir)).toEqual([proof]);
    expect(readFileSync(join(dataFolder.proofsDir, proof)).equals(image)).toBe(true);
    for (const path of [dataFolder.databaseFile, join(dataFolder.proofsDir, proof)])
      expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readContent(join(aside ?? '', 'pbb.sqlite'))).toEqual(present);
    expect(existsSync(join(aside ?? '', 'proofs', later))).toBe(true);
    expect(readdirSync(dataFolder.dataDir).filter((name) => name.startsWith('pemulihan'))).toEqual([]);
    expect(existsSync(file)).toBe(true);
    folder.release();
  });

  it('replaces a damaged database too', async () => {
    const dataFolder = buildDataFolder();
    dataFolder.addRecord('dulu');
    const file = await backUp(dataFolder);
    dataFolder.close();
    writeFileSync(dataFolder.databaseFile, 'broken '.repeat(1000));
    const aside = await restore(dataFolder.dataDir, await verifyForRestore(file, ANY_MIGRATION), RESTORE_TIME);
    expect(Object.keys(readContent(dataFolder.databaseFile).records)).toEqual(['dulu']);
    expect(readFileSync(join(aside ?? '', 'pbb.sqlite'), 'utf8')).toMatch(/^broken/);
  });

  it('rejects an archive of a newer program, and a missing file', async () => {
    const dataFolder = buildDataFolder();
    const file = await backUp(dataFolder);
    const newest = (await verifyForRestore(file, ANY_MIGRATION)).manifest.newest_migration;
    await verifyForRestore(file, newest);
    await expect(verifyForRestore(file, newest - 1)).rejects.toThrow(
      /^Cadangan ini dibuat oleh PBB Kita v\d+\.\d+\.\d+ yang lebih baru daripada program ini/,
    );
    await expect(verifyForRestore('/nowhere.tar', ANY_MIGRATION)).rejects.toThrow(
      /^Cadangan "\/nowhere\.tar" tidak ada/,
    );
    await expect(verifyForRestore(tempFolder(), ANY_MIGRATION)).rejects.toThrow(BackupError);
  });

  it('changes nothing when the archive changes after the check, or while a backup runs', async () => {
    const dataFolder = buildDataFolder();
    const proof = dataFolder.addRecord('dulu', 3000);
    const file = await backUp(dataFolder);
    const checked = await verifyForRestore(file, ANY_MIGRATION);
    const present = readContent(dataFolder.databaseFile);

    const release = lockBackups(dataFolder.dataDir);
    await expect(restore(dataFolder.dataDir, checked, RESTORE_TIME)).rejects.toThrow(/^Pencadangan sedang berjalan/);
    release?.();

    const image = join(file, 'proofs', proof);
    const bytes = readFileSync(image);
    bytes[700] = (bytes[700] ?? 0) ^ 1;
    writeFileSync(image, bytes);
    await expect(restore(dataFolder.dataDir, checked, RESTORE_TIME)).rejects.toThrow(
      `rusak atau tidak lengkap (proofs/${proof})`,
    );
    expect(readContent(dataFolder.databaseFile)).toEqual(present);
    expect(readdirSync(dataFolder.dataDir).filter((name) => name.startsWith('pemulihan'))).toEqual([]);
    expect(readdirSync(dataFolder.backupsDir).filter((name) => name.startsWith('sebelum'))).toEqual([]);
  });

  it('does not begin without enough disk space', async () => {
    const dataFolder = buildDataFolder();
    dataFolder.addRecord('dulu');
    const checked = await verifyForRestore(await backUp(dataFolder), ANY_MIGRATION);
    const huge = { ...checked, unpackedBytes: 2 ** 60 };
    await expect(restore(dataFolder.dataDir, huge, RESTORE_TIME)).rejects.toThrow(/^Ruang disk tidak cukup: perlu/);
    expect(readdirSync(dataFolder.dataDir).filter((name) => name.startsWith('pemulihan'))).toEqual([]);
  });

  it('restores into an empty folder', async () => {
    const dataFolder = buildDataFolder();
    dataFolder.addRecord('dulu');
    const file = await backUp(dataFolder);
    const dataDir = join(tempFolder(), 'pindah/data');
    const folder = openDataFolder(dataDir);
    expect(await restore(dataDir, await verifyForRestore(file, ANY_MIGRATION), RESTORE_TIME)).toBeNull();
    expect(Object.keys(readContent(folder.databaseFile).records)).toEqual(['dulu']);
    expect(readdirSync(folder.backupsDir)).toEqual([]);
    folder.release();
  });

  it('keeps the data of both restores when two happen in the same second', async () => {
    const dataFolder = buildDataFolder();
    dataFolder.addRecord('dulu');
    const checked = await verifyForRestore(await backUp(dataFolder), ANY_MIGRATION);
    dataFolder.close();
    const aside = await restore(dataFolder.dataDir, checked, RESTORE_TIME);
    rmSync(dataFolder.proofsDir, { recursive: true });
    mkdirSync(dataFolder.proofsDir);
    expect(await restore(dataFolder.dataDir, checked, RESTORE_TIME)).toBe(aside);
    expect(readdirSync(aside ?? '').toSorted()).toEqual(['pbb.sqlite', 'pbb.sqlite.1', 'proofs']);
  });
});
