import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findDefaultDataDir } from './default-data-dir.ts';

function tempFolders(...names: string[]): string[] {
  const root = mkdtempSync(join(tmpdir(), 'pbb-place-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return names.map((name) => {
    mkdirSync(join(root, name), { recursive: true });
    return join(root, name);
  });
}

function createDataFile(folder: string, file = 'pbb.sqlite'): void {
  mkdirSync(join(folder, 'data'), { recursive: true });
  writeFileSync(join(folder, 'data', file), '');
}

describe('findDefaultDataDir', () => {
  it('returns the folder in the current folder for a script', () => {
    const [here = ''] = tempFolders('a');
    expect(findDefaultDataDir(null, here)).toBe(join(here, 'data'));
  });

  it('returns the folder beside the single binary, unless the current folder holds data', () => {
    const [here = '', home = ''] = tempFolders('a', 'program');
    const program = join(home, 'pbb-kita');
    expect(findDefaultDataDir(program, home)).toBe(join(home, 'data'));
    expect(findDefaultDataDir(program, here)).toBe(join(home, 'data'));
    // A folder named "data" of another program does not count.
    mkdirSync(join(here, 'data'));
    expect(findDefaultDataDir(program, here)).toBe(join(home, 'data'));
    createDataFile(home);
    expect(findDefaultDataDir(program, here)).toBe(join(home, 'data'));
    createDataFile(here, 'setelan.env');
    expect(findDefaultDataDir(program, here)).toBe(join(here, 'data'));
  });

  it('returns the folder in the current folder for a program in a system folder', () => {
    const [here = ''] = tempFolders('a');
    expect(findDefaultDataDir('/proc/nowhere/pbb-kita', here)).toBe(join(here, 'data'));
  });
});

describe('dropPrivilegesToOwner', () => {
  const OTHER_UID = 65_534;
  const isRoot = process.getuid?.() === 0;

  // Without root the test expects that the user stays the same.
  it.each(['data', 'data/belum/ada'])('makes new files belong to the owner of %s', (name) => {
    const [dataDir = ''] = tempFolders('data');
    chmodSync(join(dataDir, '..'), 0o755);
    if (isRoot) chownSync(dataDir, OTHER_UID, OTHER_UID);
    const script = `
      const { dropPrivilegesToOwner } = await import(${JSON.stringify(join(import.meta.dirname, 'drop-privileges.ts'))});
      const { mkdirSync, writeFileSync } = await import('node:fs');
      const folder = process.argv[1];
      dropPrivilegesToOwner(folder);
      mkdirSync(folder, { recursive: true });
      writeFileSync(folder + '/x', '');`;
    const folder = join(dataDir, '..', name);
    const { status: code, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script, folder], {
      encoding: 'utf8',
    });
    expect([code, stderr]).toEqual([0, '']);
    const { uid, gid } = statSync(join(folder, 'x'));
    expect([uid, gid]).toEqual(isRoot ? [OTHER_UID, OTHER_UID] : [process.getuid?.(), process.getgid?.()]);
  });
});
