import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { connect } from '#server/db/sqlite/connect.ts';
import { openDataFolder } from '#server/db/data-folder/data-folder.ts';
import {
  buildDataFolder,
  buildJob,
  NOON,
  readContent,
  tempFolder,
  TIME_ZONE,
  type TestDataFolder,
} from '#server/testing/program/test-data-folder.ts';
import { writeVersion1Archive } from '#server/testing/program/version-1-archive.ts';
import { HOUR_MS } from '#shared/durations.ts';
import { createArchive, verifyArchive } from './archive/create-archive.ts';
import { openAsTar } from './archive/tar-stream-of-folder.ts';
import { findPreviousArchive, type LinkFile } from './archive/folder-writer.ts';
import { listBackups } from './archive-names.ts';
import { BackupError } from './backup-errors.ts';
import { runBackup } from './backup-job.ts';
import { restore, verifyForRestore } from './restore.ts';
import { createThrottle } from './throttle.ts';

const unthrottled = createThrottle(false);
const ANY_MIGRATION = Number.MAX_SAFE_INTEGER;
const BASE = 'pbb.sqlite.gz';
const CHANGES = 'pbb.sqlite-wal.gz';
const HASHES = 'pbb.sqlite.pages';

/** A data folder whose database is so large that a few changes are a small share of it. */
function buildLargeDataFolder(): TestDataFolder {
  const dataFolder = buildDataFolder();
  dataFolder.database.sqlite.exec('create table pengisi (isi blob); insert into pengisi values (randomblob(5000000))');
  return dataFolder;
}

/** @returns the path of the archive */
async function backUp(
  dataFolder: TestDataFolder,
  hours = 0,
  changes: Parameters<typeof buildJob>[1] = {},
): Promise<string> {
  const outcome = await runBackup(buildJob(dataFolder, { nowMs: NOON + hours * HOUR_MS, ...changes }));
  if (outcome.result !== 'done') throw new Error(JSON.stringify(outcome));
  expect(outcome.secondFolderError).toBeNull();
  return join(outcome.folder, outcome.backup.name);
}

const inodeOf = (file: string): number => statSync(file).ino;
const isShared = (first: string, second: string, name: string): boolean =>
  inodeOf(join(first, name)) === inodeOf(join(second, name));

/** Records with the bytes of their images. */
function readState(dataFolder: Pick<TestDataFolder, 'databaseFile' | 'proofsDir'>): unknown {
  const { records } = readContent(dataFolder.databaseFile);
  return Object.entries(records)
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([name, proof]) => [name, proof, proof && readFileSync(join(dataFolder.proofsDir, proof), 'base64')]);
}

async function readRestored(archive: string): Promise<unknown> {
  const folder = openDataFolder(join(tempFolder(), 'data'));
  const checked = await verifyForRestore(archive, ANY_MIGRATION);
  await restore(dirname(folder.databaseFile), checked, { nowMs: NOON, timeZone: TIME_ZONE });
  folder.release();
  return readState(folder);
}

async function readVerifyError(archive: string): Promise<string> {
  const error: unknown = await verifyArchive(archive, unthrottled).catch((cause: unknown) => cause);
  if (!(error instanceof BackupError)) throw error;
  return error.message;
}

/** Changes one byte of a file as a failing disk does: also in every archive that shares it. */
function damage(file: string): void {
  const bytes = readFileSync(file);
  const at = Math.floor(bytes.length / 2);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(file, bytes);
}

