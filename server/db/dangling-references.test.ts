import { expect, it } from 'vitest';
import { buildRecord, buildTestUser } from '#server/testing/factories.ts';
import { removeUser } from '#server/testing/rows.ts';
import { buildTestApp } from '#server/testing/test-app.ts';
import { countDanglingReferences } from './dangling-references.ts';

it('counts the records of a missing account, unless its deletion still runs', async () => {
  const test = await buildTestApp();
  const { sqlite } = test.database;
  const user = buildTestUser(test);
  buildRecord(test, user.id);
  expect(countDanglingReferences(sqlite)).toBe(0);
  removeUser(test, user.id);
  expect(countDanglingReferences(sqlite)).toBe(1);
  sqlite.prepare("insert into account_deletions values (?, 'a', 'Ratna', 1)").run(user.id);
  expect(countDanglingReferences(sqlite)).toBe(0);
});
