import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { withTimeout } from '#server/testing/with-timeout.ts';
import { DataFolderError, openDataFolder } from './data-folder.ts';
import { replacedFolderName, beginAtomicRestore, finishAtomicRestore, stagedFolderName } from './atomic-restore.ts';

const STAGED = stagedFolderName('x');
const REPLACED = `backups/${replacedFolderName('x')}`;
const HALF_MINUTE = 30_000;

/** Every part of the data folder is one file whose content says which data it belongs to. */
function writeDataFiles(folder: string, content: string, withLog: boolean): void {
  mkdirSync(join(folder, 'proofs'), { recursive: true });
  writeFileSync(join(folder, 'proofs', `${content}.jpg`), content);
  writeFileSync(join(folder, 'pbb.sqlite'), content);
  if (withLog) for (const ending of ['wal', 'shm']) writeFileSync(join(folder, `pbb.sqlite-${ending}`), content);
}

function buildFolder(): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'pbb-swap-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  mkdirSync(join(dataDir, 'backups'));
  writeDataFiles(dataDir, 'old', true);
  writeDataFiles(join(dataDir, STAGED), 'new', false);
  return dataDir;
}

const listOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.startsWith('server.lock'))
    .toSorted();

function expectOld(dataDir: string): void {
  expect(readFileSync(join(dataDir, 'pbb.sqlite'), 'utf8')).toBe('old');
  expect(listOf(dataDir)).toEqual([
    'backups',
    'pbb.sqlite',
    'pbb.sqlite-shm',
    'pbb.sqlite-wal',
    'proofs',
    'proofs/old.jpg',
  ]);
}

function expectNew(dataDir: string): void {
  expect(readFileSync(join(dataDir, 'pbb.sqlite'), 'utf8')).toBe('new');
  expect(listOf(dataDir).filter((name) => !name.startsWith('backups'))).toEqual([
    'instalasi.json',
    'pbb.sqlite',
    'proofs',
    'proofs/new.jpg',
  ]);
  expect(listOf(join(dataDir, REPLACED))).toEqual([
    'pbb.sqlite',
    'pbb.sqlite-shm',
    'pbb.sqlite-wal',
    'proofs',
    'proofs/old.jpg',
  ]);
}

/** Runs a restore in a process that is killed, as by a power cut, before its n-th call that changes the disk. */
async function restoreKilledAt(dataDir: string, call: number): Promise<boolean> {
  const script = `
    import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    let calls = 0;
    for (const name of ['mkdirSync', 'renameSync', 'rmSync', 'rmdirSync', 'writeFileSync']) {
      const real = fs[name];
      fs[name] = (...args) => {
        if (calls++ === ${call}) process.kill(process.pid, 'SIGKILL');
        return real(...args);
      };
    }
    syncBuiltinESMExports();
    const { beginAtomicRestore, finishAtomicRestore } = await import(${JSON.stringify(new URL('atomic-restore.ts', import.meta.url).href)});
    const dataDir = ${JSON.stringify(dataDir)};
    beginAtomicRestore(dataDir, { staged: ${JSON.stringify(STAGED)}, aside: ${JSON.stringify(REPLACED)} });
    finishAtomicRestore(dataDir);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code, signal] = (await withTimeout('the restore to end', once(child, 'exit'), HALF_MINUTE)) as [
    number,
    string,
  ];
  expect([code, signal]).toEqual(signal ? [null, 'SIGKILL'] : [0, null]);
  return signal === 'SIGKILL';
}

describe('an atomic restore', () => {
  it('replaces the data and keeps the old data in another folder', () => {
    const dataDir = buildFolder();
    beginAtomicRestore(dataDir, { staged: STAGED, aside: REPLACED });
    expect(finishAtomicRestore(dataDir)).toBe(REPLACED);
    expectNew(dataDir);
    expect(finishAtomicRestore(dataDir)).toBeNull();
  });

  it('either completes or never begins after a kill at any step and the next start', async () => {
    const states: ('old' | 'new')[] = [];
    // Four at a time, because each is a process.
    for (let from = 0, hasMoreSteps = true; hasMoreSteps; from += 4) {
      const steps = await Promise.all(
        [0, 1, 2, 3].map(async (offset) => {
          const dataDir = buildFolder();
          const wasKilled = await restoreKilledAt(dataDir, from + offset);
          openDataFolder(dataDir).release();
          const isOld = readFileSync(join(dataDir, 'pbb.sqlite'), 'utf8') === 'old';
          if (isOld) expectOld(dataDir);
          else expectNew(dataDir);
          return { wasKilled, state: isOld ? ('old' as const) : ('new' as const) };
        }),
      );
      for (const { wasKilled, state } of steps) if (wasKilled) states.push(state);
      hasMoreSteps = steps.every(({ wasKilled }) => wasKilled);
    }
    // The first two steps write and rename the journal. After them the restore is always finished.
    expect(states.slice(0, 3)).toEqual(['old', 'old', 'new']);
    expect(new Set(states.slice(2))).toEqual(new Set(['new']));
    expect(states.length).toBeGreaterThan(9);
  });

  it('keeps no old data when the folder is empty', () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'pbb-swap-'));
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
    for (const folder of ['backups', 'proofs']) mkdirSync(join(dataDir, folder));
    writeDataFiles(join(dataDir, STAGED), 'new', false);
    beginAtomicRestore(dataDir, { staged: STAGED, aside: REPLACED });
    expect(finishAtomicRestore(dataDir)).toBeNull();
    expect(listOf(dataDir)).toEqual(['backups', 'instalasi.json', 'pbb.sqlite', 'proofs', 'proofs/new.jpg']);
  });

  it('overwrites nothing when the folder for the old data exists already', () => {
    const dataDir = buildFolder();
    mkdirSync(join(dataDir, REPLACED), { recursive: true });
    writeFileSync(join(dataDir, REPLACED, 'pbb.sqlite'), 'older');
    beginAtomicRestore(dataDir, { staged: STAGED, aside: REPLACED });
    finishAtomicRestore(dataDir);
    expect(readFileSync(join(dataDir, REPLACED, 'pbb.sqlite'), 'utf8')).toBe('older');
    expect(readFileSync(join(dataDir, REPLACED, 'pbb.sqlite.1'), 'utf8')).toBe('old');
  });

  it('stops the start with one line and changes nothing when the journal cannot be read', () => {
    const dataDir = buildFolder();
    for (const text of ['{', '{"staged":"../..","aside":"x"}', `{"staged":"${STAGED}","aside":"../../x"}`]) {
      writeFileSync(join(dataDir, 'pemulihan.json'), text);
      expect(() => openDataFolder(dataDir)).toThrow(DataFolderError);
      expect(() => openDataFolder(dataDir)).toThrow(/^DATA_DIR: pemulihan yang terputus di folder ".*" belum dapat/);
      expect(existsSync(join(dataDir, STAGED, 'pbb.sqlite'))).toBe(true);
    }
  });
});
