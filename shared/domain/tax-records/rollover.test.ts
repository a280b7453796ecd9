import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { YEAR_MAX, YEAR_MIN } from '#shared/limits.ts';
import { type RolloverSource, planRollover } from './rollover.ts';
import { increaseTenPercentSen } from '../money/rupiah.ts';
import {
  COPIED_FIELDS,
  type CopiedField,
  type KindOf,
  mapColumns,
  type StoredColumns,
  TAX_RECORD_FIELDS,
  taxRecordFields,
} from './tax-record-fields.ts';

const NONE: ReadonlySet<string> = new Set();
const LIMIT_SEN = 99_999_999_999_900;

const sampleValues = {
  text: 'Budi Santoso',
  longText: 'Rumah induk',
  taxType: 'PBB',
  propertyType: 'rumah_tinggal',
  year: 2024,
  rupiah: 150_000_000,
  status: 'belum_lunas',
  date: '2024-09-30',
} as const satisfies Record<KindOf<CopiedField>, unknown>;
const sampleColumns: StoredColumns<CopiedField> = mapColumns(
  COPIED_FIELDS,
  (field) => sampleValues[taxRecordFields[field].kind],
);

function buildSource(fields: Partial<RolloverSource> = {}): RolloverSource {
  return {
    ...sampleColumns,
    id: 'r1',
    address: 'Jl. Melati 1',
    sptNumber: '32.01.001',
    createdAtMs: 1000,
    ...fields,
  };
}

const anySource = fc.record({
  name: fc.constantFrom('Budi', 'Siti'),
  address: fc.constantFrom('Jl. Melati 1', 'Jl. Mawar 2'),
  taxType: fc.constant('PBB'),
  propertyType: fc.constantFrom(null, 'toko'),
  sptNumber: fc.constantFrom('A', ' A', 'A ', 'B', 'C', 'D', 'a'),
  year: fc.constantFrom(2024, 2024, 2024, 2023, 2025),
  amountSen: fc.oneof(fc.nat({ max: 1_000_000_000 }), fc.integer({ min: LIMIT_SEN - 100_000, max: LIMIT_SEN })),
  description: fc.constantFrom(null, 'Catatan'),
  status: fc.constantFrom('lunas', 'belum_lunas', 'proses'),
  dueDate: fc.constantFrom(null, '2024-02-29', '2024-12-31', '9999-12-31'),
  createdAtMs: fc.nat({ max: 5 }),
});
const anySources = fc
  .array(anySource, { maxLength: 15 })
  .map((rows) => rows.map((row, index) => buildSource({ ...row, id: `r${index}` })));
const anyTaken = fc.subarray(['A', ' B ', 'C', 'E']).map((list): ReadonlySet<string> => new Set(list));