describe('the second archive', () => {
  it('shares the files that have not changed, and does not read the originals again', async () => {
    const dataFolder = buildLargeDataFolder();
    const [old, gone] = [dataFolder.addRecord('lama', 40_000), dataFolder.addRecord('dihapus')];
    const first = await backUp(dataFolder);
    const before = readState(dataFolder);
    // A second reading would find something else from now on.
    const image = readFileSync(join(dataFolder.proofsDir, old));
    writeFileSync(join(dataFolder.proofsDir, old), Buffer.alloc(image.length));
    dataFolder.removeProof(gone);
    const added = dataFolder.addRecord('baru');
    const second = await backUp(dataFolder, 2);
    expect(isShared(first, second, `proofs/${old}`)).toBe(true);
    expect([BASE, HASHES].map((name) => isShared(first, second, name))).toEqual([true, true]);
    expect(readFileSync(join(second, 'proofs', old)).equals(image)).toBe(true);
    expect(readdirSync(join(second, 'proofs')).toSorted()).toEqual([old, added].toSorted());
    expect(readdirSync(second).toSorted()).toEqual(['manifest.json', CHANGES, BASE, HASHES, 'proofs'].toSorted());
    expect(statSync(join(second, CHANGES)).size).toBeLessThan(statSync(join(second, BASE)).size / 2);

    writeFileSync(join(dataFolder.proofsDir, old), image);
    expect(await readRestored(second)).toEqual(readState(dataFolder));
    expect(await readRestored(first)).toEqual(before);
  });

  it('shares everything but its manifest when nothing has changed', async () => {
    const dataFolder = buildLargeDataFolder();
    const proof = dataFolder.addRecord('satu');
    await backUp(dataFolder);
    dataFolder.addRecord('dua');
    const second = await backUp(dataFolder, 2);
    const third = await backUp(dataFolder, 4);
    const shared = [BASE, HASHES, CHANGES, `proofs/${proof}`].map((name) => isShared(second, third, name));
    expect(shared).toEqual([true, true, true, true]);
    expect(isShared(second, third, 'manifest.json')).toBe(false);
    expect(await readRestored(third)).toEqual(readState(dataFolder));
  });

  it('packs the database anew when much of it has changed, also when it became smaller', async () => {
    const dataFolder = buildLargeDataFolder();
    dataFolder.addRecord('satu');
    const first = await backUp(dataFolder);
    const before = readState(dataFolder);
    dataFolder.database.sqlite.exec("delete from pengisi; update tax_records set name = 'dua'; vacuum");
    const second = await backUp(dataFolder, 2);
    expect(isShared(first, second, BASE)).toBe(false);
    expect(existsSync(join(second, CHANGES))).toBe(false);
    expect(await readRestored(second)).toEqual(readState(dataFolder));
    expect(await readRestored(first)).toEqual(before);
  });

  it('stays whole when the first one is deleted', async () => {
    const dataFolder = buildDataFolder();
    dataFolder.addRecord('satu');
    const keep = { periods: 1, days: 0, months: 0 };
    const first = await backUp(dataFolder, 0, { keep });
    dataFolder.addRecord('dua');
    const second = await backUp(dataFolder, 2, { keep });
    expect(existsSync(first)).toBe(false);
    expect(statSync(join(second, BASE)).nlink).toBe(1);
    expect(await readRestored(second)).toEqual(readState(dataFolder));
  });

  it('opens in SQLite itself after its two database files are unpacked', async () => {
    const dataFolder = buildLargeDataFolder();
    dataFolder.addRecord('satu');
    await backUp(dataFolder);
    for (let count = 0; count < 20; count += 1) dataFolder.addRecord(`r${count}`, 1);
    const archive = await backUp(dataFolder, 2);
    const folder = tempFolder();
    for (const name of [BASE, CHANGES]) {
      const unpacked = gunzipSync(readFileSync(join(archive, name)));
      writeFileSync(join(folder, name.replace('.gz', '')), unpacked);
    }
    expect(readContent(join(folder, 'pbb.sqlite'))).toEqual(readContent(dataFolder.databaseFile));
    const sqlite = connect(join(folder, 'pbb.sqlite'));
    expect(sqlite.pragma('integrity_check', { simple: true })).toBe('ok');
    sqlite.close();
  });

  it('takes no deleted texts from the free pages of a database of version 1.0.0', async () => {
    const dataFolder = buildDataFolder();
    const { sqlite } = dataFolder.database;
    sqlite.pragma('secure_delete = OFF');
    sqlite.pragma('user_version = 0');
    sqlite.exec(
      "create table lama (teks text); insert into lama values ('kata-rahasia-yang-dihapus' || zeroblob(9000))",
    );
    sqlite.exec('drop table lama; pragma wal_checkpoint(TRUNCATE)');
    expect(readFileSync(dataFolder.databaseFile, 'latin1')).toContain('kata-rahasia-yang-dihapus');
    const archive = await backUp(dataFolder);
    const unpacked = gunzipSync(readFileSync(join(archive, BASE))).toString('latin1');
    expect(unpacked).toContain('SQLite format 3');
    expect(unpacked).not.toContain('kata-rahasia-yang-dihapus');
  });
});

