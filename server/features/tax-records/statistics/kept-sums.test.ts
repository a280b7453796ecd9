import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { openDatabase, openReadOnly } from '#server/db/sqlite/open.ts';
import type { Sqlite } from '#server/db/sqlite/connect.ts';
import { buildTestUser } from '#server/testing/factories.ts';
import { openTestDatabase, withDirectAccess } from '#server/testing/open-test-database.ts';
import { applyChange, recordChange } from '#server/testing/record-changes.ts';
import { buildTestApp } from '#server/testing/test-app.ts';
import { readAdminStatistics } from './statistics-queries.ts';

const GROUP = 'year, property_type, status, check_state, amount_source, due_date';

/** Both are sorted, and the recount reads the records alone. */
function compareSums(sqlite: Sqlite): void {
  const kept = sqlite.prepare(`select ${GROUP}, records, sen_high, sen_low from record_sums order by ${GROUP}`).all();
  const counted = sqlite
    .prepare(
      `select ${GROUP}, count(*) as records, sum(amount_sen >> 24) as sen_high, sum(amount_sen & 16777215) as sen_low
        from tax_records group by ${GROUP} order by ${GROUP}`,
    )
    .all();
  expect(kept).toEqual(counted);
}

/** The short rows that searches read. */
function compareSearched(sqlite: Sqlite): void {
  const kept = sqlite
    .prepare(
      `select record_rowid, ${GROUP}, amount_sen, name, coalesce(owner_name, name) as owner
        from searched_records join record_sums on id = group_id order by record_rowid`,
    )
    .all();
  const whole = sqlite
    .prepare(
      `select r.rowid as record_rowid, ${GROUP}, amount_sen, r.name, u.name as owner
        from tax_records r join users u on u.id = r.user_id order by r.rowid`,
    )
    .all();
  expect(kept).toEqual(whole);
}

const filter = {
  boundsMs: [1, 2, 3, 4],
  dates: { today: '2026-06-10', thisYear: 2026, sunday: '2026-06-14' },
  paidBetween: { fromDate: '2024-01-01', toDate: '2026-12-31' },
};

it('keeps the sums of groups, the short rows and statistics right after any changes, also by another process', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pbb-sums-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'pbb.sqlite');
  const test = await buildTestApp({ database: openTestDatabase(file) });
  const owners = [0, 1, 2].map(() => buildTestUser(test).id);
  const [other, reader] = [withDirectAccess(openDatabase(file)), openReadOnly(file)];
  onTestFinished(() => {
    other.sqlite.close();
    reader.sqlite.close();
  });
  const batches = fc.array(fc.record({ isOther: fc.boolean(), changes: fc.array(recordChange, { maxLength: 6 }) }), {
    maxLength: 4,
  });
  await fc.assert(
    fc.asyncProperty(batches, async (steps) => {
      for (const { isOther, changes } of steps) {
        for (const change of changes) applyChange(isOther ? other.direct : test.database.direct, owners, change);
        // A new connection has kept nothing.
        const fresh = openReadOnly(file);
        const recounted = await readAdminStatistics(fresh.orm, filter);
        fresh.sqlite.close();
        // The second answer is a kept one.
        expect(await readAdminStatistics(reader.orm, filter)).toEqual(recounted);
        expect(await readAdminStatistics(reader.orm, filter)).toEqual(recounted);
      }
      compareSums(reader.sqlite);
      compareSearched(reader.sqlite);
    }),
    { numRuns: 40 },
  );
});

it('leaves out the records of an account whose deletion still runs, and counts them when it is taken back', async () => {
  const test = await buildTestApp();
  const { sqlite } = test.database;
  const owners = [0, 1, 2].map(() => buildTestUser(test).id);
  for (const change of fc.sample(recordChange, { numRuns: 60, seed: 7 }))
    applyChange(test.database.direct, owners, change);
  const countOf = (where: string): number =>
    sqlite
      .prepare<[string], number>(`select count(*) from tax_records where ${where}`)
      .pluck()
      .get(owners[0] ?? '') ?? 0;
  const statistics = async (): Promise<number> =>
    (await readAdminStatistics(test.context.orm, filter)).groups.reduce((sum, { all }) => sum + all.count, 0);
  expect(countOf('user_id = ?')).toBeGreaterThan(0);
  expect(await statistics()).toBe(countOf('user_id = ? or true'));
  sqlite.prepare("insert into account_deletions values (?, 'a', 'Ratna', 1)").run(owners[0]);
  expect(await statistics()).toBe(countOf('user_id <> ?'));
  sqlite.exec('delete from account_deletions');
  expect(await statistics()).toBe(countOf('user_id = ? or true'));
});
