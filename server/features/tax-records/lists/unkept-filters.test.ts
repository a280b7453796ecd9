import * as fc from 'fast-check';
import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { taxRecords } from '#server/db/schema.ts';
import { buildRecord, buildTestUser } from '#server/testing/factories.ts';
import { addDistantRecords, applyChange, makeQueriesSlow, recordChange } from '#server/testing/record-changes.ts';
import { buildTestApp, type TestApp } from '#server/testing/test-app.ts';
import { readAdminRecords } from './admin-list-queries.ts';

const today = '2026-06-10';
type Row = typeof taxRecords.$inferSelect;

const filters = fc.record(
  {
    proof: fc.boolean(),
    payment_from: fc.constantFrom('2024-09-30', '2026-06-10'),
    payment_to: fc.constantFrom('2026-06-09', '2026-06-12'),
    status: fc.constantFrom('lunas' as const, 'proses' as const),
    year: fc.integer({ min: 2024, max: 2027 }),
    search: fc.constantFrom('a', '35.15', 'san'),
  },
  { requiredKeys: [] },
);
type Filters = typeof filters extends fc.Arbitrary<infer T> ? T : never;

/** Whether a record is in the list, without a search. */
const isListed = (row: Row, { proof, payment_from, payment_to, status, year }: Filters): boolean =>
  (proof === undefined || (row.proofFile !== null) === proof) &&
  (payment_from === undefined || (row.paymentDate !== null && row.paymentDate >= payment_from)) &&
  (payment_to === undefined || (row.paymentDate !== null && row.paymentDate <= payment_to)) &&
  (status === undefined || row.status === status) &&
  (year === undefined || row.year === year);

const sumOf = (rows: readonly Row[]) => ({
  count: rows.length,
  sen: rows.reduce((sum, { amountSen }) => sum + BigInt(amountSen), 0n),
});

/** The records with a term, by a search without other filters, which another test compares with the texts. */
async function idsWith({ context: { orm } }: TestApp, search: string | undefined): Promise<Set<string> | null> {
  if (search === undefined) return null;
  const { rows } = await readAdminRecords(orm, { search, today, limit: 1000, offset: 0 });
  return new Set(rows.map(({ record }) => record.id));
}

it.each([
  ['quickly', () => undefined],
  ['slowly', makeQueriesSlow],
])(
  'lists and sums %s by proof and date of payment as a recount does, after any changes and when it is asked again',
  async (_speed, begin) => {
    const test = await buildTestApp();
    begin();
    const { direct, sqlite } = test.database;
    const owners = [0, 1, 2].map(() => buildTestUser(test).id);
    await fc.assert(
      fc.asyncProperty(
        fc.array(recordChange, { maxLength: 15 }),
        fc.array(fc.tuple(fc.nat(), fc.boolean()), { maxLength: 6 }),
        fc.array(filters, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 4 }),
        fc.boolean(),
        async (changes, proofs, asked, limit, isDeleting) => {
          addDistantRecords(test.database, owners);
          for (const change of changes) applyChange(direct, owners, change);
          const ids = direct.select({ id: taxRecords.id }).from(taxRecords).orderBy(taxRecords.id).all();
          for (const [place, hasProof] of proofs) {
            const id = ids[place % Math.max(1, ids.length)]?.id ?? '';
            direct
              .update(taxRecords)
              .set({ proofFile: hasProof ? `${id}.png` : null })
              .where(eq(taxRecords.id, id))
              .run();
          }
          if (isDeleting) sqlite.prepare("insert into account_deletions values (?, 'a', 'Ratna', 1)").run(owners[0]);
          const all = direct
            .select()
            .from(taxRecords)
            .all()
            .filter(({ userId }) => !isDeleting || userId !== owners[0])
            .toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
          for (const query of [...asked, ...asked]) {
            const withTerm = await idsWith(test, query.search);
            const listed = all.filter((row) => isListed(row, query) && (withTerm?.has(row.id) ?? true));
            const paid = listed.filter(({ status }) => status === 'lunas');
            for (let offset = 0; offset <= listed.length; offset += limit) {
              const found = await readAdminRecords(test.context.orm, { ...query, today, limit, offset });
              expect(found.all).toEqual(sumOf(listed));
              expect(found.paid.matched).toEqual(sumOf(paid.filter(({ checkState }) => checkState === 'matched')));
              expect(found.estimated).toEqual(
                sumOf(listed.filter(({ status, amountSource }) => status !== 'lunas' && amountSource === 'estimate')),
              );
              expect(found.rows.map(({ record }) => record.id)).toEqual(
                listed.slice(offset, offset + limit).map(({ id }) => id),
              );
            }
          }
          sqlite.exec('delete from account_deletions');
        },
      ),
      { numRuns: 60 },
    );
  },
);

it.each([
  { payment_from: '2024-01-01' },
  { payment_to: '2024-12-31', year: 2026 },
  { proof: true },
  { proof: false, year: 2026 },
])('finds for %o records at the end of the list, in each order', async (query) => {
  const test = await buildTestApp();
  const { id } = buildTestUser(test);
  const old = Array.from({ length: 20 }, (_, index) =>
    buildRecord(test, id, {
      year: 2026,
      createdAt: index,
      amountSen: 100 * ((index * 7) % 20),
      status: 'lunas',
      paymentDate: '2024-06-10',
      proofFile: 'proof' in query && !query.proof ? null : `${index}.png`,
    }),
  );
  for (let index = 0; index < 80; index += 1)
    buildRecord(test, id, {
      year: 2026,
      createdAt: 1000 + index,
      proofFile: 'proof' in query && !query.proof ? `new-${index}.png` : null,
    });
  for (const [sort, ids] of [
    ['-created_at', old.toReversed()],
    ['created_at', old],
    ['amount', old.toSorted((a, b) => a.amountSen - b.amountSen)],
  ] as const) {
    const { rows, all } = await readAdminRecords(test.context.orm, { ...query, sort, today, limit: 2, offset: 2 });
    expect(rows.map(({ record }) => record.id)).toEqual(ids.slice(2, 4).map((row) => row.id));
    expect(all.count).toBe(20);
  }
});
