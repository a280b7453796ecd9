import * as fc from 'fast-check';
import { eq, inArray, or } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { otherNopForms } from '#shared/domain/dhkp/nop.ts';
import { containsText, trigramQuery } from '#server/db/search.ts';
import { taxRecords, users } from '#server/db/schema.ts';
import { buildRecord, buildTestUser } from '#server/testing/factories.ts';
import { addPending, hasPending, removeReplaced } from '#server/records/record-index-queries.ts';
import {
  addDistantRecords,
  anyText,
  applyChange,
  makeQueriesSlow,
  recordChange,
} from '#server/testing/record-changes.ts';
import { buildTestApp, type TestApp } from '#server/testing/test-app.ts';
import { readAdminRecords } from './admin-list-queries.ts';
import { itOnSqlite } from '#server/testing/on-sqlite.ts';
import { testServer } from '#server/testing/postgres/test-server.ts';

const today = '2026-06-10';
const page = { limit: 1000, offset: 0, today };

/** Compares each record's texts, without any index. */
async function findPlainly({ context: { orm } }: TestApp, term: string): Promise<string[]> {
  const owners = orm.select({ id: users.id }).from(users).where(containsText(users.name, term));
  const { name, address, sptNumber, userId } = taxRecords;
  const contains = or(containsText(name, term), containsText(address, term), containsText(sptNumber, term));
  const rows = await orm
    .select({ id: taxRecords.id })
    .from(taxRecords)
    .where(or(contains, inArray(userId, owners)))
    .all();
  return rows.map(({ id }) => id).toSorted();
}

async function find({ context: { orm } }: TestApp, term: string): Promise<string[]> {
  const { rows, all } = await readAdminRecords(orm, { ...page, search: term });
  const ids = rows.map(({ record }) => record.id);
  expect(all.count).toBe(ids.length);
  expect(all.sen).toBe(rows.reduce((sum, { record }) => sum + BigInt(record.amountSen), 0n));
  expect(rows.map(({ record }) => record.createdAt)).toEqual(
    rows.map(({ record }) => record.createdAt).toSorted((a, b) => b - a),
  );
  return ids.toSorted();
}

/** A step of the record indexer, which may come at any moment. */
const indexStep = fc.oneof(
  fc.record({ kind: fc.constant('remove' as const), after: fc.nat(3) }),
  fc.record({ kind: fc.constant('index' as const), limit: fc.integer({ min: 1, max: 5 }) }),
);

/** Brings the index up to date, and compares it with the records. */
async function requireIntact({ context: { orm, write }, database }: TestApp): Promise<void> {
  // PostgreSQL keeps its index by itself.
  if (testServer !== '') return;
  await write(async (tx) => {
    for (let last: number | null = 0; last !== null;) last = await removeReplaced(tx, last);
    while (await addPending(tx, 100));
  });
  expect(await hasPending(orm)).toBe(false);
  database.sqlite.exec("insert into record_words (record_words, rank) values ('integrity-check', 1)");
}

it('finds exactly the records that a comparison of all texts finds, after any changes and steps of the indexer', async () => {
  const test = await buildTestApp();
  const { write } = test.context;
  const owners = [0, 1, 2].map(() => buildTestUser(test).id);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof({ weight: 3, arbitrary: recordChange }, indexStep), { maxLength: 30 }),
      fc.array(anyText(3), { maxLength: 12 }),
      async (changes, terms) => {
        for (const change of changes) {
          if (change.kind === 'remove') await write((tx) => removeReplaced(tx, change.after));
          else if (change.kind === 'index') await write((tx) => addPending(tx, change.limit));
          else applyChange(test.database.direct, owners, change);
        }
        const texts = changes.flatMap((change) =>
          change.kind === 'add' ? [change.columns.name, change.columns.address] : [],
        );
        for (const term of [...terms, ...texts.map((text) => text.slice(1)), 'santoso', '35.15.0', 'Desa 123'])
          if (term.trim() !== '')
            expect(await find(test, term), JSON.stringify(term)).toEqual(await findPlainly(test, term));
      },
    ),
    { numRuns: 60 },
  );
  await requireIntact(test);
});

