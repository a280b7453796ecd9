import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import tar from 'tar-stream';
import { describe, expect, it } from 'vitest';
import { APP_VERSION } from '#server/process/version.ts';
import { BackupError } from '../backup-errors.ts';
import { verifyArchive, createArchive } from './create-archive.ts';
import type { Manifest } from './manifest.ts';
import { createThrottle, type Throttle } from '../throttle.ts';
import { buildDataFolder, NOON, tempFolder, type TestDataFolder } from '#server/testing/program/test-data-folder.ts';

const unthrottled = createThrottle(false);
const NAME = 'pbb-kita-20260610-120000.tar';

async function createTestArchive(
  dataFolder: TestDataFolder,
  throttle: Throttle = unthrottled,
): Promise<{ file: string; manifest: Manifest }> {
  const { databaseFile, proofsDir, backupsDir: folder } = dataFolder;
  const plan = { databaseFile, proofsDir, folder, name: NAME, createdAtMs: NOON, previous: null, checksAll: true };
  const manifest = await createArchive(plan, throttle);
  return { file: join(folder, NAME), manifest };
}

async function readEntries(file: string): Promise<{ name: string; content: Buffer }[]> {
  const extract = tar.extract();
  extract.end(readFileSync(file));
  const entries: { name: string; content: Buffer }[] = [];
  for await (const entry of extract) {
    const chunks: Buffer[] = [];
    for await (const chunk of entry as AsyncIterable<Buffer>) chunks.push(chunk);
    entries.push({ name: entry.header.name, content: Buffer.concat(chunks) });
  }
  return entries;
}

type Entry = { name: string; content: Buffer | string; type?: 'file' | 'symlink' | 'directory' };

async function writeTar(entries: Entry[]): Promise<string> {
  const pack = tar.pack();
  for (const { name, content, type } of entries) {
    if (type === 'symlink') pack.entry({ name, type, linkname: '/etc/passwd' });
    else pack.entry({ name, ...(type ? { type } : {}) }, content);
  }
  pack.finalize();
  const file = join(tempFolder(), NAME);
  writeFileSync(file, await buffer(pack));
  return file;
}

async function readVerifyError(file: string): Promise<string> {
  const error: unknown = await verifyArchive(file, unthrottled).catch((cause: unknown) => cause);
  if (!(error instanceof BackupError)) throw error;
  return error.message;
}

