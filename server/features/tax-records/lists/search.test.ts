import * as fc from 'fast-check';
import { inArray, or } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { containsText, trigramQuery } from '#server/db/search.ts';
import { taxRecords, users } from '#server/db/schema.ts';
import { buildRecord, buildTestUser } from '#server/testing/factories.ts';
import { anyText, applyChange, recordChange } from '#server/testing/record-changes.ts';
import { buildTestApp, type TestApp } from '#server/testing/test-app.ts';
import { readAdminRecords } from './admin-list-queries.ts';

const today = '2026-06-10';
const page = { limit: 1000, offset: 0, today };

/** Compares each record's texts, without any index. */
function findPlainly({ context: { orm } }: TestApp, term: string): string[] {
  const owners = orm.select({ id: users.id }).from(users).where(containsText(users.name, term));
  const { name, address, sptNumber, userId } = taxRecords;
  const contains = or(containsText(name, term), containsText(address, term), containsText(sptNumber, term));
  const rows = orm
    .select({ id: taxRecords.id })
    .from(taxRecords)
    .where(or(contains, inArray(userId, owners)))
    .all();
  return rows.map(({ id }) => id).toSorted();
}

function find({ context: { orm } }: TestApp, term: string): string[] {
  const { rows, all } = readAdminRecords(orm, { ...page, search: term });
  const ids = rows.map(({ record }) => record.id);
  expect(all.count).toBe(ids.length);
  expect(all.sen).toBe(rows.reduce((sum, { record }) => sum + BigInt(record.amountSen), 0n));
  expect(rows.map(({ record }) => record.createdAt)).toEqual(
    rows.map(({ record }) => record.createdAt).toSorted((a, b) => b - a),
  );
  return ids.toSorted();
}

it('finds exactly the records that a comparison of all texts finds, after any changes', async () => {
  const test = await buildTestApp();
  const owners = [0, 1, 2].map(() => buildTestUser(test).id);
  fc.assert(
    fc.property(
      fc.array(recordChange, { maxLength: 20 }),
      fc.array(anyText(3), { maxLength: 12 }),
      (changes, terms) => {
        for (const change of changes) applyChange(test.context.orm, owners, change);
        const texts = changes.flatMap((change) =>
          change.kind === 'add' ? [change.columns.name, change.columns.address] : [],
        );
        for (const term of [...terms, ...texts.map((text) => text.slice(1)), 'santoso', '35.15.0', 'Desa 123'])
          if (term.trim() !== '') expect(find(test, term), JSON.stringify(term)).toEqual(findPlainly(test, term));
      },
    ),
    { numRuns: 60 },
  );
  // FTS5 compares its index with the records.
  test.database.sqlite.exec("insert into record_words (record_words, rank) values ('integrity-check', 1)");
});

it.each([
  ['SANTOSO', 1],
  ['an', 1],
  ['35.15.110', 1],
  ['110.001-0', 1],
  ['100%', 1],
  ['0_1', 0],
  ['%', 1],
  ['kafé', 1],
  ['KAFÉ', 1],
  ["d'Or", 1],
  ['"', 1],
  ['pemilik', 1],
  ['santoso melati', 0],
])('finds for %s so many records: %i', async (term, count) => {
  const test = await buildTestApp();
  const owner = buildTestUser(test, { name: 'Bu Pemilik' });
  buildRecord(test, owner.id, {
    name: 'Budi Santoso',
    address: 'Jl. Melati "Kafé d\'Or" 100% RT 1',
    sptNumber: '35.15.110.001-0',
  });
  buildRecord(test, buildTestUser(test, { name: 'Wargi' }).id, { name: 'Joko', address: 'Jl. 7', sptNumber: '7' });
  expect(find(test, term)).toHaveLength(count);
});

it('keeps finding records after VACUUM, which a start runs once, and in a copy by VACUUM INTO', async () => {
  const test = await buildTestApp();
  const { sqlite } = test.database;
  const owner = buildTestUser(test, { name: 'X' });
  const rows = Array.from({ length: 20 }, (_, index) => buildRecord(test, owner.id, { name: `Nomor ${1000 + index}` }));
  sqlite.prepare('delete from tax_records where id = ?').run(rows[3]?.id);
  sqlite.exec('vacuum');
  expect(find(test, 'nomor 1007')).toEqual([rows[7]?.id]);
  sqlite.exec("insert into record_words (record_words, rank) values ('integrity-check', 1)");
});

it('asks the index only for three ASCII characters in a row, as they are compared', () => {
  expect(trigramQuery('ab')).toBeNull();
  expect(trigramQuery('éab')).toBeNull();
  expect(trigramQuery('ab\0c')).toBeNull();
  expect(trigramQuery('Abcd')).toBe('"abc" AND "bcd"');
  expect(trigramQuery('xyzéab"c')).toBe('"xyz" AND "ab""" AND "b""c"');
});
