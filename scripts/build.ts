import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'vite';
import { inputsFingerprint, root, stampFile } from './toolbox.mjs';

/** Smaller files gain less than their own headers. */
const PACK_FROM_BYTES = 1024;
const DOCS_FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'LICENSE'];

const out = (...path: string[]): string => join(root, 'dist', ...path);

async function buildServer(): Promise<void> {
  await build({
    configFile: false,
    root,
    publicDir: false,
    logLevel: 'warn',
    ssr: { target: 'node', noExternal: true, external: ['better-sqlite3'] },
    build: {
      ssr: 'server/main.ts',
      outDir: out('server'),
      emptyOutDir: true,
      target: 'node24',
      minify: true,
      sourcemap: true,
      rolldownOptions: {
        // Optional accelerators of `ws` that are not installed.
        external: ['bufferutil', 'utf-8-validate', 'better-sqlite3'],
        output: { format: 'es', entryFileNames: 'main.mjs', codeSplitting: false, keepNames: true },
      },
    },
  });
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
  await buildServer();
  rmSync(out('docs'), { recursive: true, force: true });
  mkdirSync(out('docs'), { recursive: true });
  for (const name of DOCS_FILES) cpSync(join(root, 'node_modules/swagger-ui-dist', name), out('docs', name));
  rmSync(out('migrations'), { recursive: true, force: true });
  cpSync(join(root, 'drizzle'), out('migrations'), { recursive: true });
  await Promise.all([packFiles(out('client')), packFiles(out('docs'))]);
  // Last, so that a build that was broken off is never taken for a whole one.
  writeFileSync(stampFile, fingerprint);
}

await main();
