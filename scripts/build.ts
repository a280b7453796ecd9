import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'vite';
import { inputsFingerprint, root, stampFile } from './toolbox.mjs';

/** Smaller files gain less than their own headers. */
const PACK_FROM_BYTES = 1024;
const DOCS_FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'LICENSE'];
const GUIDE_FILES = ['operations.md'];

const out = (...path: string[]): string => join(root, 'dist', ...path);

/**
 * Everything the server runs, as one file.
 * @param to `cjs` and whole for the single binary; `es`, with the database library beside it, for Node
 */
export async function bundleServer(to: { folder: string; format: 'es' | 'cjs' }): Promise<void> {
  const isProgram = to.format === 'cjs';
  const external = isProgram ? [] : ['better-sqlite3'];
  await build({
    configFile: false,
    root,
    publicDir: false,
    logLevel: 'warn',
    define: { PBB_VERSION: JSON.stringify(versionOfPackage()) },
    ssr: { target: 'node', noExternal: true, external },
    build: {
      ssr: 'server/main.ts',
      outDir: to.folder,
      emptyOutDir: true,
      target: 'node24',
      minify: true,
      sourcemap: !isProgram,
      rolldownOptions: {
        // Optional accelerators of `ws` that are not installed.
        external: ['bufferutil', 'utf-8-validate', ...external],
        output: {
          format: to.format,
          entryFileNames: isProgram ? 'main.cjs' : 'main.mjs',
          codeSplitting: false,
          keepNames: true,
        },
      },
    },
  });
}

function versionOfPackage(): string {
  return (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version;
}

/** Copies what ships as it is to a folder of its own, without what stood there before. */
function shipFolder(name: string, files: string[], from: string): void {
  rmSync(out(name), { recursive: true, force: true });
  mkdirSync(out(name), { recursive: true });
  for (const file of files) {
    const source = join(root, from, file);
    if (existsSync(source)) cpSync(source, out(name, file), { recursive: true });
  }
}

/** Packs once here what every visitor would otherwise wait for. */
async function packFiles(folder: string): Promise<void> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  await Promise.all(
    names.map(async (name) => {
      const file = join(folder, name);
      if (!/\.(html|js|css|svg|json|ttf|txt)$/.test(name) || statSync(file).size < PACK_FROM_BYTES) return;
      const bytes = readFileSync(file);
      const [br, gz] = await Promise.all([
        promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } }),
        promisify(gzip)(bytes, { level: 9 }),
      ]);
      writeFileSync(`${file}.br`, br);
      writeFileSync(`${file}.gz`, gz);
    }),
  );
}

async function main(): Promise<void> {
  const fingerprint = process.argv[2] ?? inputsFingerprint();
  rmSync(stampFile, { force: true });
  await build({ root: join(root, 'client'), configFile: join(root, 'client/vite.config.ts'), logLevel: 'warn' });
  await bundleServer({ folder: out('server'), format: 'es' });
  shipFolder('docs', DOCS_FILES, 'node_modules/swagger-ui-dist');
  shipFolder('guide', GUIDE_FILES, 'docs');
  shipFolder('migrations', ['.'], 'drizzle');
  await Promise.all([packFiles(out('client')), packFiles(out('docs'))]);
  // Last, so that a build that was broken off is never taken for a whole one.
  writeFileSync(stampFile, fingerprint);
}

if (import.meta.main) await main();