const sorts = ['-created_at', 'created_at', 'amount', '-year'] as const;

/** The found records in the order of a sort, without any index. */
function sortPlainly(
  { database: { direct: orm } }: TestApp,
  ids: readonly string[],
  sort: (typeof sorts)[number],
): string[] {
  const rows = orm
    .select()
    .from(taxRecords)
    .where(inArray(taxRecords.id, [...ids]))
    .all();
  const direction = sort.startsWith('-') ? -1 : 1;
  const keysOf = ({ createdAt, amountSen, year }: (typeof rows)[number]): number[] =>
    ({ created_at: [createdAt], amount: [amountSen], year: [year, createdAt] })[sort.replace('-', '')] ?? [];
  const compare = (a: (typeof rows)[number], b: (typeof rows)[number]): number => {
    const difference = keysOf(a)
      .map((key, index) => key - (keysOf(b)[index] ?? 0))
      .find((value) => value !== 0);
    return direction * (difference ?? (a.id < b.id ? -1 : 1));
  };
  return rows.toSorted(compare).map(({ id }) => id);
}

it.each([
  ['quick', () => undefined],
  ['slow', makeQueriesSlow],
])(
  'divides what a %s search finds into the same pages as a comparison of all texts, also when it is asked again',
  async (_speed, begin) => {
    const test = await buildTestApp();
    begin();
    const { direct } = test.database;
    const owners = [0, 1, 2].map(() => buildTestUser(test).id);
    const statuses = [undefined, 'lunas' as const];
    await fc.assert(
      fc.asyncProperty(
        fc.array(recordChange, { maxLength: 20 }),
        fc.constantFrom('a', '.', 'san', '35', 'é', 'Desa'),
        fc.constantFrom(...sorts),
        fc.constantFrom(...statuses),
        fc.integer({ min: 1, max: 4 }),
        async (changes, search, sort, status, limit) => {
          addDistantRecords(test.database, owners);
          for (const change of changes) applyChange(direct, owners, change);
          const ofStatus = direct.select({ id: taxRecords.id }).from(taxRecords);
          const wanted = new Set(
            (status ? ofStatus.where(eq(taxRecords.status, status)) : ofStatus).all().map(({ id }) => id),
          );
          const expected = sortPlainly(test, await findPlainly(test, search), sort).filter((id) => wanted.has(id));
          for (const _again of [false, true]) {
            const found: string[] = [];
            for (let offset = 0; offset <= expected.length; offset += limit) {
              const { rows, all } = await readAdminRecords(test.context.orm, {
                search,
                sort,
                status,
                limit,
                offset,
                today,
              });
              found.push(...rows.map(({ record }) => record.id));
              expect(all.count).toBe(expected.length);
            }
            expect(found).toEqual(expected);
          }
        },
      ),
      { numRuns: 60 },
    );
  },
);

it.each([
  ['the name of a record', "update tax_records set name = 'Joko'", 1],
  ['an address', "update tax_records set address = 'Jl. Lain'", 1],
  ['the name of an owner', "update users set name = 'Wargi'", 1],
  ['the begun deletion of an owner', "insert into account_deletions values ('o', 'a', 'Ratna', 1)", 0],
])('does not repeat an earlier answer after a change of %s', async (_what, change, count) => {
  const test = await buildTestApp();
  const owner = buildTestUser(test, { id: 'o', name: 'Bu Pemilik' });
  buildRecord(test, owner.id, { name: 'Budi', address: 'Jl. Melati', sptNumber: '7' });
  const terms = ['budi', 'melati', 'pemilik', 'u'];
  for (const term of terms) expect(await find(test, term)).toHaveLength(1);
  test.database.sqlite.exec(change);
  const counts: number[] = [];
  for (const term of terms) counts.push((await find(test, term)).length);
  const found = await Promise.all(terms.map((term) => findPlainly(test, term)));
  expect(counts).toEqual(found.map(({ length }) => length * count));
  expect(counts).not.toEqual([1, 1, 1, 1]);
});

