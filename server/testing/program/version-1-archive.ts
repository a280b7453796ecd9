import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import tar from 'tar-stream';
import { NOON, type TestDataFolder } from './test-data-folder.ts';

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/**
 * Writes an archive as version 1.0.0 wrote it: one tar with all files, the database in gzip members of 4 MiB, and the
 * manifest last.
 * @param file a path that does not exist
 */
export async function writeVersion1Archive(dataFolder: TestDataFolder, file: string): Promise<void> {
  const copy = `${file}.sqlite`;
  dataFolder.database.sqlite.prepare('vacuum into ?').run(copy);
  const database = readFileSync(copy);
  const pieces = Array.from({ length: Math.ceil(database.length / 2 ** 22) }, (_, index) =>
    gzipSync(database.subarray(index * 2 ** 22, (index + 1) * 2 ** 22)),
  );
  const contents: [string, Buffer][] = [
    ...readdirSync(dataFolder.proofsDir)
      .toSorted()
      .map((name): [string, Buffer] => [`proofs/${name}`, readFileSync(join(dataFolder.proofsDir, name))]),
    ['pbb.sqlite.gz', Buffer.concat(pieces)],
  ];
  const manifest = {
    format: 1,
    app_version: '1.0.0',
    created_at: new Date(NOON).toISOString(),
    newest_migration: 1,
    database: { size: database.length, sha256: sha256(database), members: pieces.map(({ length }) => length) },
    missing_proofs: [],
    entries: contents.map(([name, bytes]) => ({ name, size: bytes.length, sha256: sha256(bytes) })),
  };
  const pack = tar.pack();
  for (const [name, bytes] of [...contents, ['manifest.json', Buffer.from(JSON.stringify(manifest))] as const]) {
    pack.entry({ name, mode: 0o600 }, bytes);
  }
  pack.finalize();
  writeFileSync(file, await buffer(pack), { mode: 0o600 });
}
