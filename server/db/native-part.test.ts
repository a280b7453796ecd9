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
import { loadFromFirst, nativeFolders, NativePartError, type NativePart } from './native-part.ts';

const BYTES = Buffer.from('a library');
const load = (file: string): string => readFileSync(file, 'utf8');

function buildPart() {
  const folder = mkdtempSync(join(tmpdir(), 'pbb-native-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  let reads = 0;
  const part: NativePart = {
    hash: createHash('sha256').update(BYTES).digest('hex'),
    read: () => {
      reads += 1;
      return BYTES;
    },
  };
  const own = join(folder, '.native');
  const file = join(own, part.hash.slice(0, 16), 'better_sqlite3.node');
  return { folder, own, file, part, reads: () => reads };
}

it('is written once, for its owner alone, and used from then on', () => {
  const { own, file, part, reads } = buildPart();
  for (let time = 0; time < 3; time += 1) {
    expect(loadFromFirst(part, [own], load)).toEqual({ folder: own, loaded: 'a library' });
  }
  expect(reads()).toBe(1);
  for (const path of [own, join(file, '..'), file]) expect(statSync(path).mode & 0o077).toBe(0);
  expect(readdirSync(join(file, '..'))).toEqual(['better_sqlite3.node']);
});

it.each(['', 'a librarz', 'a library and more'])('is written again when it was damaged: "%s"', (damaged) => {
  const { own, file, part } = buildPart();
  loadFromFirst(part, [own], load);
  writeFileSync(file, damaged);
  expect(loadFromFirst(part, [own], load).loaded).toBe('a library');
});

it('goes to the next folder where one cannot be written or does not let it run', () => {
  const { folder, own, part } = buildPart();
  const inTheWay = join(folder, 'file');
  writeFileSync(inTheWay, '');
  const noexec = join(folder, 'noexec');
  const refuse = (file: string): string => {
    if (file.startsWith(noexec)) throw new Error('failed to map segment from shared object');
    return load(file);
  };
  const folders = [join(folder, 'missing/deep'), '/proc/pbb-native', inTheWay, noexec, own];
  expect(loadFromFirst(part, folders, refuse).folder).toBe(own);
  expect(existsSync(join(folder, 'missing'))).toBe(false);
});

it('trusts no folder that somebody else can write to, nor a link to one', () => {
  const { folder, own, part } = buildPart();
  const open = join(folder, 'open');
  mkdirSync(open);
  chmodSync(open, 0o777);
  const link = join(folder, 'link');
  symlinkSync(folder, link);
  expect(loadFromFirst(part, [open, link, own], load).folder).toBe(own);
  expect(readdirSync(open)).toEqual([]);
});

it('says why when no folder takes it', () => {
  const { folder, part } = buildPart();
  const missing = join(folder, 'missing/deep');
  expect(() => loadFromFirst(part, [missing], load)).toThrow(NativePartError);
  expect(() => loadFromFirst(part, [missing], load)).toThrow(`${missing}: folder induknya tidak ada`);
});

it('is tried beside the data first, then in folders of the user', () => {
  const [beside, ...others] = nativeFolders('/data/kantor/pbb.sqlite');
  expect(beside).toBe(join('/data/kantor', '.native'));
  expect(others.at(-1)?.startsWith(join(tmpdir(), 'pbb-kita-'))).toBe(true);
  expect(nativeFolders(':memory:')).toEqual(others);
});
