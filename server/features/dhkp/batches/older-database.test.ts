import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { migrate } from '#server/db/migrations/migrate.ts';
import { openDatabase } from '#server/db/sqlite/open.ts';
import { buildListApp, dumpList, LIST_YEAR, nopOf } from '#server/testing/dhkp.ts';
import { testResources } from '#server/testing/open-test-database.ts';
import { openVersion1Database } from '#server/testing/version-1-database.ts';

const BEFORE_LINKS = 23;
const ASSESSMENT = 'year, block, amount_sen, is_listed, condition, created_at, updated_at) values';

/** A list with one object of an older import, whose amount the newest import changed, and one that it added. */
const APPLIED_LIST = `
  insert into objects (nop, created_at, updated_at) values ('${nopOf(1)}', 1, 1), ('${nopOf(2)}', 5, 5);
  insert into assessments (id, nop, ${ASSESSMENT}
    ('a1', '${nopOf(1)}', ${LIST_YEAR}, '001', 6000000, 1, 'ok', 1, 5),
    ('a2', '${nopOf(2)}', ${LIST_YEAR}, '001', 7000000, 1, 'ok', 5, 5);
  insert into dhkp_batches (id, by_id, by_name, client_id, year, is_pasted, file_name, bytes, sha256, state, kind,
    is_complete, choices, list_version, done_rows, total_rows, created_at, applied_at)
    values ('b1', 'u1', 'Siti Aminah', 'c1', ${LIST_YEAR}, 1, 'dhkp.tsv', 1, 'x', 'applied', 'list', 0, '{}', 2, 2, 2, 4, 5);
  insert into dhkp_years (year, version) values (${LIST_YEAR}, 2);
`;
const INSERT_CHANGE = `insert into dhkp_changes (batch_id, assessment_id, before, has_added_object, updated_at)
  values ('b1', ?, ?, ?, 5)`;

/** The row of the first object as an import stored it: with the names of the program. */
const BEFORE = {
  id: 'a1',
  nop: nopOf(1),
  year: LIST_YEAR,
  block: '001',
  amountSen: 5_000_000,
  isListed: true,
  condition: 'ok',
  createdAt: 1,
  updatedAt: 1,
};

it('takes back a list that the version before links had applied, after the migration', async () => {
  const sqlite = openVersion1Database(BEFORE_LINKS);
  onTestFinished(() => void sqlite.close());
  sqlite.exec(APPLIED_LIST);
  sqlite.prepare(INSERT_CHANGE).run('a1', JSON.stringify(BEFORE), 0);
  sqlite.prepare(INSERT_CHANGE).run('a2', null, 1);
  migrate(sqlite, testResources, () => {});
  const { test, list, revert, batch } = await buildListApp({
    database: openDatabase(':memory:', new Database(sqlite.serialize())),
  });
  expect(await batch('b1')).toMatchObject({ state: 'applied', by_name: 'Siti Aminah' });
  const answer = await revert(await batch('b1'));
  expect([answer.status, answer.body.message]).toEqual([200, answer.body.message]);
  expect((await list()).data).toMatchObject([{ nop: nopOf(1), amount: 50_000 }]);
  expect(JSON.parse(dumpList(test))).toMatchObject([
    ['objects', [{ nop: nopOf(1) }]],
    ['assessments', [{ id: 'a1', amount_sen: 5_000_000, updated_at: 1 }]],
    ['dhkp_changes', []],
  ]);
});