it('finds a record by whether it has a proof, at once after it got one', async () => {
  const test = await buildTestApp();
  const { id } = buildRecord(test, buildTestUser(test).id, { name: 'Budi', proofFile: null });
  const countWithProof = async (): Promise<number> =>
    (await readAdminRecords(test.context.orm, { ...page, search: 'budi', proof: true })).all.count;
  expect(await countWithProof()).toBe(0);
  test.database.direct.update(taxRecords).set({ proofFile: 'a.jpg' }).where(eq(taxRecords.id, id)).run();
  expect(await countWithProof()).toBe(1);
});

itOnSqlite(
  'finds a record that was made in the place of a deleted one, before and after both are indexed',
  async () => {
    const test = await buildTestApp();
    const { sqlite } = test.database;
    const owner = buildTestUser(test, { name: 'X' });
    const rowidOf = sqlite.prepare<[string], number>('select rowid from tax_records where id = ?').pluck();
    const first = buildRecord(test, owner.id, { name: 'Zubaidah' });
    await requireIntact(test);
    const rowid = rowidOf.get(first.id);
    sqlite.prepare('delete from tax_records where id = ?').run(first.id);
    const second = buildRecord(test, owner.id, { name: 'Mawar' });
    expect(rowidOf.get(second.id)).toBe(rowid);
    expect(await find(test, 'mawar')).toEqual([second.id]);
    await requireIntact(test);
    expect(await find(test, 'mawar')).toEqual([second.id]);
    const matched = sqlite
      .prepare<[string], number>('select rowid from record_words where record_words match ?')
      .pluck();
    expect(matched.all('zub')).toEqual([]);
    expect(matched.all('maw')).toEqual([rowid]);
  },
);

/** The parts of texts in the index itself. */
function listParts({ database: { sqlite } }: TestApp): string[] {
  if (testServer !== '') return [];
  sqlite.exec('create virtual table if not exists temp.parts using fts5vocab(main, record_words, row)');
  return sqlite.prepare<[], string>('select term from temp.parts').pluck().all();
}

it('finds the records of a renamed owner by the new name only, at once, and soon in the index too', async () => {
  const test = await buildTestApp();
  const owner = buildTestUser(test, { name: 'Xyzzyqua' });
  const ids = [0, 1, 2].map(() => buildRecord(test, owner.id, { name: 'Budi' }).id).toSorted();
  buildRecord(test, buildTestUser(test, { name: 'Wargi' }).id, { name: 'Joko' });
  await requireIntact(test);
  expect(await find(test, 'zzyq')).toEqual(ids);
  test.database.sqlite.prepare("update users set name = 'Plughvwx' where id = ?").run(owner.id);
  expect(await find(test, 'zzyq')).toEqual([]);
  expect(await find(test, 'ghvw')).toEqual(ids);
  await requireIntact(test);
  expect(await find(test, 'ghvw')).toEqual(ids);
  expect(listParts(test)).not.toContain('zyq');
});

it('finds no record of an account whose deletion runs, and leaves no part of its names in the index', async () => {
  const test = await buildTestApp();
  const { sqlite } = test.database;
  const [owner, other] = ['Xyzzyqua', 'Xyzzyqub'].map((name) => buildTestUser(test, { name }));
  if (!owner || !other) throw new Error('no account was made');
  buildRecord(test, owner.id, { name: 'Plughvwx' });
  const { id } = buildRecord(test, other.id, { name: 'Budi' });
  await requireIntact(test);
  sqlite.prepare("insert into account_deletions values (?, 'a', 'Ratna', 1)").run(owner.id);
  sqlite.prepare('delete from users where id = ?').run(owner.id);
  expect(await find(test, 'xyzzyqu')).toEqual([id]);
  expect(await find(test, 'plughvwx')).toEqual([]);
  sqlite.prepare('delete from tax_records where user_id = ?').run(owner.id);
  sqlite.exec('delete from account_deletions');
  expect(await find(test, 'xyzzyqu')).toEqual([id]);
  await requireIntact(test);
  expect(listParts(test).filter((part) => ['qua', 'ghv'].includes(part))).toEqual([]);
});

