import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { loadFromFirstUsableFolder, nativeAddonFolders, NativeAddonError, type NativeAddon } from './native-addon.ts';

const ADDON_BYTES = Buffer.from('a library');
const load = (file: string): string => readFileSync(file, 'utf8');

function buildAddon() {
  const folder = mkdtempSync(join(tmpdir(), 'pbb-native-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  let reads = 0;
  const addon: NativeAddon = {
    hash: createHash('sha256').update(ADDON_BYTES).digest('hex'),
    read: () => {
      reads += 1;
      return ADDON_BYTES;
    },
  };
  const own = join(folder, '.native');
  const file = join(own, addon.hash.slice(0, 16), 'better_sqlite3.node');
  return { folder, own, file, addon, reads: () => reads };
}

it('writes the native addon once, for its owner only, and reuses it', () => {
  const { own, file, addon, reads } = buildAddon();
  for (let time = 0; time < 3; time += 1) {
    expect(loadFromFirstUsableFolder(addon, [own], load)).toEqual({ folder: own, loaded: 'a library' });
  }
  expect(reads()).toBe(1);
  for (const path of [own, join(file, '..'), file]) expect(statSync(path).mode & 0o077).toBe(0);
  expect(readdirSync(join(file, '..'))).toEqual(['better_sqlite3.node']);
});

it.each(['', 'a librarz', 'a library and more'])('writes a damaged native addon again: "%s"', (damaged) => {
  const { own, file, addon } = buildAddon();
  loadFromFirstUsableFolder(addon, [own], load);
  writeFileSync(file, damaged);
  expect(loadFromFirstUsableFolder(addon, [own], load).loaded).toBe('a library');
});

it('tries the next folder when one is not writable or does not allow loading', () => {
  const { folder, own, addon } = buildAddon();
  const fileInPlaceOfFolder = join(folder, 'file');
  writeFileSync(fileInPlaceOfFolder, '');
  const noexec = join(folder, 'noexec');
  const loadExceptNoexec = (file: string): string => {
    if (file.startsWith(noexec)) throw new Error('failed to map segment from shared object');
    return load(file);
  };
  const folders = [join(folder, 'missing/deep'), '/proc/pbb-native', fileInPlaceOfFolder, noexec, own];
  expect(loadFromFirstUsableFolder(addon, folders, loadExceptNoexec).folder).toBe(own);
  expect(existsSync(join(folder, 'missing'))).toBe(false);
});

it('uses no folder that another user can write to, and no symbolic link', () => {
  const { folder, own, addon } = buildAddon();
  const worldWritableFolder = join(folder, 'open');
  mkdirSync(worldWritableFolder);
  chmodSync(worldWritableFolder, 0o777);
  const link = join(folder, 'link');
  symlinkSync(folder, link);
  expect(loadFromFirstUsableFolder(addon, [worldWritableFolder, link, own], load).folder).toBe(own);
  expect(readdirSync(worldWritableFolder)).toEqual([]);
});

it('reports the reasons when no folder works', () => {
  const { folder, addon } = buildAddon();
  const missing = join(folder, 'missing/deep');
  expect(() => loadFromFirstUsableFolder(addon, [missing], load)).toThrow(NativeAddonError);
  expect(() => loadFromFirstUsableFolder(addon, [missing], load)).toThrow(`${missing}: folder induknya tidak ada`);
});

it('tries the folder of the data first, then folders of the user', () => {
  const [beside, ...others] = nativeAddonFolders('/data/kantor/pbb.sqlite');
  expect(beside).toBe(join('/data/kantor', '.native'));
  expect(others.at(-1)?.startsWith(join(tmpdir(), 'pbb-kita-'))).toBe(true);
  expect(nativeAddonFolders(':memory:')).toEqual(others);
});
