import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { withTimeout } from '#server/testing/with-timeout.ts';
import { toDatabaseError, DataFolderError, DataFolderInUseError, loadSecret, openDataFolder } from './data-folder.ts';

function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pbb-folder-'));
  onTestFinished(() => {
    chmodSync(folder, 0o700);
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

/** @returns the message shown to the user, which must be one line */
function errorLineOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (!(error instanceof DataFolderError)) throw error;
    expect(error.message).not.toContain('\n');
    return error.message;
  }
  throw new Error('nothing was refused');
}

describe('openDataFolder', () => {
  it('creates the folder with its subfolders, for its owner only', () => {
    const dataDir = join(tempFolder(), 'a/b');
    const folder = openDataFolder(dataDir);
    onTestFinished(folder.release);
    expect(
      readdirSync(dataDir)
        .filter((name) => !name.startsWith('server.lock'))
        .toSorted(),
    ).toEqual(['backups', 'proofs']);
    expect(folder.databaseFile).toBe(join(dataDir, 'pbb.sqlite'));
    for (const path of [dataDir, folder.proofsDir, folder.backupsDir]) expect(modeOf(path)).toBe('700');
  });

  it('restricts a database that was copied with open rights to its owner', () => {
    const dataDir = tempFolder();
    writeFileSync(join(dataDir, 'pbb.sqlite'), '', { mode: 0o644 });
    onTestFinished(openDataFolder(dataDir).release);
    expect(modeOf(join(dataDir, 'pbb.sqlite'))).toBe('600');
  });

  it.each([
    ['a file', (root: string) => (writeFileSync(join(root, 'x'), ''), join(root, 'x'))],
    ['below a file', (root: string) => (writeFileSync(join(root, 'x'), ''), join(root, 'x/data'))],
    ['a link to nowhere', (root: string) => (symlinkSync('/nowhere/at/all', join(root, 'x')), join(root, 'x'))],
    ['the parent of a file named proofs', (root: string) => (writeFileSync(join(root, 'proofs'), ''), root)],
    // Root may write everywhere, but no user can create a folder in /proc.
    ['in /proc', () => '/proc/pbb/data'],
  ])('rejects a data folder that is %s', (_what, prepare) => {
    const dataDir = prepare(tempFolder());
    expect(errorLineOf(() => openDataFolder(dataDir))).toMatch(
      /^DATA_DIR: folder ".*" tidak dapat ditulis \(E[A-Z]+\); yang diterima: folder yang boleh ditulis oleh pengguna/,
    );
  });

  it('rejects a second server on the same folder, also by a symbolic link', () => {
    const root = tempFolder();
    mkdirSync(join(root, 'real'));
    symlinkSync(join(root, 'real'), join(root, 'link'));
    const first = openDataFolder(join(root, 'real'));
    const lineFor = (dataDir: string) =>
      `DATA_DIR: PBB Kita sudah berjalan dengan folder data "${dataDir}"; yang diterima: buka alamatnya di peramban, atau hentikan server itu dulu`;
    for (const dataDir of [join(root, 'real'), join(root, 'link')]) {
      expect(errorLineOf(() => openDataFolder(dataDir))).toBe(lineFor(dataDir));
    }
    first.release();
    openDataFolder(join(root, 'link')).release();
  });

  it('can open the folder again after its server was killed', async () => {
    const dataDir = tempFolder();
    // The lock must hold although nothing refers to it after the garbage collection.
    const script = `import { openDataFolder } from ${JSON.stringify(new URL('data-folder.ts', import.meta.url).href)};
      openDataFolder(${JSON.stringify(dataDir)}); gc(); console.log('held'); setInterval(() => {}, 1000);`;
    const lockingProcess = spawn(process.execPath, ['--expose-gc', '--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void lockingProcess.kill('SIGKILL'));
    await withTimeout('the other process to hold the folder', once(lockingProcess.stdout, 'data'));
    expect(errorLineOf(() => openDataFolder(dataDir))).toContain('sudah berjalan');
    lockingProcess.kill('SIGKILL');
    await withTimeout('the other process to end', once(lockingProcess, 'exit'));
    openDataFolder(dataDir).release();
  });
});

describe('renewLock', () => {
  const lockIn = (dataDir: string): string => join(dataDir, 'server.lock');

  it('does nothing while the lock file is the one of this process', () => {
    const dataDir = tempFolder();
    const folder = openDataFolder(dataDir);
    onTestFinished(folder.release);
    expect(folder.renewLock()).toBe(false);
    expect(errorLineOf(() => openDataFolder(dataDir))).toContain('sudah berjalan');
  });

  it('locks a new file when it was deleted, as often as that happens', () => {
    const dataDir = tempFolder();
    const folder = openDataFolder(dataDir);
    for (let time = 0; time < 3; time += 1) {
      rmSync(lockIn(dataDir));
      expect(folder.renewLock()).toBe(true);
      expect(folder.renewLock()).toBe(false);
      expect(errorLineOf(() => openDataFolder(dataDir))).toContain('sudah berjalan');
    }
    folder.release();
    openDataFolder(dataDir).release();
  });

  it('reports another process that has taken the folder, also when it has ended since', () => {
    const dataDir = tempFolder();
    const first = openDataFolder(dataDir);
    onTestFinished(first.release);
    rmSync(lockIn(dataDir));
    const second = openDataFolder(dataDir);
    const line = `DATA_DIR: berkas "${lockIn(dataDir)}" dihapus atau diganti selagi server berjalan, dan program lain sudah memakai folder data itu; server ini berhenti agar data tidak rusak; yang diterima: satu server untuk satu folder data`;
    expect(() => first.renewLock()).toThrow(DataFolderInUseError);
    expect(errorLineOf(() => first.renewLock())).toBe(line);
    // The other one is not disturbed.
    expect(second.renewLock()).toBe(false);
    expect(errorLineOf(() => openDataFolder(dataDir))).toContain('sudah berjalan');
    second.release();
    expect(errorLineOf(() => first.renewLock())).toBe(line);
  });

  it('keeps its lock when the folder itself was moved away and another one is in its place', () => {
    const dataDir = tempFolder();
    const folder = openDataFolder(dataDir);
    onTestFinished(folder.release);
    const moved = `${dataDir}-lama`;
    onTestFinished(() => rmSync(moved, { recursive: true }));
    renameSync(dataDir, moved);
    mkdirSync(dataDir);
    expect(errorLineOf(() => folder.renewLock())).toContain('dipindahkan atau diganti');
    expect(errorLineOf(() => openDataFolder(moved))).toContain('sudah berjalan');
    openDataFolder(dataDir).release();
  });

  it('reports a lock file that was replaced by a copy', () => {
    const dataDir = tempFolder();
    const folder = openDataFolder(dataDir);
    onTestFinished(folder.release);
    writeFileSync(join(dataDir, 'copy'), '');
    renameSync(join(dataDir, 'copy'), lockIn(dataDir));
    expect(() => folder.renewLock()).toThrow(DataFolderInUseError);
  });
});

describe('loadSecret', () => {
  it('creates a long secret once, for its owner only', () => {
    const dataDir = tempFolder();
    const made = loadSecret(dataDir);
    expect(made).toMatch(/^[\w-]{64}$/);
    expect(readdirSync(dataDir)).toEqual(['secret']);
    expect(modeOf(join(dataDir, 'secret'))).toBe('600');
    expect(loadSecret(dataDir)).toBe(made);
    expect(loadSecret(tempFolder())).not.toBe(made);
  });

  it('restricts a secret with open rights to its owner', () => {
    const dataDir = tempFolder();
    const made = loadSecret(dataDir);
    chmodSync(join(dataDir, 'secret'), 0o644);
    expect(loadSecret(dataDir)).toBe(made);
    expect(modeOf(join(dataDir, 'secret'))).toBe('600');
  });

  it.each(['', 'too short', '\n'])('neither uses nor replaces an invalid secret: "%s"', (content) => {
    const dataDir = tempFolder();
    writeFileSync(join(dataDir, 'secret'), content);
    const line = errorLineOf(() => loadSecret(dataDir));
    expect(line).toContain(`DATA_DIR: isi berkas "${join(dataDir, 'secret')}" rusak; yang diterima: `);
    expect(line).not.toContain('too short');
  });

  it('reports a secret that cannot be read or written in one line', () => {
    const dataDir = tempFolder();
    mkdirSync(join(dataDir, 'secret'));
    expect(errorLineOf(() => loadSecret(dataDir))).toContain('tidak dapat dibaca atau ditulis (EISDIR)');
    expect(errorLineOf(() => loadSecret('/nowhere/at/all'))).toContain('tidak dapat dibaca atau ditulis (ENOENT)');
  });
});

describe('toDatabaseError', () => {
  it('describes errors of the database file in one line and returns other errors unchanged', () => {
    const broken = Object.assign(new Error('file is not a database'), { code: 'SQLITE_NOTADB' });
    const line = errorLineOf(() => {
      throw toDatabaseError('/data/pbb.sqlite', broken);
    });
    expect(line).toMatch(
      /^DATA_DIR: database "\/data\/pbb\.sqlite" tidak dapat dipakai \(SQLITE_NOTADB\); yang diterima: .*"restore"$/,
    );
    const full = Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
    expect(toDatabaseError('/data/pbb.sqlite', full)).toMatchObject({
      message: 'DATA_DIR: disk dari "/data" penuh; yang diterima: kosongkan ruang disk itu, lalu ulangi',
    });
    const other = new Error('no such column');
    expect(toDatabaseError('/data/pbb.sqlite', other)).toBe(other);
  });
});
