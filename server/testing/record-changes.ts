import * as fc from 'fast-check';
import { eq } from 'drizzle-orm';
import { onTestFinished, vi } from 'vitest';
import { AMOUNT_SOURCES, PROPERTY_TYPES, RECORD_STATUSES } from '#shared/domain/tax-records/record-values.ts';
import { VERIFICATION_STATES } from '#shared/domain/tax-records/verification-states.ts';
import type { TestDatabase } from './open-test-database.ts';
import { taxRecords, users } from '#server/db/schema.ts';

const LARGEST_SEN = 99_999_999_999_900;
/** Parts of texts and of terms that meet often; some are special to LIKE, GLOB, FTS5 or to the case of letters. */
const PIECES = [
  'san',
  'TOSO',
  'Budi',
  ' ',
  '35.15',
  '.0',
  '%',
  '_',
  '"',
  "'",
  '*',
  '[',
  'é',
  'É',
  'ß',
  'ſ',
  'İ',
  'K',
  'k',
  'Desa 12',
  '3',
  '\\',
  '🙏',
  '\u0001',
];

export const anyText = (maxLength = 6): fc.Arbitrary<string> =>
  fc
    .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 3 })), { maxLength })
    .map((parts) => parts.join(''));

const date = fc.constantFrom(null, '2024-09-30', '2026-06-09', '2026-06-10', '2026-06-12');
const columns = fc.record({
  name: anyText(),
  address: anyText(),
  sptNumber: anyText(3),
  owner: fc.nat(2),
  year: fc.integer({ min: 2024, max: 2027 }),
  propertyType: fc.constantFrom(null, ...PROPERTY_TYPES.slice(0, 2)),
  status: fc.constantFrom(...RECORD_STATUSES),
  checkState: fc.constantFrom(...VERIFICATION_STATES),
  amountSource: fc.constantFrom(...AMOUNT_SOURCES),
  amountSen: fc.constantFrom(0, 100, 2 ** 24 - 1, 2 ** 24, LARGEST_SEN),
  dueDate: date,
  paymentDate: date,
  createdAt: fc.constantFrom(1, 2, 3),
});
type Columns = typeof columns extends fc.Arbitrary<infer T> ? T : never;

/** A change to the records or to the names of their owners, as any part of the program or another process may make it. */
export const recordChange = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('add' as const), columns }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('edit' as const),
      record: fc.nat(),
      columns: columns.chain((all) =>
        fc.subarray(Object.keys(all)).map((names): Partial<Columns> => {
          const kept = Object.entries(all).filter(([name]) => names.includes(name));
          return Object.fromEntries(kept);
        }),
      ),
    }),
  },
  fc.record({ kind: fc.constant('delete' as const), record: fc.nat() }),
  fc.record({ kind: fc.constant('rename' as const), owner: fc.nat(2), name: anyText() }),
);
export type RecordChange = typeof recordChange extends fc.Arbitrary<infer T> ? T : never;

/** @param owners three accounts */
export function applyChange(orm: TestDatabase['direct'], owners: readonly string[], change: RecordChange): void {
  const ownerOf = (index: number): string => owners[index] ?? '';
  if (change.kind === 'rename') {
    orm
      .update(users)
      .set({ name: change.name })
      .where(eq(users.id, ownerOf(change.owner)))
      .run();
    return;
  }
  if (change.kind === 'add') {
    const { owner, ...values } = change.columns;
    orm
      .insert(taxRecords)
      .values({ ...values, id: crypto.randomUUID(), userId: ownerOf(owner), taxType: 'PBB', updatedAt: 1 })
      .run();
    return;
  }
  const ids = orm.select({ id: taxRecords.id }).from(taxRecords).orderBy(taxRecords.id).all();
  const id = ids[change.record % Math.max(1, ids.length)]?.id ?? '';
  if (change.kind === 'delete') {
    orm.delete(taxRecords).where(eq(taxRecords.id, id)).run();
    return;
  }
  const { owner, ...values } = change.columns;
  const userId = owner === undefined ? {} : { userId: ownerOf(owner) };
  orm
    .update(taxRecords)
    .set({ ...values, ...userId, updatedAt: 2 })
    .where(eq(taxRecords.id, id))
    .run();
}

/** Adds records to further parts of what is kept, which else begin after 32,768 of them. */
export function addDistantRecords({ sqlite }: Pick<TestDatabase, 'sqlite'>, owners: readonly string[]): void {
  const add = sqlite.prepare(
    `insert into tax_records (rowid, id, user_id, name, address, tax_type, spt_number, year, amount_sen, status, created_at, updated_at)
      values (?, ?, ?, 'Santoso', 'Desa 12', 'PBB', '35.15', 2026, 100, 'lunas', 1, 1) on conflict do nothing`,
  );
  for (const [index, owner] of owners.entries()) add.run((index + 1) * 2 ** 15, `distant-${index}`, owner);
}

/** From now on each query takes long, as those over all records of a regency do, by the clock that decides what is kept in parts. */
export function makeQueriesSlow(): void {
  let passedMs = performance.now();
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (passedMs += 1000));
  onTestFinished(() => clock.mockRestore());
}
