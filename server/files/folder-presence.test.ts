import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createFolderPresence } from './folder-presence.ts';

it('looks anew each time, and counts a file as no folder', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pbb-presence-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const isThere = createFolderPresence(folder);
  expect(await isThere()).toBe(true);
  rmSync(folder, { recursive: true });
  expect(await isThere()).toBe(false);
  writeFileSync(folder, 'x');
  expect(await isThere()).toBe(false);
});

it('answers while a disk hangs, and asks it no second time meanwhile', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const disk = Promise.withResolvers<boolean>();
  const look = vi.fn(() => disk.promise);
  const isThere = createFolderPresence('/mnt/jaringan', look);
  const answers = [isThere(), isThere()];
  await vi.advanceTimersByTimeAsync(1000);
  expect(await Promise.all(answers)).toEqual([false, false]);
  expect(look).toHaveBeenCalledTimes(1);
  disk.resolve(true);
  await disk.promise;
  expect(await isThere()).toBe(true);
});