describe('an archive on a disk without hard links', () => {
  it.each(['EPERM', 'ENOTSUP', 'EXDEV', 'EMLINK'])('holds whole copies after %s', async (code) => {
    const dataFolder = buildDataFolder();
    const proof = dataFolder.addRecord('satu');
    const { databaseFile, proofsDir, backupsDir: folder } = dataFolder;
    const plan = { databaseFile, proofsDir, folder, createdAtMs: NOON, checksAll: false };
    await createArchive({ ...plan, name: 'pbb-kita-20260610-120000', previous: null }, unthrottled);
    const first = join(folder, 'pbb-kita-20260610-120000');
    writeFileSync(join(proofsDir, proof), 'not read again');
    const link: LinkFile = () => {
      throw Object.assign(new Error(code), { code });
    };
    const previous = findPreviousArchive(first);
    await createArchive({ ...plan, name: 'pbb-kita-20260610-140000', previous, link }, unthrottled);
    const second = join(folder, 'pbb-kita-20260610-140000');
    for (const name of [BASE, HASHES, `proofs/${proof}`]) {
      expect(isShared(first, second, name), name).toBe(false);
      expect(readFileSync(join(first, name)).equals(readFileSync(join(second, name))), name).toBe(true);
    }
    await verifyArchive(second, unthrottled);

    // A copy is compared with its hash: a damaged one is not handed on.
    damage(join(first, BASE));
    await createArchive(
      { ...plan, name: 'pbb-kita-20260610-160000', previous: findPreviousArchive(first), link },
      unthrottled,
    );
    await verifyArchive(join(folder, 'pbb-kita-20260610-160000'), unthrottled);
  });
});

describe('a file of an archive that the disk has damaged', () => {
  it('fails the check, and a manual backup writes it anew, as does one a day', async () => {
    for (const name of ['image', BASE, HASHES] as const) {
      for (const next of [{ kind: 'manual', hours: 2 } as const, { kind: 'periodic', hours: 24 } as const]) {
        const dataFolder = buildDataFolder();
        const proof = dataFolder.addRecord('satu', 30_000);
        const first = await backUp(dataFolder);
        const entry = name === 'image' ? `proofs/${proof}` : name;
        damage(join(first, entry));
        expect(await readVerifyError(first)).toContain(`rusak atau tidak lengkap (${entry})`);
        const second = await backUp(dataFolder, next.hours, { kind: next.kind });
        await verifyArchive(second, unthrottled);
        expect(await readRestored(second)).toEqual(readState(dataFolder));
      }
    }
  });

  it('counts the day from the last archive that was checked, whatever was made between', async () => {
    const dataFolder = buildDataFolder();
    dataFolder.addRecord('satu', 30_000);
    const first = await backUp(dataFolder);
    for (let hours = 2; hours < 24; hours += 2) await backUp(dataFolder, hours);
    damage(join(first, BASE));
    const checkedAt = (archive: string): string | undefined => findPreviousArchive(archive)?.manifest.checked_at;
    const late = await backUp(dataFolder, 23);
    expect([checkedAt(late), isShared(first, late, BASE)]).toEqual(['2026-06-10T05:00:00.000Z', true]);
    const next = await backUp(dataFolder, 24);
    expect([checkedAt(next), isShared(first, next, BASE)]).toEqual(['2026-06-11T05:00:00.000Z', false]);
    await verifyArchive(next, unthrottled);
  });
});

