import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { bundleServer } from '../build.ts';
import { root } from '../toolbox.mjs';
import type { SeaContent } from './sea-blob.ts';
import { stripElf } from './strip-elf.ts';
import type { Target } from './targets.ts';

/** Everything but the native part, which differs from target to target. */
export type Program = {
  /** The function that Node makes of every CommonJS text (starter.cjs calls it), in ASCII. */
  code: Buffer;
  shipped: Map<string, Buffer>;
};

/** Folders of dist/ that the program reads through its `Resources`. */
const SHIPPED = ['client', 'docs', 'migrations', 'guide'];

/** Bundles the server as one CommonJS text and collects what scripts/build.ts has left in dist/. */
export async function readProgram(workFolder: string): Promise<Program> {
  const folder = join(workFolder, 'program');
  await bundleServer({ folder, format: 'cjs' });
  const shipped = new Map<string, Buffer>();
  for (const name of SHIPPED) {
    for (const path of filesBelow(join(root, 'dist', name))) {
      if (!unwanted(name).test(path)) shipped.set(`${name}/${path}`, readFileSync(join(root, 'dist', name, path)));
    }
  }
  // Browsers take nothing but gzip over http; who takes no packing at all gets it unpacked (server/resources.ts).
  for (const key of shipped.keys()) if (shipped.has(`${key}.gz`) || shipped.has(`${key}.br`)) shipped.delete(key);
  if (!shipped.has('client/index.html.gz')) throw new Error('dist/ kosong; jalankan npm run build dulu');
  const code = asciiOnly(readFileSync(join(folder, 'main.cjs'), 'utf8'));
  return { code: Buffer.from(`(function (require, module, exports, __filename, __dirname) { ${code}\n})`), shipped };
}

/** Each in one packing only. Developers read the documentation; theirs is the smaller one. */
const unwanted = (folder: string): RegExp => (folder === 'docs' ? /\.(map|gz)$/ : /\.(map|br)$/);

/** One letter outside Latin-1 would make V8 keep the whole text at two bytes a letter: 2 MB more for every start. */
const asciiOnly = (code: string): string =>
  code.replaceAll(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )
    .toSorted();
}

export function contentFor(program: Program, target: Target): SeaContent & { assets: Map<string, Buffer> } {
  const built = readFileSync(join(root, 'node_modules', 'better-sqlite3', 'prebuilds', target.native));
  const native = target.name.startsWith('linux') ? stripElf(built) : built;
  const starter = readFileSync(join(import.meta.dirname, 'starter.cjs'));
  return {
    main: { name: 'starter.cjs', code: starter },
    assets: new Map([
      ...program.shipped,
      // The names under which server/db/connect.ts and server/threads.ts look for them.
      ['native/better_sqlite3.node.br', pack(native)],
      ['native/better_sqlite3.sha256', Buffer.from(createHash('sha256').update(native).digest('hex'))],
      ['program/starter.cjs', starter],
      ['program/main.cjs', program.code],
    ]),
    execArgv: [],
  };
}

const pack = (bytes: Buffer): Buffer =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS } });
