import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { openDataFolder } from '#server/db/data-folder/data-folder.ts';
import { createLockCheck } from './serve.ts';

function buildCheck() {
  const root = mkdtempSync(join(tmpdir(), 'pbb-lock-'));
  const dataDir = join(root, 'data');
  const folder = openDataFolder(dataDir);
  onTestFinished(() => {
    folder.release();
    rmSync(root, { recursive: true, force: true });
  });
  const log = { warn: vi.fn(), error: vi.fn() };
  const endProgram = vi.fn();
  return { root, dataDir, log, endProgram, check: createLockCheck(folder, { log, endProgram }) };
}

it('says in the log once that the lock was deleted, and goes on', () => {
  const { dataDir, log, endProgram, check } = buildCheck();
  check();
  expect(log.warn).not.toHaveBeenCalled();
  rmSync(join(dataDir, 'server.lock'));
  check();
  check();
  expect(log.warn.mock.calls).toEqual([['server.lock was deleted while the server was running; it was locked anew']]);
  expect(log.error).not.toHaveBeenCalled();
  expect(endProgram).not.toHaveBeenCalled();
});

it('ends the program when another process has taken the folder', () => {
  const { dataDir, log, endProgram, check } = buildCheck();
  rmSync(join(dataDir, 'server.lock'));
  onTestFinished(openDataFolder(dataDir).release);
  check();
  expect(endProgram).toHaveBeenCalledOnce();
  expect(endProgram).toHaveBeenCalledWith(expect.objectContaining({ message: expect.stringContaining(dataDir) }));
  expect(log.warn).not.toHaveBeenCalled();
});

it('goes on when the lock cannot be checked, as in a folder that was moved', () => {
  const { root, dataDir, log, endProgram, check } = buildCheck();
  renameSync(dataDir, join(root, 'moved'));
  check();
  expect(log.error).toHaveBeenCalledOnce();
  expect(endProgram).not.toHaveBeenCalled();
  renameSync(join(root, 'moved'), dataDir);
  check();
  expect(log.error).toHaveBeenCalledOnce();
  expect(log.warn).not.toHaveBeenCalled();
});
