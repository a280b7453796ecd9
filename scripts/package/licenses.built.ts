import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { root } from '../bootstrap.mjs';
import { requireHostBinary } from './host-binary.ts';
import { requireRuntime } from './runtimes.ts';
import { requireHostTarget } from './targets.ts';
import { createEmptyInstallation, startBinary } from './testing/binary-process.ts';

/** The notices that ship. Those of the server are compared with what its source map says of its content. */

const dist = (...path: string[]): string => join(root, 'dist', ...path);
const readText = (file: string): string => readFileSync(file, 'utf8');

/** The beginning of the heading of each package of which a source map names files. */
function packagesOf(mapFile: string): string[] {
  const { sources } = JSON.parse(readText(mapFile)) as { sources: string[] };
  const folders = sources.flatMap(
    (source) => /node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+/.exec(source) ?? [],
  );
  return [...new Set(folders)].map((folder) => {
    const { name, version } = JSON.parse(readText(join(root, folder, 'package.json'))) as {
      name: string;
      version: string;
    };
    return `\n${name} ${version} (`;
  });
}

const versionOf = (name: string): string =>
  (JSON.parse(readText(join(root, 'node_modules', name, 'package.json'))) as { version: string }).version;

describe('dist/LICENSES.txt', () => {
  it('names every package of which the source map of the server names a file', () => {
    const notices = readText(dist('LICENSES.txt'));
    const packages = packagesOf(dist('server/main.mjs.map'));
    expect(packages.length).toBeGreaterThan(50);
    expect(packages.filter((heading) => !notices.includes(heading))).toEqual([]);
  });

  it.each(['better-sqlite3', 'swagger-ui-dist', 'web-push'])('contains the license of %s as it is', (name) => {
    const notices = readText(dist('LICENSES.txt'));
    expect(notices).toContain(`\n${name} ${versionOf(name)} (`);
    expect(notices).toContain(
      readText(join(root, 'node_modules', name, 'LICENSE'))
        .replaceAll('\r', '')
        .trim(),
    );
  });

  it('names SQLite and the packages that the authors of the API page have bundled', () => {
    const notices = readText(dist('LICENSES.txt'));
    expect(notices).toMatch(/\nSQLite 3\.\d+\.\d+ \(Public Domain\)\n/);
    const bundled = readText(join(root, 'node_modules/swagger-ui-dist/swagger-ui-bundle.js.LICENSE.txt'));
    expect(notices).toContain(bundled.replaceAll('\r', '').trim());
  });

  it('equals the output of the built server', () => {
    const program = dist('server/main.mjs');
    const printed = execFileSync(process.execPath, [program, 'help', 'lisensi'], { encoding: 'utf8' });
    expect(printed).toBe(readText(dist('LICENSES.txt')));
  });

  it('holds all that is in the notices of the client', () => {
    const headingsOf = (text: string): string[] => text.match(/^\S+ \S+ \(.+\)$(?=\nhttps:)/gm) ?? [];
    const headings = headingsOf(readText(dist('client/LICENSES.txt')));
    expect(headings.length).toBeGreaterThan(50);
    const all = new Set(headingsOf(readText(dist('LICENSES.txt'))));
    expect(headings.filter((heading) => !all.has(heading))).toEqual([]);
  });
});

describe('dist/client/LICENSES.txt', () => {
  it.each([
    ['code', 'react-dom'],
    ['code of a worker', 'jspdf'],
    ['style sheets and code', '@mantine/core'],
    ['a font', '@fontsource-variable/inter'],
  ])('names the package of %s: %s', (_kind, name) => {
    expect(readText(dist('client/LICENSES.txt'))).toContain(`\n${name} ${versionOf(name)} (`);
  });

  it('contains the license of the font in PDF files', () => {
    expect(readText(dist('client/LICENSES.txt'))).toContain(readText(join(root, 'client/assets/fonts/OFL.txt')).trim());
  });

  it('tells visitors nothing about the packages of the server', () => {
    expect(readText(dist('client/LICENSES.txt'))).not.toMatch(/^(fastify|better-sqlite3|Node\.js) \S+ \(/m);
  });
});

describe('the single binary', () => {
  it('prints its notices with those of its Node, and serves those of the client', async () => {
    const installation = createEmptyInstallation(await requireHostBinary());
    onTestFinished(installation.remove);
    const { licenseFile, version } = await requireRuntime(requireHostTarget(), () => undefined);
    const printed = startBinary(installation, ['help', 'lisensi']);
    expect(await printed.waitForExit()).toBe(0);
    expect(printed.output()).toContain(readText(dist('LICENSES.txt')));
    expect(printed.output()).toContain(`\nNode.js ${version} (MIT)\n`);
    expect(printed.output().trimEnd().endsWith(readText(licenseFile).trim())).toBe(true);

    const server = startBinary(installation, ['--port', '0']);
    onTestFinished(() => void server.child.kill('SIGKILL'));
    const answer = await fetch(`${await server.waitUntilReady()}/LICENSES.txt`);
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await answer.text()).toBe(readText(dist('client/LICENSES.txt')));
  });
});
