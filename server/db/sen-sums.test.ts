import * as fc from 'fast-check';
import { sql } from 'drizzle-orm';
import { integer, sqliteTable } from 'drizzle-orm/sqlite-core';
import { expect, it, onTestFinished } from 'vitest';
import { openDatabase } from './sqlite/open.ts';
import { joinSen, senSum, senSumToRupiah } from './sen-sums.ts';

const LARGEST_SEN = 99_999_999_999_900;
const amountsTable = sqliteTable('things', { sen: integer('sen').notNull() });

function buildAmountsTable() {
  const { sqlite, orm } = openDatabase(':memory:');
  sqlite.exec('create table things (sen integer not null)');
  onTestFinished(() => void sqlite.close());
  const sumUp = async () => {
    const even = senSum(amountsTable.sen, sql`${amountsTable.sen} % 2 = 0`);
    const row = await orm
      .select({ all: senSum(amountsTable.sen), even })
      .from(amountsTable)
      .get();
    return row ? { all: joinSen(row.all), even: joinSen(row.even) } : null;
  };
  return { sqlite, sumUp };
}

it('returns 0 without rows', async () => {
  expect(await buildAmountsTable().sumUp()).toEqual({ all: 0n, even: 0n });
});

it('returns the exact sum of all rows or of the filtered rows', async () => {
  const { sqlite, sumUp } = buildAmountsTable();
  const anySen = fc.oneof(
    fc.nat(),
    fc.maxSafeNat().map((n) => n % (LARGEST_SEN + 1)),
    fc.constant(LARGEST_SEN),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(anySen, { maxLength: 40 }), async (amounts) => {
      sqlite.exec('delete from things');
      for (const sen of amounts) sqlite.prepare('insert into things values (?)').run(sen);
      const exact = (list: number[]): bigint => list.reduce((sum, sen) => sum + BigInt(sen), 0n);
      expect(await sumUp()).toEqual({ all: exact(amounts), even: exact(amounts.filter((sen) => sen % 2 === 0)) });
    }),
    { numRuns: 50 },
  );
});

it("does not overflow where SQLite's own sum() does", async () => {
  const { sqlite, sumUp } = buildAmountsTable();
  const fill = sqlite.prepare(
    'with recursive n (i) as (select 1 union all select i + 1 from n where i < 100000) insert into things select ? from n',
  );
  fill.run(LARGEST_SEN);
  expect(() => sqlite.prepare('select sum(sen) from things').get()).toThrow('integer overflow');
  expect(await sumUp()).toEqual({ all: 9_999_999_999_990_000_000n, even: 9_999_999_999_990_000_000n });
});

it.each([
  [0n, 0],
  [1n, 0.01],
  [105n, 1.05],
  [110n, 1.1],
  [99_999_999_999_999n, 999_999_999_999.99],
  // Beyond 2^53 sen: the nearest double divided by 100 would differ by half a rupiah.
  [449_406_266_507_012_237n, 4_494_062_665_070_122.5],
])('converts %d sen to %d rupiah', (sen, rupiah) => {
  expect(senSumToRupiah(sen)).toBe(rupiah);
});
