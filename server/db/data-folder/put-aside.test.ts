import { mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { NOON, tempFolder } from '#server/testing/program/test-data-folder.ts';
import { putAside, takeBack } from './put-aside.ts';

it('puts aside the other files when another process has moved one of them', () => {
  const dataDir = tempFolder();
  writeFileSync(join(dataDir, 'dua.jpg'), 'x');
  const folder = putAside(dataDir, [join(dataDir, 'satu.jpg'), join(dataDir, 'dua.jpg')], NOON);
  expect(folder && readdirSync(folder)).toEqual(['dua.jpg']);
});

it('takes back the other files when another process has taken one of them', () => {
  const [dataDir, proofsDir] = [tempFolder(), tempFolder()];
  const folder = join(dataDir, 'disisihkan/2026-06-10');
  mkdirSync(folder, { recursive: true });
  for (const name of ['dua.jpg', 'satu.jpg']) writeFileSync(join(folder, name), 'x');
  /** The other process is quicker with the first file. */
  class Names extends Set<string> {
    override has(name: string): boolean {
      if (name === 'dua.jpg') renameSync(join(folder, name), join(dataDir, name));
      return super.has(name);
    }
  }
  expect(takeBack(dataDir, new Names(['satu.jpg', 'dua.jpg']), proofsDir)).toEqual(['satu.jpg']);
  expect(readdirSync(proofsDir)).toEqual(['satu.jpg']);
});
