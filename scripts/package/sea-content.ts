import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { bundleServer } from '../build.ts';
import { root } from '../bootstrap.mjs';
import { appendNotices, describeNode, headingOf, readPackage } from '../licenses/notices.ts';
import { RUNTIME_FLAGS } from '../runtime-flags.mjs';
import type { NodeRuntime } from './runtimes.ts';
import type { SeaContent } from './sea-blob.ts';
import { stripElf } from './strip-elf.ts';
import type { BinaryTarget } from './targets.ts';

/** The parts that are the same for every target: all but the native addon. */
export type BundledProgram = {
  /** The server in a CommonJS function wrapper, in ASCII; starter.cjs calls it. */
  code: Buffer;
  assets: Map<string, Buffer>;
  /** The licenses of all parts but Node. */
  notices: string;
};

/** Folders of dist/ that the server reads through its `Resources`. */
const ASSET_FOLDERS = ['client', 'docs', 'migrations', 'guide', 'handbook'];

/** Bundles the server as one CommonJS script and collects the assets that scripts/build.ts wrote to dist/. */
export async function bundleProgram(workFolder: string): Promise<BundledProgram> {
  const folder = join(workFolder, 'program');
  const packages = await bundleServer({ folder, format: 'cjs' });
  const notices = readFileSync(join(root, 'dist', 'LICENSES.txt'), 'utf8');
  // This bundle holds the database library too, whose own packages scripts/build.ts does not see.
  const headings = [...packages].map((packageFolder) => headingOf(readPackage(packageFolder)));
  const missing = headings.filter((heading) => !notices.includes(`\n${heading}\n`));
  if (missing.length > 0) throw new Error(`dist/LICENSES.txt tidak memuat ${missing.join(', ')}`);
  const shipped = new Map<string, Buffer>();
  for (const name of ASSET_FOLDERS) {
    for (const path of listFiles(join(root, 'dist', name))) {
      if (!excludedFiles(name).test(path)) shipped.set(`${name}/${path}`, readFileSync(join(root, 'dist', name, path)));
    }
  }
  // The compressed form is enough: server/files/resources.ts decompresses it for clients that accept no compression.
  for (const key of shipped.keys()) if (shipped.has(`${key}.gz`) || shipped.has(`${key}.br`)) shipped.delete(key);
  if (!shipped.has('client/index.html.gz')) throw new Error('dist/ kosong; jalankan npm run build dulu');
  const code = escapeNonAscii(readFileSync(join(folder, 'main.cjs'), 'utf8'));
  return {
    code: Buffer.from(`(function (require, module, exports, __filename, __dirname) { ${code}\n})`),
    assets: shipped,
    notices,
  };
}

/**
 * Keeps one compressed form of each file to save space. Over plain http, browsers accept gzip but not Brotli. Only
 * developers read the API documentation, so it keeps Brotli, which is smaller. The snapshots of the migrations are for
 * the tool that writes migrations.
 */
const excludedFiles = (folder: string): RegExp =>
  folder === 'docs' ? /\.(map|gz)$/ : /\.(map|br)$|^meta\/\d+_snapshot\.json$/;

/**
 * A single character outside Latin-1 makes V8 store the whole script with two bytes per character. That costs 2 MB more
 * at each start.
 */
const escapeNonAscii = (code: string): string =>
  code.replaceAll(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )
    .toSorted();
}

/** The licenses of a program that contains these runtimes. */
export const noticesWithNode = (notices: string, runtimes: NodeRuntime[]): string =>
  appendNotices(
    notices,
    runtimes.map(({ version, licenseFile }) => describeNode(version, licenseFile)),
  );

export function createSeaContent(
  program: BundledProgram,
  target: BinaryTarget,
  runtime: NodeRuntime,
): SeaContent & { assets: Map<string, Buffer> } {
  const originalAddon = readFileSync(join(root, 'node_modules', 'better-sqlite3', 'prebuilds', target.nativeAddon));
  const nativeAddon = target.name.startsWith('linux') ? stripElf(originalAddon) : originalAddon;
  const starter = readFileSync(join(import.meta.dirname, 'starter.cjs'));
  return {
    main: { name: 'starter.cjs', code: starter },
    assets: new Map([
      ...program.assets,
      // server/db/sqlite/connect.ts and server/commands/threads.ts read these assets by their names.
      ['native/better_sqlite3.node.br', compressBrotli(nativeAddon)],
      ['native/better_sqlite3.sha256', Buffer.from(createHash('sha256').update(nativeAddon).digest('hex'))],
      ['program/starter.cjs', starter],
      ['program/main.cjs', program.code],
      ['LICENSES.txt.br', compressBrotli(Buffer.from(noticesWithNode(program.notices, [runtime])))],
    ]),
    execArgv: RUNTIME_FLAGS,
  };
}

const compressBrotli = (bytes: Buffer): Buffer =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS } });
