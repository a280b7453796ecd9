import { asc, desc, eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { openTestDatabase } from '#server/testing/open-test-database.ts';
import { ascending, descending, ignoringCase } from '../dialect.ts';
import { readSnapshot } from '../engine.ts';
import { taxRecords, users } from '../schema.ts';
import { isProposedName } from '../search.ts';

const { orm } = openTestDatabase();
const { id, name, checkState, reportedAt, checkedAt, dueDate } = taxRecords;

/** The plan without some ways, which would cost much in a table with many rows. What the planner knows of small tables differs. */
const planWithout = (ways: readonly string[], query: SQLWrapper): Promise<string> =>
  readSnapshot(orm, async (tx) => {
    for (const way of ways) await tx.run(`set local enable_${way} = off`);
    return (await tx.column<string>(sql`explain ${query.getSQL()}`)).join('\n');
  });

it.each<[string, SQL | undefined, SQL[], string]>([
  [
    'the reports that wait',
    eq(checkState, 'pending'),
    [ascending(reportedAt), asc(id)],
    'Scan using tax_records_pending',
  ],
  [
    'the checks',
    eq(checkState, 'matched'),
    [descending(checkedAt), desc(id)],
    'Scan Backward using tax_records_checked',
  ],
  ['records by due date', undefined, [sql`${dueDate} asc nulls last`, asc(id)], 'Scan using tax_records_due_last'],
  ['records by name', undefined, [asc(ignoringCase(name)), asc(id)], 'Scan using tax_records_name'],
])('reads %s in the order of an index', async (_name, where, order, scan) => {
  const plan = await planWithout(
    ['seqscan', 'sort', 'incremental_sort'],
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
  // An index of another order has the name, too, and would be read whole.
  const ways = ['seqscan', 'indexscan', 'indexonlyscan'];
  expect(await planWithout(ways, sql`select id from ${users} where ${isProposedName(words)}`)).toContain(
    'Bitmap Index Scan on users_words',
  );
});