describe('the second folder', () => {
  it('shares files between its own archives, and none with the first folder', async () => {
    const dataFolder = buildLargeDataFolder();
    const secondDir = tempFolder();
    const proof = dataFolder.addRecord('satu');
    const first = await backUp(dataFolder, 0, { secondDir });
    dataFolder.addRecord('dua');
    const second = await backUp(dataFolder, 2, { secondDir });
    const copyOf = (archive: string): string => archive.replace(dataFolder.backupsDir, secondDir);
    for (const name of [BASE, HASHES, `proofs/${proof}`]) {
      expect(isShared(copyOf(first), copyOf(second), name), name).toBe(true);
      expect(isShared(second, copyOf(second), name), name).toBe(false);
    }
    expect(await readRestored(copyOf(second))).toEqual(readState(dataFolder));
  });

  it('gets a whole archive also after it was away for several', async () => {
    const dataFolder = buildDataFolder();
    const secondDir = join(tempFolder(), 'usb');
    mkdirSync(secondDir);
    dataFolder.addRecord('satu');
    await backUp(dataFolder, 0, { secondDir });
    renameSync(secondDir, `${secondDir}-away`);
    dataFolder.addRecord('dua');
    await backUp(dataFolder, 2);
    renameSync(`${secondDir}-away`, secondDir);
    dataFolder.addRecord('tiga');
    const archive = await backUp(dataFolder, 4, { secondDir });
    expect(await readRestored(join(secondDir, archive.slice(dataFolder.backupsDir.length)))).toEqual(
      readState(dataFolder),
    );
  });

  it('does not get an archive whose file is damaged, and says so', async () => {
    const dataFolder = buildDataFolder();
    const secondDir = tempFolder();
    const proof = dataFolder.addRecord('satu');
    const first = await backUp(dataFolder);
    damage(join(first, 'proofs', proof));
    const job = buildJob(dataFolder, { nowMs: NOON + 2 * HOUR_MS, secondDir });
    expect(await runBackup(job)).toMatchObject({
      result: 'done',
      secondFolderError: `Cadangan pbb-kita-20260610-140000 rusak (proofs/${proof}), jadi tidak disalin. Periksa disk server, lalu tekan Cadangkan sekarang.`,
    });
    expect(readdirSync(secondDir)).toEqual([]);
  });
});

describe('an archive folder that others have changed', () => {
  async function buildArchive() {
    const dataFolder = buildDataFolder();
    const proof = dataFolder.addRecord('satu');
    const archive = await backUp(dataFolder);
    return { dataFolder, archive, proof };
  }

  it('fails the check when a link stands for a file or a folder, also with the same content', async () => {
    const { archive, proof } = await buildArchive();
    const aside = tempFolder();
    const image = join(archive, 'proofs', proof);
    copyFileSync(image, join(aside, proof));
    rmSync(image);
    symlinkSync(join(aside, proof), image);
    expect(await readVerifyError(archive)).toContain(`proofs/${proof} tidak ada`);
    rmSync(join(archive, 'proofs'), { recursive: true });
    symlinkSync(aside, join(archive, 'proofs'));
    expect(await readVerifyError(archive)).toContain(`proofs/${proof} tidak ada`);
  });

  it('fails the check when its manifest names a file outside, or the same one twice', async () => {
    const { archive, proof } = await buildArchive();
    const manifest = join(archive, 'manifest.json');
    const text = readFileSync(manifest, 'utf8');
    for (const name of [
      '../../pbb.sqlite',
      '/etc/passwd',
      'proofs/../manifest.json',
      'proofs/a/b.jpg',
      BASE,
      'manifest.json',
    ]) {
      writeFileSync(manifest, text.replace(`"proofs/${proof}"`, JSON.stringify(name)));
      expect(await readVerifyError(archive), name).toMatch(/^Ini bukan cadangan PBB Kita/);
    }
    rmSync(manifest);
    expect(await readVerifyError(archive)).toMatch(/^Ini bukan cadangan PBB Kita/);
  });

  it('fails the check without one of its files, and the next archive is whole again', async () => {
    const { dataFolder, archive, proof } = await buildArchive();
    rmSync(join(archive, 'proofs', proof));
    expect(await readVerifyError(archive)).toContain(`proofs/${proof} tidak ada`);
    expect(await readRestored(await backUp(dataFolder, 2))).toEqual(readState(dataFolder));
  });

  it('restores when a file manager has left its own files there', async () => {
    const { dataFolder, archive } = await buildArchive();
    writeFileSync(join(archive, 'proofs/.DS_Store'), 'x');
    writeFileSync(join(archive, 'desktop.ini'), 'x');
    writeFileSync(join(archive, 'proofs/Thumbs.db'), 'x');
    expect(await readRestored(archive)).toEqual(readState(dataFolder));
    const { sizeBytes, content } = await openAsTar(archive);
    const packed = join(tempFolder(), `${basename(archive)}.tar`);
    await writeFile(packed, content);
    expect(statSync(packed).size).toBe(sizeBytes);
    expect(await readRestored(packed)).toEqual(readState(dataFolder));
  });

  it('appears in the list with its whole size; without a manifest it can still be deleted', async () => {
    const { dataFolder, archive } = await buildArchive();
    const second = await backUp(dataFolder, 2);
    mkdirSync(join(dataFolder.backupsDir, 'pbb-kita-20260609-120000'));
    symlinkSync(archive, join(dataFolder.backupsDir, 'pbb-kita-20260608-120000'));
    const listed = await listBackups(dataFolder.backupsDir, TIME_ZONE);
    const sizeOf = (folder: string): number =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && entry.name !== 'manifest.json')
        .reduce((total, { parentPath, name }) => total + statSync(join(parentPath, name)).size, 0);
    expect(listed.map(({ name, sizeBytes }) => [name, sizeBytes])).toEqual([
      ['pbb-kita-20260610-140000', sizeOf(second)],
      ['pbb-kita-20260610-120000', sizeOf(archive)],
      ['pbb-kita-20260609-120000', 0],
    ]);
    await backUp(dataFolder, 4, { keep: { periods: 1, days: 0, months: 0 } });
    expect(existsSync(join(dataFolder.backupsDir, 'pbb-kita-20260609-120000'))).toBe(false);
    expect(existsSync(archive)).toBe(false);
  });
});

