import { cleanup } from '@testing-library/react';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { ALL_CHECKED, checkedText, isAllChecked, paidNote } from '#client/lib/sum-texts.ts';
import { renderPage } from '#client/testing/render.tsx';
import type { CheckedSums } from '#shared/api/tax-records/record-sums.ts';
import { CHECKED_PARTS, mapCheckedParts } from '#shared/domain/tax-records/checked-sums.ts';
import { CheckedLine } from './checked-line.tsx';

const part = fc.record({ count: fc.nat({ max: 9 }), amount: fc.oneof(fc.constant(0), fc.nat({ max: 999_999_999 })) });
const parts: fc.Arbitrary<CheckedSums> = fc
  .tuple(part, part, part, part, part)
  .map((sums) => mapCheckedParts((name) => sums[CHECKED_PARTS.indexOf(name)] ?? { count: 0, amount: 0 }));

/** The amounts of a text, in rupiah. */
const amountsIn = (text: string): number[] =>
  [...text.matchAll(/Rp\s([\d.]+)/g)].map(([, digits = '']) => Number(digits.replaceAll('.', '')));
const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);
const spaced = (text: string | null): string => (text ?? '').replaceAll(/\s/g, ' ');

it('says parts that add up to the sum, on screens as in files, in 500 random sums', () => {
  fc.assert(
    fc.property(parts, (checked) => {
      const amount = sum(Object.values(checked).map((each) => each.amount));
      const { container } = renderPage(<CheckedLine checked={checked} where={{}} />);
      const line = container.querySelector('span')?.closest('div')?.textContent ?? '';
      const text = checkedText(checked);
      expect(spaced(line)).toContain(spaced(text));
      if (amount > 0 && isAllChecked(checked)) expect(text).toBe(ALL_CHECKED);
      else expect(sum(amountsIn(text))).toBe(amount);
      const [total = 0, ...ofNote] = amountsIn(paidNote(checked) ?? '');
      if (paidNote(checked) !== null) expect(total).toBe(amount);
      expect(ofNote).toEqual(amountsIn(text));
      expect(container.querySelectorAll('a')).toHaveLength(text === ALL_CHECKED ? 0 : amountsIn(text).length);
      cleanup();
    }),
    { numRuns: 500 },
  );
});
