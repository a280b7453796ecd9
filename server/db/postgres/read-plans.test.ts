import { asc, desc, eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { openTestDatabase } from '#server/testing/open-test-database.ts';
import { ascending, descending, ignoringCase } from '../dialect.ts';
import { readSnapshot } from '../open.ts';
import { taxRecords, users } from '../schema.ts';
import { isProposedName } from '../search.ts';

const { orm } = openTestDatabase();
const { id, name, checkState, reportedAt, checkedAt, dueDate } = taxRecords;

/** The plan for a table with many rows, of which reading or sorting all would cost much. */
const planOf = (query: SQLWrapper): Promise<string> =>
  readSnapshot(orm, async (tx) => {
    for (const way of ['seqscan', 'sort', 'incremental_sort']) await tx.run(`set local enable_${way} = off`);
    return (await tx.column<string>(sql`explain ${query.getSQL()}`)).join('\n');
  });

it.each<[string, SQL | undefined, SQL[], string]>([
  [
    'the reports that wait',
    eq(checkState, 'pending'),
    [ascending(reportedAt), asc(id)],
    'Index Only Scan using tax_records_pending',
  ],
  [
    'the checks',
    eq(checkState, 'matched'),
    [descending(checkedAt), desc(id)],
    'Index Only Scan Backward using tax_records_checked',
  ],
  [
    'records by due date',
    undefined,
    [sql`${dueDate} asc nulls last`, asc(id)],
    'Index Only Scan using tax_records_due_last',
  ],
  ['records by name', undefined, [asc(ignoringCase(name)), asc(id)], 'Index Scan using tax_records_name'],
])('reads %s in the order of an index', async (_name, where, order, scan) => {
  const plan = await planOf(
    orm
      .select({ id })
      .from(taxRecords)
      .where(where)
      .orderBy(...order)
      .limit(50),
  );
  expect(plan).toContain(scan);
  expect(plan).not.toContain('Sort');
});

it('finds accounts by a short word of their name in an index', async () => {
  const words = [
    { word: 'di', isBeginning: false },
    { word: 'santoso', isBeginning: true },
  ];
  expect(await planOf(sql`select id from ${users} where ${isProposedName(words)}`)).toContain(
    'Bitmap Index Scan on users_words',
  );
});
