import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build } from 'vite';
import { expect, it, onTestFinished } from 'vitest';
import { root } from '../bootstrap.mjs';
import { collectBundledPackages } from './bundled-packages.ts';

/** Writes a project to a temporary folder. @returns the folder */
function writeProject(files: Record<string, string>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'pbb-bundle-')));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

const manifest = (name: string): string =>
  JSON.stringify({ name, version: '1.0.0', main: 'index.js', sideEffects: ['*.css'] });

/** Builds a project. @returns the folders of the packages of which something is in its bundle */
async function findPackages(folder: string): Promise<string[]> {
  const { folders, plugin } = collectBundledPackages();
  await build({
    configFile: false,
    root: folder,
    logLevel: 'silent',
    css: { postcss: {} },
    plugins: [plugin],
    worker: { format: 'es', plugins: () => [plugin] },
    build: { write: false, assetsInlineLimit: 0, rolldownOptions: { input: join(folder, 'main.js') } },
  });
  return [...folders].toSorted();
}

it('finds packages behind code, nested packages, workers, style sheets, what ours import, and files', async () => {
  const folder = writeProject({
    'main.js': `import { used } from 'used';
      import { unused } from 'unused';
      import 'styled/all.css';
      import './own.css';
      import image from '@scope/images/photo.png';
      console.log(used, image, new Worker(new URL('./worker.js', import.meta.url), { type: 'module' }));`,
    'worker.js': `import { busy } from 'busy'; console.log(busy);`,
    'own.css': `body { background: url('@scope/backgrounds/wall.png'); }`,
    'node_modules/used/package.json': manifest('used'),
    'node_modules/used/index.js': `export { inner as used } from 'inner';`,
    'node_modules/used/node_modules/inner/package.json': manifest('inner'),
    'node_modules/used/node_modules/inner/index.js': `export const inner = Math.random();`,
    'node_modules/unused/package.json': manifest('unused'),
    'node_modules/unused/index.js': `export const unused = Math.random();`,
    'node_modules/busy/package.json': manifest('busy'),
    'node_modules/busy/index.js': `export const busy = Math.random();`,
    'node_modules/styled/package.json': manifest('styled'),
    'node_modules/styled/all.css': `@import 'imported/base.css'; p { color: red; }`,
    'node_modules/imported/package.json': manifest('imported'),
    'node_modules/imported/base.css': `a { color: blue; }`,
    'node_modules/@scope/images/package.json': manifest('@scope/images'),
    'node_modules/@scope/images/photo.png': 'pixels',
    'node_modules/@scope/backgrounds/package.json': manifest('@scope/backgrounds'),
    'node_modules/@scope/backgrounds/wall.png': 'more pixels',
  });
  const names = (await findPackages(folder)).map((path) => path.slice(`${folder}/node_modules/`.length));
  // The package `used` only passes on what another one has.
  expect(names).toEqual([
    '@scope/backgrounds',
    '@scope/images',
    'busy',
    'imported',
    'styled',
    'used/node_modules/inner',
  ]);
});

it('finds the build tools whose helpers are in the bundle, and only those', async () => {
  const plain = { 'main.js': `console.log(1);` };
  expect(await findPackages(writeProject(plain))).toEqual([]);
  // Vite loads what a lazy module needs in advance; Rolldown wraps CommonJS.
  const folder = writeProject({
    'main.js': `import('./lazy.js').then(console.log);`,
    'lazy.js': `import './lazy.css'; import old from './old.cjs'; export const value = old;`,
    'lazy.css': `p { color: red; }`,
    'old.cjs': `module.exports = Math.random();`,
  });
  expect(await findPackages(folder)).toEqual(['rolldown', 'vite'].map((name) => join(root, 'node_modules', name)));
});
