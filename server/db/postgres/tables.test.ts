import { expect, it } from 'vitest';
import { testResources } from '#server/testing/open-test-database.ts';
import { readPostgresMigrations } from './migrate.ts';
import { tableStatements } from './tables.ts';

it('makes the tables, indexes and references that the schema describes', () => {
  const [first] = readPostgresMigrations(testResources);
  const statements = tableStatements();
  expect(statements.length).toBeGreaterThan(150);
  expect(statements.filter((statement) => !first?.text.includes(statement))).toEqual([]);
});

it('lists the migrations of SQLite by name from its first one on', () => {
  const journal: { entries: { tag: string }[] } = JSON.parse(
    testResources.read('migrations/meta/_journal.json').toString('utf8'),
  );
  const tags = readPostgresMigrations(testResources).map(({ tag }) => tag);
  expect(tags).toEqual(journal.entries.map(({ tag }) => tag).slice(-tags.length));
  expect(tags[0]).toBe('0031_retention');
});