describe('createArchive of one file', () => {
  it('stores the database and every image, and lists them in the last entry', async () => {
    const dataFolder = buildDataFolder();
    const proofs = [
      dataFolder.addRecord('satu', 12_345),
      dataFolder.addRecord('dua', 0),
      dataFolder.addRecord('tiga', 2_000_000),
    ];
    const { file, manifest } = await createTestArchive(dataFolder);
    const entries = await readEntries(file);
    expect(entries.map(({ name }) => name)).toEqual([
      ...entries.slice(0, 3).map(({ name }) => name),
      'pbb.sqlite.gz',
      'pbb.sqlite.pages',
      'manifest.json',
    ]);
    for (const proof of proofs) {
      const entry = entries.find(({ name }) => name === `proofs/${proof}`);
      expect(entry?.content.equals(readFileSync(join(dataFolder.proofsDir, proof)))).toBe(true);
    }
    expect(manifest).toMatchObject({
      format: 2,
      app_version: APP_VERSION,
      created_at: '2026-06-10T05:00:00.000Z',
      checked_at: '2026-06-10T05:00:00.000Z',
      missing_proofs: [],
    });
    expect(manifest.newest_migration).toBeGreaterThan(1.7e12);
    expect(await verifyArchive(file, unthrottled)).toEqual(manifest);
    expect(readdirSync(dataFolder.backupsDir)).toEqual([NAME]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('omits images that no record refers to, and lists missing ones', async () => {
    const dataFolder = buildDataFolder();
    const gone = dataFolder.addRecord('satu');
    rmSync(join(dataFolder.proofsDir, gone));
    writeFileSync(join(dataFolder.proofsDir, 'unused.jpg'), 'x');
    const odd = dataFolder.addRecord('aneh');
    dataFolder.database.sqlite
      .prepare("update tax_records set proof_file = '../rahasia' where proof_file = ?")
      .run(odd);
    const { manifest } = await createTestArchive(dataFolder);
    expect(manifest.missing_proofs.toSorted()).toEqual(['../rahasia', gone].toSorted());
    expect(manifest.entries.map(({ name }) => name)).toEqual(['pbb.sqlite.gz', 'pbb.sqlite.pages']);
  });

  it('copies the database again when an image was removed meanwhile', async () => {
    const dataFolder = buildDataFolder();
    // In the order in which they are written.
    const proofs = Array.from({ length: 5 }, (_, index) => dataFolder.addRecord(`r${index}`)).toSorted();
    let steps = 0;
    const { manifest } = await createTestArchive(dataFolder, {
      ...unthrottled,
      write: async (file, bytes) => {
        await unthrottled.write(file, bytes);
        steps += 1;
        // While the first images are written, the last ones are replaced and others are added.
        if (steps === 2) for (const proof of proofs.slice(-2)) dataFolder.removeProof(proof);
        if (steps === 2) proofs.push(dataFolder.addRecord('baru'));
      },
    });
    const names = new Set(manifest.entries.map(({ name }) => name));
    expect(manifest.missing_proofs).toEqual([]);
    expect(names).toContain(`proofs/${proofs.at(-1)}`);
    for (const proof of proofs.slice(0, 3)) expect(names).toContain(`proofs/${proof}`);
  });

  it('fails and leaves no file when images change all the time', async () => {
    const dataFolder = buildDataFolder();
    let newest = [dataFolder.addRecord('a'), dataFolder.addRecord('b'), dataFolder.addRecord('c')];
    const restless: Throttle = {
      ...unthrottled,
      write: async (file, bytes) => {
        await unthrottled.write(file, bytes);
        for (const proof of newest) dataFolder.removeProof(proof);
        newest = [dataFolder.addRecord('a'), dataFolder.addRecord('b'), dataFolder.addRecord('c')];
      },
    };
    await expect(createTestArchive(dataFolder, restless)).rejects.toThrow(/^Foto dan dokumen berubah terlalu cepat/);
    expect(readdirSync(dataFolder.backupsDir)).toEqual([]);
  });

  it('fails for a damaged database', async () => {
    const dataFolder = buildDataFolder();
    dataFolder.addRecord('satu');
    dataFolder.database.sqlite.pragma('foreign_keys = OFF');
    dataFolder.database.sqlite.exec("update tax_records set user_id = 'missing'");
    await expect(createTestArchive(dataFolder)).rejects.toThrow(
      /^Database rusak \(1 dangling references\)\. Hentikan server/,
    );
    expect(readdirSync(dataFolder.backupsDir)).toEqual([]);
  });

  it.each([1, 2, 3, 4, 7])('leaves no file when the disk is full at step %d', async (step) => {
    const dataFolder = buildDataFolder();
    dataFolder.addRecord('satu');
    let steps = 0;
    const write: Throttle['write'] = async (file, bytes) => {
      steps += 1;
      if (steps === step) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
      await unthrottled.write(file, bytes);
    };
    const full: Throttle = { ...unthrottled, write };
    await expect(createTestArchive(dataFolder, full)).rejects.toMatchObject({ code: 'ENOSPC' });
    expect(readdirSync(dataFolder.backupsDir)).toEqual([]);
  });
});

describe('verifyArchive', () => {
  it('rejects an archive in which any byte of the content was changed', async () => {
    const dataFolder = buildDataFolder();
    dataFolder.addRecord('satu', 3000);
    const { file } = await createTestArchive(dataFolder);
    const whole = readFileSync(file);
    const copy = join(tempFolder(), NAME);
    // Every part: headers, image, database, manifest. Padding and the end of a tar contain no data.
    const places = [0, 130, 600, 3000, 512 + 3072 + 10, 512 + 3072 + 512 + 5, whole.indexOf('"sha256"') + 15];
    for (const place of places) {
      const changed = Buffer.from(whole);
      changed[place] = (changed[place] ?? 0) ^ 1;
      writeFileSync(copy, changed);
      expect(await readVerifyError(copy), `byte ${place}`).toMatch(
        /^(Cadangan ini rusak atau tidak lengkap|Ini bukan cadangan)/,
      );
    }
  });

  it('rejects an archive that was cut anywhere', async () => {
    const dataFolder = buildDataFolder();
    for (let count = 0; count < 3; count += 1) dataFolder.addRecord(`r${count}`, 3000);
    const { file } = await createTestArchive(dataFolder);
    const whole = readFileSync(file);
    const copy = join(tempFolder(), NAME);
    for (const length of [
      0,
      100,
      512,
      2000,
      3584,
      3 * 3584,
      3 * 3584 + 512,
      whole.length - 2048,
      whole.length - 1600,
    ]) {
      writeFileSync(copy, whole.subarray(0, length));
      expect(await readVerifyError(copy), `${length} bytes`).toMatch(
        /^(Cadangan ini rusak atau tidak lengkap|Ini bukan cadangan)/,
      );
    }
  });

  const hello: Entry = { name: 'hello.txt', content: 'hello' };
  it.each<[string, Entry[]]>([
    ['a foreign tar', [hello]],
    ['a path that leads out', [{ name: 'proofs/../../evil.jpg', content: 'x' }]],
    ['an absolute path', [{ name: '/etc/passwd', content: 'x' }]],
    ['a path with a backslash', [{ name: 'proofs/..\\evil.jpg', content: 'x' }]],
    ['a hidden name', [{ name: 'proofs/.bashrc', content: 'x' }]],
    ['a folder below the proofs', [{ name: 'proofs/a/b.jpg', content: 'x' }]],
    ['a link', [{ name: 'proofs/a.jpg', content: '', type: 'symlink' }]],
    ['a folder', [{ name: 'proofs/a', content: '', type: 'directory' }]],
    [
      'the same name twice',
      [
        { name: 'proofs/a.jpg', content: 'x' },
        { name: 'proofs/a.jpg', content: 'y' },
      ],
    ],
  ])('refuses a foreign archive: %s', async (_what, entries) => {
    expect(await readVerifyError(await writeTar(entries))).toMatch(
      /^Ini bukan cadangan PBB Kita\. Pilih folder atau berkas/,
    );
  });

  it('rejects entries after the manifest, missing entries, and an invalid manifest', async () => {
    const dataFolder = buildDataFolder();
    dataFolder.addRecord('satu');
    dataFolder.addRecord('dua');
    const entries = await readEntries((await createTestArchive(dataFolder)).file);
    const manifest = entries.at(-1);
    const [first, second, database, hashes] = entries;
    if (!first || !second || !database || !hashes || !manifest)
      throw new Error('the archive has fewer entries than it should');
    const withManifest = (content: string): Entry[] => [...entries.slice(0, -1), { name: 'manifest.json', content }];
    const extra = { name: 'proofs/extra.jpg', content: 'x' };
    expect(await readVerifyError(await writeTar([...entries, extra]))).toContain('bukan cadangan');
    expect(await readVerifyError(await writeTar([first, database, hashes, manifest]))).toContain('rusak');
    expect(await readVerifyError(await writeTar([first, second, hashes, manifest]))).toContain('rusak');
    expect(await readVerifyError(await writeTar([first, second, database, manifest]))).toContain('rusak');
    expect(await readVerifyError(await writeTar([extra, ...entries]))).toContain('rusak');
    expect(await readVerifyError(await writeTar(withManifest('{')))).toContain('rusak');
    expect(await readVerifyError(await writeTar(withManifest('{"format":1}')))).toContain('rusak');
    expect(await readVerifyError(await writeTar(withManifest('{"format":2}')))).toContain('rusak');
    expect(await readVerifyError(await writeTar(withManifest('{"format":3}')))).toContain(
      'lebih baru daripada program ini',
    );
  });

  it('rejects a file that is no tar', async () => {
    const file = join(tempFolder(), 'x.tar');
    writeFileSync(file, 'not a tar at all '.repeat(1000));
    expect(await readVerifyError(file)).toContain('bukan cadangan');
  });
});
