import { expect, it } from 'vitest';
import { testResources } from '#server/testing/open-test-database.ts';
import { readPostgresMigrations } from './migrate.ts';
import { tableStatements } from './tables.ts';

it('makes the tables, indexes and references that the schema describes', () => {
  const [first] = readPostgresMigrations(testResources);
  const statements = tableStatements();
  expect(statements.length).toBeGreaterThan(150);
  expect(statements.filter((statement) => !first?.statements.join('').includes(statement))).toEqual([]);
});
