import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';
import { markClean } from '#server/db/sqlite/deleted-texts.ts';
import { openDatabase } from '#server/db/sqlite/open.ts';
import { tempFolder } from '#server/testing/program/test-data-folder.ts';
import { withTimeout } from '#server/testing/with-timeout.ts';
import { MINUTE_MS } from '#shared/durations.ts';
import { removeSnapshot, takeSnapshot, withSnapshot } from './snapshot.ts';

const SNAPSHOTS = 30;

/** Each transaction sets a counter and changes pages all over the file; the log is checkpointed and begun anew all the time. */
const writerScript = (file: string): string => `
  const { openDatabase } = await import(${JSON.stringify(new URL('../../../db/sqlite/open.ts', import.meta.url).href)});
  const { sqlite } = openDatabase(${JSON.stringify(file)});
  sqlite.pragma('wal_autocheckpoint = 20');
  sqlite.pragma('synchronous = OFF');
  const count = sqlite.prepare('update counters set value = ?');
  const change = sqlite.prepare('update pages set counter = ?, filler = randomblob(900) where id % 97 = ? % 97');
  let ends = false;
  process.stdin.on('data', () => { ends = true; });
  for (let value = 1; !ends; value += 1) {
    sqlite.transaction(() => { count.run(value); change.run(value, value); })();
    console.log(value);
    if (value % 5 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  sqlite.close();
  process.exit(0);`;

it('copies one state of a database that another process writes to and checkpoints, with all that it confirmed before', async () => {
  const folder = tempFolder();
  const file = join(folder, 'pbb.sqlite');
  const own = openDatabase(file).sqlite;
  onTestFinished(() => void own.close());
  markClean(own);
  own.exec(`create table counters (value integer);
      insert into counters values (0);
      create table pages (id integer primary key, counter integer, filler blob);
      with recursive numbers (id) as (select 1 union all select id + 1 from numbers where id < 3000)
      insert into pages select id, 0, randomblob(900) from numbers;`);
  const writer = spawn(process.execPath, ['--input-type=module', '-e', writerScript(file)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void writer.kill('SIGKILL'));
  let confirmed = 0;
  createInterface({ input: writer.stdout }).on('line', (line) => {
    confirmed = Number(line);
  });
  await expect.poll(() => confirmed, { timeout: MINUTE_MS }).toBeGreaterThan(20);
  const snapshot = join(folder, 'snapshot.part');
  for (let round = 0; round < SNAPSHOTS; round += 1) {
    const before = confirmed;
    takeSnapshot(file, snapshot);
    withSnapshot(snapshot, (sqlite) => {
      expect(sqlite.pragma('integrity_check', { simple: true })).toBe('ok');
      const value = Number(sqlite.prepare('select value from counters').pluck().get());
      expect(value).toBeGreaterThanOrEqual(before);
      // The newest transaction is there as a whole, and none after it.
      const newest = sqlite.prepare('select max(counter) from pages').pluck().get();
      const stale = sqlite.prepare('select count(*) from pages where id % 97 = ? % 97 and counter <> ?').pluck();
      expect([newest, stale.get(value, value)]).toEqual([value, 0]);
    });
    removeSnapshot(snapshot);
    expect(readdirSync(folder).filter((name) => name.startsWith('snapshot'))).toEqual([]);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(confirmed).toBeGreaterThan(SNAPSHOTS);
  writer.stdin.write('end\n');
  await withTimeout('the writer to end', once(writer, 'exit'), MINUTE_MS);
});

// Other systems do not list locks; POSIX says the same for all but Windows.
it.runIf(process.platform === 'linux')('keeps the locks that this process has on the database', () => {
  const folder = tempFolder();
  const file = join(folder, 'pbb.sqlite');
  const own = openDatabase(file).sqlite;
  onTestFinished(() => void own.close());
  markClean(own);
  const countLocks = (): number => {
    const lines = readFileSync('/proc/locks', 'utf8').split('\n');
    return lines.filter((line) => line.includes(` ${process.pid} `) && line.includes(`:${statSync(file).ino} `)).length;
  };
  expect(countLocks()).toBe(1);
  takeSnapshot(file, join(folder, 'snapshot.part'));
  expect(countLocks()).toBe(1);
});