it('finds the same with parts of the term that nearly all records have', async () => {
  const test = await buildTestApp();
  const owner = buildTestUser(test, { name: 'X' });
  test.database.direct.transaction(() => {
    for (let n = 0; n < 300; n += 1) buildRecord(test, owner.id, { name: 'Y', address: `Desa ${n}` });
  });
  await requireIntact(test);
  for (const term of ['desa', 'desa 1', 'Desa 299', 'esa 10'])
    expect(await find(test, term), term).toEqual(await findPlainly(test, term));
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
  expect(await find(test, term)).toHaveLength(count);
});

it('keeps finding records after VACUUM, which a start runs once, and in a copy by VACUUM INTO', async () => {
  const test = await buildTestApp();
  const { sqlite } = test.database;
  const owner = buildTestUser(test, { name: 'X' });
  const rows = Array.from({ length: 20 }, (_, index) => buildRecord(test, owner.id, { name: `Nomor ${1000 + index}` }));
  await requireIntact(test);
  sqlite.prepare('delete from tax_records where id = ?').run(rows[3]?.id);
  sqlite.exec('vacuum');
  expect(await find(test, 'nomor 1007')).toEqual([rows[7]?.id]);
  await requireIntact(test);
});

it('asks the index only for three ASCII characters in a row, as they are compared', () => {
  expect(trigramQuery('ab')).toBeNull();
  expect(trigramQuery('éab')).toBeNull();
  expect(trigramQuery('ab\0c')).toBeNull();
  expect(trigramQuery('Abcd')).toBe('"abc" AND "bcd"');
  expect(trigramQuery('xyzéab"c')).toBe('"xyz" AND "ab""" AND "b""c"');
});

it('finds a NOP with signs by its digits and the reverse, also by a part of it and while the index lacks it', async () => {
  const test = await buildTestApp();
  const { id: owner } = buildTestUser(test);
  const idOf = (sptNumber: string): string => buildRecord(test, owner, { sptNumber }).id;
  const both = ['351518001200100340', '35.15.180.012.001-0034.0'].map(idOf).toSorted();
  const other = idOf('351518001200100350');
  for (const isIndexed of [false, true]) {
    if (isIndexed) await requireIntact(test);
    for (const term of ['35.15.180.012.001-0034.0', '351518001200100340', '012.001-0034', '0120010034', '00340']) {
      expect(await find(test, term), term).toEqual(both);
    }
    expect(await find(test, '180.012')).toEqual([...both, other].toSorted());
  }
});

it('sums a term that most records contain, such as the beginning of all numbers, without the few others', async () => {
  const test = await buildTestApp();
  const { direct } = test.database;
  const owners = [0, 1, 2].map(() => buildTestUser(test).id);
  const common = fc.record({
    number: fc.integer({ min: 100, max: 124 }),
    owner: fc.nat(2),
    year: fc.constantFrom(2025, 2026),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(common, { minLength: 8, maxLength: 16 }),
      fc.array(recordChange, { maxLength: 6 }),
      fc.constantFrom('3', '35', '35.', '35.15.1', '35151', 'jalan', 'a', '%', "'"),
      async (commonRecords, changes, search) => {
        for (const { number, owner, year } of commonRecords)
          buildRecord(test, owners[owner] ?? '', { sptNumber: `35.15.${number}.001`, address: 'Jalan Melati', year });
        for (const change of changes) applyChange(direct, owners, change);
        const expected = new Set(await findPlainly(test, search));
        for (const form of otherNopForms(search)) {
          const isFound = containsText(taxRecords.sptNumber, form);
          const rows = await test.context.orm.select().from(taxRecords).where(isFound).all();
          for (const { id } of rows) expected.add(id);
        }
        expect(await find(test, search)).toEqual([...expected].toSorted());
        const ofYear = direct.select().from(taxRecords).where(eq(taxRecords.year, 2026)).all();
        const { all } = await readAdminRecords(test.context.orm, { ...page, search, year: 2026 });
        expect(all.count).toBe(ofYear.filter(({ id }) => expected.has(id)).length);
        direct.delete(taxRecords).run();
      },
    ),
    { numRuns: 60 },
  );
  await requireIntact(test);
});
