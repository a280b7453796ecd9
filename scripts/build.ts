import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build, type Plugin } from 'vite';
import { inputsFingerprint, root, stampFile } from './bootstrap.mjs';
import { writeHandbook } from './handbook/write-handbook.ts';
import { collectBundledPackages } from './licenses/bundled-packages.ts';
import { writeNotices } from './licenses/write-notices.ts';

/** Smaller files gain less than their own headers. */
const PRECOMPRESS_MIN_BYTES = 1024;
const DOCS_FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'LICENSE'];
const GUIDE_FILES = ['operations.md'];

const distPath = (...path: string[]): string => join(root, 'dist', ...path);

/** The ACME library loads a second crypto library only to offer it to its users: a tenth of the server's code. */
const withoutLegacyCrypto: Plugin = {
  name: 'pbb:without-legacy-crypto',
  enforce: 'pre',
  load: (id) => (id.endsWith('/acme-client/src/crypto/forge.js') ? 'module.exports = {};' : null),
};

/**
 * Everything the server runs, as one file.
 * @param output `cjs` and whole for the single binary; `es`, with the database library beside it, for Node
 * @param entry the file with which it begins
 * @returns the folders of the packages of which something is in it
 */
export async function bundleServer(
  output: { folder: string; format: 'es' | 'cjs' },
  entry = 'server/main.ts',
): Promise<Set<string>> {
  const isSingleBinary = output.format === 'cjs';
  const external = isSingleBinary ? [] : ['better-sqlite3'];
  const packages = collectBundledPackages();
  await build({
    configFile: false,
    root,
    publicDir: false,
    logLevel: 'warn',
    define: { PBB_VERSION: JSON.stringify(readPackageVersion()) },
    plugins: [withoutLegacyCrypto, packages.plugin],
    ssr: { target: 'node', noExternal: true, external },
    build: {
      ssr: entry,
      outDir: output.folder,
      emptyOutDir: true,
      target: 'node24',
      minify: true,
      sourcemap: !isSingleBinary,
      rolldownOptions: {
        // Optional accelerators of `ws` that are not installed.
        external: ['bufferutil', 'utf-8-validate', ...external],
        output: {
          format: output.format,
          entryFileNames: isSingleBinary ? 'main.cjs' : 'main.mjs',
          codeSplitting: false,
          keepNames: true,
        },
      },
    },
  });
  return packages.folders;
}

/** @returns the folders of the packages of which something is in it */
async function bundleClient(): Promise<Set<string>> {
  const packages = collectBundledPackages();
  await build({
    root: join(root, 'client'),
    configFile: join(root, 'client/vite.config.ts'),
    logLevel: 'warn',
    plugins: [packages.plugin],
    worker: { plugins: () => [packages.plugin] },
  });
  return packages.folders;
}

function readPackageVersion(): string {
  return (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version;
}

/** Copies what ships as it is to a folder of its own, and removes the former content of that folder. */
function copyToDist(name: string, files: string[], from: string): void {
  rmSync(distPath(name), { recursive: true, force: true });
  mkdirSync(distPath(name), { recursive: true });
  for (const file of files) {
    const source = join(root, from, file);
    if (existsSync(source)) cpSync(source, distPath(name, file), { recursive: true });
  }
}

/** Packs once here what every visitor would otherwise wait for. */
async function precompressFiles(folder: string): Promise<void> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  await Promise.all(
    names.map(async (name) => {
      const file = join(folder, name);
      if (!/\.(html|js|css|svg|json|ttf|txt)$/.test(name) || statSync(file).size < PRECOMPRESS_MIN_BYTES) return;
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
  const client = await bundleClient();
  const server = await bundleServer({ folder: distPath('server'), format: 'es' });
  copyToDist('docs', DOCS_FILES, 'node_modules/swagger-ui-dist');
  copyToDist('guide', GUIDE_FILES, 'docs');
  copyToDist('migrations', ['.'], 'drizzle');
  writeHandbook(distPath('handbook'), distPath('client', 'assets'));
  writeNotices({ client, server });
  await Promise.all(['client', 'docs', 'handbook'].map((name) => precompressFiles(distPath(name))));
  // Last, so that a build that was broken off is never taken for a whole one.
  writeFileSync(stampFile, fingerprint);
}

if (import.meta.main) await main();
