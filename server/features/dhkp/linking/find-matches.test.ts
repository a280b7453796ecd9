import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatNop } from '#shared/domain/dhkp/nop.ts';
import { taxRecords, users } from '#server/db/schema.ts';
import { buildRecord, buildTestUser } from '#server/testing/factories.ts';
import { buildTestApp } from '#server/testing/test-app.ts';
import { findMatches, wantedFor } from './find-matches.ts';
import { listPossibleOwners } from './match-queries.ts';

const CUT = 'MUHAMMAD ABDURRAHMAN KUSUMAWIJ';
const NAMES = [
  'Budi Santoso',
  'H. SANTOSO BUDI',
  "Ma'ruf",
  'MARUF',
  'Siti',
  '',
  CUT,
  'Muhammad Abdurrahman Kusumawijaya',
];
const name = fc.constantFrom(...NAMES);
const nop = fc.integer({ min: 1, max: 4 }).map((number) => `35151800120010${String(number).padStart(3, '0')}0`);
const address = fc.constantFrom('Jl. Melati 5', 'JALAN MELATI NO 5', 'Jl. Kartini 1');

it('finds the same owners among the possible ones as among all accounts and records', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ name, isActive: fc.boolean(), isAdmin: fc.boolean() }), { minLength: 1, maxLength: 6 }),
      fc.array(
        fc.record({
          owner: fc.nat(),
          name,
          address,
          sptNumber: fc.oneof(nop, nop.map(formatNop), fc.constant('12')),
          year: fc.constantFrom(2025, 2026),
        }),
        { maxLength: 8 },
      ),
      fc.array(fc.record({ nop, name: fc.option(name), address }), { maxLength: 4 }),
      async (accounts, records, listed) => {
        const test = await buildTestApp();
        const ids = accounts.map((account, index) => buildTestUser(test, { ...account, email: `${index}@desa.id` }).id);
        for (const { owner, ...columns } of records) buildRecord(test, ids[owner % ids.length] ?? '', columns);
        const objects = listed.map((object, rowid) => ({ ...object, rowid, addresses: [object.address, null] }));
        const { direct } = test.database;
        const all = {
          users: direct
            .select()
            .from(users)
            .orderBy(users.id)
            .all()
            .filter(({ isActive, isAdmin }) => isActive && !isAdmin),
          records: direct.select().from(taxRecords).all(),
        };
        const possible = await listPossibleOwners(test.context.orm, wantedFor(objects));
        expect(findMatches({ year: 2026, objects, ...possible })).toEqual(findMatches({ year: 2026, objects, ...all }));
      },
    ),
    { numRuns: 40 },
  );
});