describe('planRollover', () => {
  it('allows the years 2020 to 2030', () => {
    expect([YEAR_MIN, YEAR_MAX]).toEqual([2020, 2030]);
  });

  it('copies a record with 10 % more and a due date one year later', () => {
    expect(planRollover([buildSource()], NONE, 2025)).toEqual({
      copies: [
        {
          ...sampleColumns,
          sourceId: 'r1',
          name: 'Budi Santoso',
          address: 'Jl. Melati 1',
          taxType: 'PBB',
          propertyType: 'rumah_tinggal',
          sptNumber: '32.01.001',
          year: 2025,
          amountSen: 165_000_000,
          description: 'Rumah induk',
          status: 'belum_lunas',
          dueDate: '2025-09-30',
        },
      ],
      outstandingCount: 1,
      newYearCount: 0,
      rolledSourceIds: ['r1'],
    });
  });

  it('copies each field with `inCopy` and no other column', () => {
    const otherColumns = TAX_RECORD_FIELDS.filter((field) => !taxRecordFields[field].inCopy).map((field) => [
      taxRecordFields[field].column,
      `value of ${field}`,
    ]);
    expect(otherColumns).not.toEqual([]);
    const source = { ...buildSource(sampleColumns), ...Object.fromEntries(otherColumns) };
    // A copy has its own value in these columns.
    const changed = { year: 2025, amountSen: 165_000_000, status: 'belum_lunas', dueDate: '2025-09-30' };
    expect(planRollover([source], NONE, 2025).copies).toEqual([{ ...sampleColumns, ...changed, sourceId: 'r1' }]);
  });

  it.each([
    ['2024-02-29', '2025-02-28'],
    ['2024-12-31', '2025-12-31'],
    [null, null],
    ['9999-12-31', null],
  ])('moves a due date of %s to %s', (dueDate, moved) => {
    expect(planRollover([buildSource({ dueDate })], NONE, 2025).copies[0]?.dueDate).toBe(moved);
  });

  it('counts copies by the status of their source', () => {
    const sources = (['lunas', 'belum_lunas', 'proses', 'lunas', 'proses'] as const).map((status, index) =>
      buildSource({ id: `r${index}`, sptNumber: `${index}`, status }),
    );
    expect(planRollover(sources, NONE, 2025)).toMatchObject({ outstandingCount: 3, newYearCount: 2 });
  });

  it('copies the latest record of an SPT number and marks the older ones as rolled over', () => {
    const sources = [
      buildSource({ id: 'r3', createdAtMs: 2000, amountSen: 300_00, status: 'lunas' }),
      buildSource({ id: 'r2', createdAtMs: 2000, amountSen: 200_00, sptNumber: ' 32.01.001 ' }),
      buildSource({ id: 'r9', createdAtMs: 1000, amountSen: 100_00 }),
    ];
    const plan = planRollover(sources, NONE, 2025);
    expect(plan.copies.map((copy) => [copy.sourceId, copy.amountSen])).toEqual([['r3', 330_00]]);
    expect(plan).toMatchObject({ outstandingCount: 0, newYearCount: 1, rolledSourceIds: ['r9', 'r2', 'r3'] });
  });

  it('makes no copy of a taken SPT number, of another year, or over the amount limit', () => {
    const sources = [
      buildSource({ id: 'taken', sptNumber: 'A ' }),
      buildSource({ id: 'older', sptNumber: 'B', year: 2023 }),
      buildSource({ id: 'over', sptNumber: 'C', amountSen: 90_909_090_909_900, createdAtMs: 2000 }),
      buildSource({ id: 'over-twin', sptNumber: 'C' }),
    ];
    expect(planRollover(sources, new Set([' A']), 2025)).toEqual({
      copies: [],
      outstandingCount: 0,
      newYearCount: 0,
      rolledSourceIds: [],
    });
  });

  it('makes a copy whose amount is exactly the limit', () => {
    const [copy] = planRollover([buildSource({ amountSen: 90_909_090_909_000 })], NONE, 2025).copies;
    expect(copy?.amountSen).toBe(LIMIT_SEN);
  });

  it('plans no copy once all copies exist', () => {
    fc.assert(
      fc.property(anySources, anyTaken, (sources, taken) => {
        const plan = planRollover(sources, taken, 2025);
        const nowTaken = new Set([...taken, ...plan.copies.map((copy) => copy.sptNumber)]);
        expect(planRollover(sources, nowTaken, 2025).copies).toEqual([]);
        // The same holds after the copies were deleted, if the sources that were rolled over are left out.
        const rolled = new Set(plan.rolledSourceIds);
        const rest = sources.filter((source) => !rolled.has(source.id));
        expect(planRollover(rest, taken, 2025).copies).toEqual([]);
      }),
    );
  });

  it('returns the same plan for any order of the sources and changes none of them', () => {
    const shuffled = anySources.chain((sources) =>
      fc.tuple(
        fc.constant(sources),
        fc.shuffledSubarray(sources, { minLength: sources.length, maxLength: sources.length }),
      ),
    );
    fc.assert(
      fc.property(shuffled, anyTaken, ([sources, other], taken) => {
        const before = structuredClone(sources);
        expect(planRollover(other, taken, 2025)).toEqual(planRollover(sources, taken, 2025));
        expect(sources).toEqual(before);
      }),
    );
  });

  it('makes one copy of the latest record for each SPT number that is not taken', () => {
    fc.assert(
      fc.property(anySources, anyTaken, (sources, taken) => {
        const plan = planRollover(sources, taken, 2025);
        const takenTrimmed = new Set([...taken].map((sptNumber) => sptNumber.trim()));
        const free = sources.filter((source) => source.year === 2024 && !takenTrimmed.has(source.sptNumber.trim()));
        const expected = free.filter((source) => {
          const twins = free.filter((twin) => twin.sptNumber.trim() === source.sptNumber.trim());
          const isLatest = twins.every(
            (twin) =>
              twin.createdAtMs < source.createdAtMs ||
              (twin.createdAtMs === source.createdAtMs && twin.id <= source.id),
          );
          return isLatest && increaseTenPercentSen(source.amountSen) <= LIMIT_SEN;
        });
        const sourceIds = plan.copies.map((copy) => copy.sourceId);
        expect(new Set(sourceIds)).toEqual(new Set(expected.map((source) => source.id)));
        expect(sourceIds).toHaveLength(expected.length);
        expect(plan.outstandingCount + plan.newYearCount).toBe(plan.copies.length);
        expect(plan.outstandingCount).toBe(expected.filter((source) => source.status !== 'lunas').length);
        const made = new Set(plan.copies.map((copy) => copy.sptNumber));
        const twinIds = free.filter((source) => made.has(source.sptNumber.trim())).map((source) => source.id);
        expect(new Set(plan.rolledSourceIds)).toEqual(new Set(twinIds));
        expect(plan.rolledSourceIds).toHaveLength(twinIds.length);
      }),
    );
  });
});
