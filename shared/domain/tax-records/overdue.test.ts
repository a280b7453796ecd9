import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isOverdue } from './overdue.ts';
import { addDays } from '../dates/dates.ts';

const TODAY = '2025-06-15';

describe('isOverdue', () => {
  it.each([
    ['belum_lunas', '2025-06-14', 2025, true],
    ['belum_lunas', '2025-06-15', 2025, false],
    ['belum_lunas', '2025-06-16', 2025, false],
    ['proses', '2024-12-31', 2025, true],
    ['lunas', '2024-12-31', 2024, false],
    ['lunas', null, 2020, false],
    ['belum_lunas', null, 2024, true],
    ['proses', null, 2025, false],
    ['belum_lunas', null, 2026, false],
    // With a due date, the year has no influence.
    ['belum_lunas', '2025-12-31', 2024, false],
    ['belum_lunas', '2025-01-31', 2026, true],
  ])('with status %s, due date %s and year %d returns %s', (status, dueDate, year, outstanding) => {
    expect(isOverdue({ status, dueDate, year }, TODAY)).toBe(outstanding);
  });

  it('agrees with a rule that counts days', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('lunas', 'belum_lunas', 'proses'),
        fc.option(fc.integer({ min: -1000, max: 1000 })),
        fc.integer({ min: 2020, max: 2030 }),
        (status, daysLeft, year) => {
          const dueDate = daysLeft === null ? null : addDays(TODAY, daysLeft);
          const late = daysLeft === null ? year - 2025 <= -1 : daysLeft <= -1;
          expect(isOverdue({ status, dueDate, year }, TODAY)).toBe(status !== 'lunas' && late);
        },
      ),
    );
  });

  it('keeps a record overdue until it is paid', () => {
    fc.assert(
      fc.property(fc.nat({ max: 5000 }), fc.nat({ max: 5000 }), (dueIn, later) => {
        const record = { status: 'belum_lunas', dueDate: addDays(TODAY, dueIn), year: 2025 };
        const [today, then] = [addDays(TODAY, 2500), addDays(TODAY, 2500 + later)];
        if (isOverdue(record, today)) expect(isOverdue(record, then)).toBe(true);
        expect(isOverdue({ ...record, status: 'lunas' }, then)).toBe(false);
      }),
    );
  });
});
