import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createCheckpoints } from './checkpoints.ts';
import { openDatabase } from './open.ts';

/** A database on a disk that can be full for its checkpoints. */
function openOnDisk() {
  const folder = mkdtempSync(join(tmpdir(), 'pbb-checkpoints-'));
  const database = openDatabase(join(folder, 'pbb.sqlite'));
  const { sqlite, file } = database;
  onTestFinished(() => {
    sqlite.close();
    rmSync(folder, { recursive: true, force: true });
  });
  sqlite.exec('create table texts (id integer primary key, text)');
  const disk = { isFull: false, attempts: 0 };
  const runPragma = sqlite.pragma.bind(sqlite);
  vi.spyOn(sqlite, 'pragma').mockImplementation((source, options) => {
    if (!source.startsWith('wal_checkpoint')) return runPragma(source, options);
    disk.attempts += 1;
    if (disk.isFull) throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
    return runPragma(source, options);
  });
  const failed = vi.fn<(error: unknown) => void>();
  const gate = createCheckpoints(database, failed);
  const add = (text: string): void => {
    sqlite.prepare('insert into texts (text) values (?)').run(text);
    gate.committed();
  };
  return { gate, disk, failed, add, logFile: `${file}-wal` };
}

/** The checkpoint of a commit runs after the answers. */
const afterAnswers = (): Promise<void> => new Promise((resolve) => void setImmediate(() => void setImmediate(resolve)));

describe('the gate for checkpoints on a full disk (R-RUN-10)', () => {
  it('lets a deletion end at once, tells one error, and erases what was deleted when there is room', async () => {
    const { gate, disk, failed, add, logFile } = openOnDisk();
    add('rahasia');
    disk.isFull = true;
    await gate.eraseDeleted();
    await gate.eraseDeleted();
    expect(disk.attempts).toBe(2);
    expect(failed.mock.calls).toEqual([[expect.objectContaining({ code: 'SQLITE_FULL' })]]);
    expect(readFileSync(logFile).includes('rahasia')).toBe(true);

    disk.isFull = false;
    await gate.eraseDeleted();
    expect(statSync(logFile).size).toBe(0);
    disk.isFull = true;
    await gate.eraseDeleted();
    expect(failed).toHaveBeenCalledTimes(2);
  });

  it('lets commits go on, and tries again after some more of them', async () => {
    const { disk, failed, add, logFile } = openOnDisk();
    const large = 'x'.repeat(2 ** 20);
    disk.isFull = true;
    for (let count = 0; count < 5; count += 1) add(large);
    await afterAnswers();
    add('kecil');
    await afterAnswers();
    expect(disk.attempts).toBe(1);
    for (let count = 0; count < 2; count += 1) add(large);
    await afterAnswers();
    expect(disk.attempts).toBe(2);
    expect(failed).toHaveBeenCalledTimes(1);

    disk.isFull = false;
    for (let count = 0; count < 3; count += 1) add(large);
    await afterAnswers();
    expect(statSync(logFile).size).toBe(0);
  });
});
