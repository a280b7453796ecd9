import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** Texts that ship with the program name only menus and buttons that exist (docs/requirements.md R-CHAT-61). */

const SAMPLES = 'client/features/quick-replies/sample-replies.ts';

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path).replaceAll('\\', '/'))
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path));
}

const sources = sourceFiles('client').map((path) => readFileSync(path, 'utf8'));
const withoutComments = sources.map((source) => source.replaceAll(/^\s*(\/\/|\/?\*).*$/gm, ''));
const clean = (text: string): string => text.replaceAll('&amp;', '&').replaceAll(/\s+/g, ' ').trim();

/** Each text of an element, and each string, as a whole: what a screen shows as a label or heading. */
const words = new Set(
  withoutComments.flatMap((source) => [
    ...[...source.matchAll(/>([^<>{}]+)[<{]/g)].map(([, text = '']) => clean(text)),
    ...[...source.matchAll(/'([^'\n]+)'/g)].map(([, text = '']) => clean(text)),
  ]),
);
const menuLabels = (path: string): Set<string> =>
  new Set([...readFileSync(path, 'utf8').matchAll(/label: '([^']+)'/g)].map(([, label = '']) => label));
const userMenus = menuLabels('client/app/layouts/user/user-menu.tsx');
const adminMenus = menuLabels('client/app/admin-menu-items.ts');
/** Shortcut, title and text of each sample reply. */
const samples = [...readFileSync(SAMPLES, 'utf8').matchAll(/shared\(\s*'([^']+)',\s*'[^']+',\s*'([^']+)',\s*\)/g)].map(
  ([, shortcut = '', content = '']) => ({ shortcut, content }),
);

const quoted = (text: string): string[] => [...text.matchAll(/“([^”]+)”/g)].map(([, name = '']) => name);

it.each(samples)('the sample reply /$shortcut names only what residents see', ({ content }) => {
  expect(quoted(content).filter((name) => !words.has(name))).toEqual([]);
  const menus = [...content.matchAll(/menu “([^”]+)”/g)].map(([, name = '']) => name);
  expect(menus.filter((name) => !userMenus.has(name))).toEqual([]);
  // A name outside quotation marks would not be compared.
  expect(content).not.toMatch(/\b(menu|tekan|tombol|pilih) [A-Z]/);
});

it('the samples name a menu and a button at all', () => {
  expect(samples).toHaveLength(10);
  expect(samples.flatMap(({ content }) => quoted(content))).toEqual(
    expect.arrayContaining(['Data Pajak', 'Unggah bukti pembayaran']),
  );
});

/** Names that belong to a browser, a phone or a keyboard; no screen of the program shows them. */
const FOREIGN = new Set(['Ctrl', 'Bagikan', 'Enter']);

it('hints and empty states name buttons that exist', () => {
  const named = withoutComments.flatMap((source) =>
    [...source.matchAll(/\b[Tt]ekan ([A-Z][a-z]+(?: [a-z]+)*?)(?: untuk| di| lagi|\+|,|\.)/g)].map(
      ([, name = '']) => name,
    ),
  );
  expect(named).toEqual(expect.arrayContaining(['Cadangkan sekarang', 'Refresh', 'Update']));
  expect(named.filter((name) => !words.has(name) && !FOREIGN.has(name))).toEqual([]);
});

it('the handbook leads through menus and headings that exist', () => {
  const handbook = readFileSync('docs/operations.md', 'utf8');
  const ways = [...handbook.matchAll(/\*\*([^*\n]+ → [^*\n]+)\*\*/g)]
    .map(([, way = '']) => way.split(' → ').map((step) => step.replace(' (n)', '')))
    .filter(([menu = '']) => adminMenus.has(menu) || userMenus.has(menu) || menu === 'Akun Saya');
  expect(ways.length).toBeGreaterThan(10);
  expect(ways.filter((way) => way.some((step) => !words.has(step)))).toEqual([]);
});
