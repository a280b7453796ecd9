import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { expect, it, onTestFinished } from 'vitest';
import { openDataFolder } from '#server/db/data-folder/data-folder.ts';
import { openTestDatabase } from '#server/testing/open-test-database.ts';
import { withCommandContext } from './command-context.ts';

it('leaves the log of a running server to its gate for checkpoints, however much a command commits', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'pbb-command-'));
  const { databaseFile, release } = openDataFolder(dataDir);
  const server = openTestDatabase(databaseFile);
  onTestFinished(() => {
    server.sqlite.close();
    release();
    rmSync(dataDir, { recursive: true, force: true });
  });
  server.createCheckpoints();
  server.sqlite.exec('create table long_log (bytes)');
  const bytesBefore = statSync(databaseFile).size;
  await withCommandContext({ dataDir, postgres: null }, async ({ write }) => {
    await write((tx) => tx.run(sql`insert into long_log values (zeroblob(10000000))`));
  });
  expect(server.direct.get(sql`select length(bytes) as bytes from long_log`)).toEqual({ bytes: 10_000_000 });
  expect(statSync(databaseFile).size).toBe(bytesBefore);
});