describe('an archive of version 1.0.0', () => {
  it('restores, is listed, and ages out beside the new ones', async () => {
    const dataFolder = buildDataFolder();
    dataFolder.addRecord('satu', 30_000);
    const old = join(dataFolder.backupsDir, 'pbb-kita-20260610-100000.tar');
    await writeVersion1Archive(dataFolder, old);
    rmSync(`${old}.sqlite`);
    const before = readState(dataFolder);
    dataFolder.addRecord('dua');
    const archive = await backUp(dataFolder);
    expect((await listBackups(dataFolder.backupsDir, TIME_ZONE)).map(({ name }) => name)).toEqual([
      'pbb-kita-20260610-120000',
      'pbb-kita-20260610-100000.tar',
    ]);
    expect(await readRestored(old)).toEqual(before);
    expect(await readRestored(archive)).toEqual(readState(dataFolder));
    await backUp(dataFolder, 2, { keep: { periods: 2, days: 0, months: 0 } });
    expect(existsSync(old)).toBe(false);
  });

  it('fails the check when its database is damaged', async () => {
    const dataFolder = buildDataFolder();
    const old = join(dataFolder.backupsDir, 'pbb-kita-20260610-100000.tar');
    await writeVersion1Archive(dataFolder, old);
    damage(old);
    expect(await readVerifyError(old)).toContain('rusak atau tidak lengkap (pbb.sqlite.gz)');
  });
});

describe('archives that share files', () => {
  it('each restore the state of their moment, after any changes, backups and deletions', async () => {
    const step = fc.oneof(
      {
        weight: 3,
        arbitrary: fc.record({ do: fc.constant('add' as const), bytes: fc.integer({ min: 0, max: 9000 }) }),
      },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), at: fc.nat() }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('edit' as const), at: fc.nat() }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('vacuum' as const) }) },
      {
        weight: 3,
        arbitrary: fc.record({
          do: fc.constant('backup' as const),
          kind: fc.constantFrom('manual' as const, 'periodic' as const),
        }),
      },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), at: fc.nat() }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.boolean(), fc.array(step, { minLength: 6, maxLength: 16 }), async (isLarge, steps) => {
        const dataFolder = isLarge ? buildLargeDataFolder() : buildDataFolder();
        const { sqlite } = dataFolder.database;
        const proofs: string[] = [];
        const expected = new Map<string, unknown>();
        const pick = <T>(list: readonly T[], at: number): T | undefined => list[at % Math.max(1, list.length)];
        for (const [index, action] of steps.entries()) {
          if (action.do === 'add') proofs.push(dataFolder.addRecord(`r${index}`, action.bytes));
          if (action.do === 'edit') {
            const proof = pick(proofs, action.at) ?? null;
            sqlite.prepare('update tax_records set name = ? where proof_file = ?').run(`diubah ${index}`, proof);
          }
          if (action.do === 'remove' && proofs.length > 0) {
            for (const proof of proofs.splice(action.at % proofs.length, 1)) dataFolder.removeProof(proof);
          }
          if (action.do === 'vacuum') sqlite.exec('vacuum');
          if (action.do === 'backup') {
            expected.set(await backUp(dataFolder, index * 2, { kind: action.kind }), readState(dataFolder));
          }
          const gone = action.do === 'delete' ? pick([...expected.keys()], action.at) : undefined;
          if (gone !== undefined) {
            rmSync(gone, { recursive: true });
            expected.delete(gone);
          }
        }
        for (const [archive, state] of expected) expect(await readRestored(archive)).toEqual(state);
      }),
      { numRuns: 10 },
    );
  });
});
