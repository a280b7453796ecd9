import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createThrottle } from '../backups/throttle.ts';
import { createCopiedFiles } from './copied-files.ts';

it('sees a file that was added or removed in the same step of the folder time as the last look', async () => {
  const root = mkdtempSync(join(tmpdir(), 'pbb-copied-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const proofs = join(root, 'proofs');
  mkdirSync(proofs);
  const clock = { ms: Date.now() };
  const files = createCopiedFiles(root, join(root, 'copy'), () => clock.ms);
  const changed = new Date(clock.ms - 1000);
  /** The disk keeps times of two seconds: the folder's time is the same after each of these changes. */
  const change = (act: () => void): void => {
    act();
    utimesSync(proofs, changed, changed);
  };
  const [early, late] = [`${randomUUID()}.jpg`, `${randomUUID()}.jpg`];
  change(() => writeFileSync(join(proofs, early), 'satu'));
  expect(files.missing()).toEqual([{ name: early, bytes: 4 }]);
  await files.add(early, createThrottle(false));
  change(() => {
    writeFileSync(join(proofs, late), 'dua');
    rmSync(join(proofs, early));
  });
  expect(statSync(proofs).mtimeMs).toBe(changed.getTime());
  clock.ms += 10_000;
  expect(files.missing()).toEqual([{ name: late, bytes: 3 }]);
  expect(files.gone()).toEqual([early]);
});
