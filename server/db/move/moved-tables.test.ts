import { expect, it } from 'vitest';
import { openTestDatabase } from '#server/testing/open-test-database.ts';
import { requireEqual, UnequalMoveError, copyTables, type ReadPages } from './move.ts';
import { movedTables, NOT_MOVED, type Row } from './moved-tables.ts';

it('moves every table but those of a search index and of the migrations', () => {
  const { sqlite } = openTestDatabase();
  const tables = sqlite
    .prepare<[], string>("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by 1")
    .pluck()
    .all();
  expect([...movedTables.map(({ name }) => name), ...NOT_MOVED].toSorted()).toEqual(tables);
});

const pagesOf = (rows: Record<string, Row[][]>): ReadPages =>
  async function* ({ name }) {
    yield* rows[name] ?? [];
  };

it('names the tables of which a row is missing, was changed or has another place', async () => {
  const rows: Row[] = [
    [1, 'Siti', null],
    [2, 'Budi', 0.5],
  ];
  const source = { users: [rows], tax_records: [rows], messages: [rows], areas: [[[1, 'ab', 'c']]] };
  const digests = await copyTables(
    pagesOf(source),
    async () => undefined,
    () => undefined,
  );
  await requireEqual(digests, pagesOf({ ...source, users: rows.map((row) => [row]) }));
  const changed = {
    users: [rows.slice(1)],
    tax_records: [[[1, 'Siti', ''], ...rows.slice(1)]],
    messages: [rows.toReversed()],
    areas: [[[1, 'a', 'bc']]],
  } satisfies Record<string, Row[][]>;
  await expect(requireEqual(digests, pagesOf(changed))).rejects.toThrow(
    new UnequalMoveError('users, tax_records, messages, areas'),
  );
});
