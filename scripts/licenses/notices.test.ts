import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { appendNotices, formatNotices, readPackage, readPdfFont, readSqlite } from './notices.ts';

const BASE = { name: 'hijau', version: '1.2.3' };

function writePackage(manifest: Record<string, unknown>, files: Record<string, string> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'pbb-package-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...BASE, ...manifest }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

const standardText = (license: string): string =>
  readFileSync(join(import.meta.dirname, 'texts', `${license}.txt`), 'utf8').trim();

describe('readPackage', () => {
  it('reads every license and notice of a package, and the files that are named', () => {
    const folder = writePackage(
      { license: '(MPL-2.0 OR Apache-2.0)' },
      { LICENCE: 'one', 'license-mpl.md': 'two', NOTICE: 'three', 'bundle.js.LICENSE.txt': 'four', 'README.md': 'no' },
    );
    expect(readPackage(folder, ['bundle.js.LICENSE.txt'])).toEqual({
      ...BASE,
      license: '(MPL-2.0 OR Apache-2.0)',
      source: 'https://www.npmjs.com/package/hijau/v/1.2.3',
      text: 'one\n\ntwo\n\nthree\n\nfour',
    });
  });

  it('leaves out what only the build tool itself holds from the license of Vite', () => {
    const LICENSE = 'MIT License\n\n# Licenses of bundled dependencies\nA tool of the tool';
    const textOf = (name: string): string => readPackage(writePackage({ name, license: 'MIT' }, { LICENSE })).text;
    expect(textOf('vite')).toBe('MIT License');
    expect(textOf('hijau')).toBe(LICENSE);
  });

  it.each([
    ['Rina <rina@example.com>', 'Copyright (c) Rina <rina@example.com>'],
    [{ name: 'Rina' }, 'Copyright (c) Rina'],
    [undefined, 'Copyright (c) the authors of hijau'],
  ])('adds the standard text and the author %j to a package that ships no text', (author, line) => {
    expect(readPackage(writePackage({ license: 'MIT', author })).text).toBe(`${line}\n\n${standardText('MIT')}`);
  });

  it('adds the Apache License to a file that only says where it can be read', () => {
    const folder = writePackage({ license: 'Apache-2.0' }, { LICENSE: 'You may obtain a copy at …' });
    expect(readPackage(folder).text).toBe(`You may obtain a copy at …\n\n${standardText('Apache-2.0')}`);
  });

  it.each([
    [undefined],
    ['GPL-3.0'],
    ['UNLICENSED'],
    ['SEE LICENSE IN LICENSE'],
    ['MIT AND GPL-3.0'],
    ['(MIT OR ISC) AND GPL-3.0'],
  ])('refuses the license %j', (license) => {
    const folder = writePackage({ license }, { LICENSE: 'text' });
    expect(() => readPackage(folder)).toThrow(/^hijau 1\.2\.3 has the license .*, which .* does not accept$/);
  });

  it('accepts a choice of which one is accepted', () => {
    const folder = writePackage({ license: '(BSD-3-Clause OR GPL-2.0)' }, { LICENSE: 'text' });
    expect(readPackage(folder).license).toBe('(BSD-3-Clause OR GPL-2.0)');
  });

  it('refuses a package without any text, also one that has only a notice', () => {
    for (const files of [{}, { NOTICE: 'text' }]) {
      expect(() => readPackage(writePackage({ license: 'ISC' }, files))).toThrow(
        'hijau 1.2.3 ships no text of its license',
      );
    }
  });
});

it('reads the version and the notice of SQLite', () => {
  expect(readSqlite('node_modules/better-sqlite3')).toMatchObject({
    version: expect.stringMatching(/^3\.\d+\.\d+$/) as string,
    text: expect.stringMatching(/^The author disclaims copyright[^*]*never taking more than you give\.$/) as string,
  });
});

it('reads the version of the font in PDF files from the font', () => {
  const folder = writePackage({}, { 'OFL.txt': 'Copyright\n' });
  const file = join(folder, 'inter-regular-latin.ttf');
  writeFileSync(file, Buffer.from('\u0005Version 5.012;git-1', 'utf16le').swap16());
  expect(readPdfFont(folder)).toMatchObject({ name: 'Inter', version: '5.012', text: 'Copyright' });
  writeFileSync(file, 'Version');
  expect(() => readPdfFont(folder)).toThrow('does not name its version');
  expect(readPdfFont('client/assets/fonts').version).toMatch(/^4\.\d+$/);
});

it('lists components once, by name, whatever their order, and appends more behind them', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((name) => ({
    name,
    version: '1',
    license: 'MIT',
    source: 's',
    text: `T${name}\r\n`,
  }));
  if (!a || !b || !c) throw new Error('three components');
  const notices = formatNotices([b, a, b]);
  expect(notices).toBe(formatNotices([a, b]));
  expect(notices.match(/^\w 1 \(MIT\)$/gm)).toEqual(['a 1 (MIT)', 'b 1 (MIT)']);
  expect(notices).not.toContain('\r');
  expect(appendNotices(notices, [c]).slice(notices.length)).toMatch(/^\n=+\nc 1 \(MIT\)\ns\n=+\n\nTc\n/);
});
