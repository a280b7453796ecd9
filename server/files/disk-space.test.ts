import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { watchDiskSpace } from './disk-space.ts';

it('tells the space of a share beside the event loop, and that it is not known while the share is away', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pbb-space-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const readSpace = watchDiskSpace(folder);
  expect(readSpace()?.totalBytes).toBeGreaterThan(0);
  rmSync(folder, { recursive: true });
  await expect.poll(readSpace).toBeNull();
});
