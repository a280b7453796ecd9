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

describe('the usual data folder', () => {
  it('of a script is in the current folder', () => {
    const [here = ''] = tempFolders('a');
    expect(findDefaultDataDir(null, here)).toBe(join(here, 'data'));
  });

  it('of the single binary is beside it, unless the current folder holds an office', () => {
    const [here = '', home = ''] = tempFolders('a', 'program');
    const program = join(home, 'pbb-kita');
    expect(findDefaultDataDir(program, home)).toBe(join(home, 'data'));
    expect(findDefaultDataDir(program, here)).toBe(join(home, 'data'));
    // Somebody's own folder of that name is no office.
    mkdirSync(join(here, 'data'));
    expect(findDefaultDataDir(program, here)).toBe(join(home, 'data'));
    createDataFile(home);
    expect(findDefaultDataDir(program, here)).toBe(join(home, 'data'));
    createDataFile(here, 'setelan.env');
    expect(findDefaultDataDir(program, here)).toBe(join(here, 'data'));
  });

  it('of a program that the system keeps is in the current folder', () => {
    const [here = ''] = tempFolders('a');
    expect(findDefaultDataDir('/proc/nowhere/pbb-kita', here)).toBe(join(here, 'data'));
  });
});

describe('root on somebody else’s data folder', () => {
  const SOMEBODY = 65_534;
  const isRoot = process.getuid?.() === 0;

  // Whoever is not root stays who they are.
  it.each(['data', 'data/belum/ada'])('leaves nothing of its own in %s', (name) => {
    const [dataDir = ''] = tempFolders('data');
    chmodSync(join(dataDir, '..'), 0o755);
    if (isRoot) chownSync(dataDir, SOMEBODY, SOMEBODY);
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
    expect([uid, gid]).toEqual(isRoot ? [SOMEBODY, SOMEBODY] : [process.getuid?.(), process.getgid?.()]);
  });
});
