import { BOOKS, bookOf } from '#shared/domain/dhkp/books.ts';
import type { StoredComputed, StoredFindings, StoredTypedControl } from '#server/db/dhkp-columns.ts';

/** Totals of the file and of the paper against the rows that count (R-DHKP-8). */

type Sum = { objects: number; sen: bigint };
const EMPTY: Sum = { objects: 0, sen: 0n };
const addSums = (sums: readonly Sum[]): Sum =>
  sums.reduce((total, { objects, sen }) => ({ objects: total.objects + objects, sen: total.sen + sen }), EMPTY);
const readSum = ({ objects, sen }: { objects: number; sen: string }): Sum => ({ objects, sen: BigInt(sen) });

/** Sums the rows that count. @param bookLimitsSen the largest amounts of books 1 to 4 */
export function createComputedSums(bookLimitsSen: readonly number[]) {
  const byBook = new Map<number | null, Sum>();
  const bySheet = new Map<string, Sum>();
  const addTo = <Key>(sums: Map<Key, Sum>, key: Key, amountSen: number): void => {
    sums.set(key, addSums([sums.get(key) ?? EMPTY, { objects: 1, sen: BigInt(amountSen) }]));
  };
  const stored = ({ objects, sen }: Sum) => ({ objects, sen: String(sen) });

  return {
    add(sheet: string, amountSen: number): void {
      addTo(byBook, bookOf(amountSen, bookLimitsSen), amountSen);
      addTo(bySheet, sheet, amountSen);
    },

    sums: (): StoredComputed => ({
      ...stored(addSums([...bySheet.values()])),
      books: [...BOOKS, null].flatMap((book) => {
        const sum = byBook.get(book);
        return sum ? [{ book, ...stored(sum) }] : [];
      }),
      sheets: [...bySheet].map(([sheet, { objects, sen }]) => ({ sheet, objects, sen: String(sen) })),
    }),
  };
}

export type ControlCheck = {
  /** Null without any total. */
  isEqual: boolean | null;
  /** Of the first total that differs, never negative; 0 where only a number of objects does. */
  differenceSen: bigint;
};

/** A total, null where it does not say one, beside what the rows make. */
type Compared = { objects: number | null; sen: bigint | null; computed: Sum };

const agrees = ({ objects, sen, computed }: Compared): boolean =>
  (objects === null || objects === computed.objects) && (sen === null || sen === computed.sen);

export function checkControl(
  totals: StoredFindings['totals'],
  typed: StoredTypedControl | null,
  computed: StoredComputed,
): ControlCheck {
  const compared = [...fileTotals(totals, computed), ...typedTotals(typed, computed)].filter(
    ({ objects, sen }) => objects !== null || sen !== null,
  );
  if (compared.length === 0) return { isEqual: null, differenceSen: 0n };
  const differences = compared.filter((total) => !agrees(total)).map(distanceOf);
  return { isEqual: differences.length === 0, differenceSen: differences.find((sen) => sen > 0n) ?? 0n };
}

function distanceOf({ sen, computed }: Compared): bigint {
  const difference = (sen ?? computed.sen) - computed.sen;
  return difference < 0n ? -difference : difference;
}

/**
 * The totals of the sheets together; a number of objects counts only where each of them has one. Only sheets with a total are
 * compared, but a single total may also be that of all sheets.
 */
function fileTotals(totals: StoredFindings['totals'], computed: StoredComputed): Compared[] {
  if (totals.length === 0) return [];
  const amounts = totals.flatMap(({ amountSen }) => amountSen ?? []);
  const objects = totals.flatMap((total) => total.objects ?? []);
  const total = {
    objects: objects.length === totals.length ? objects.reduce((sum, count) => sum + count, 0) : null,
    sen: amounts.length === totals.length ? amounts.reduce((sum, sen) => sum + BigInt(sen), 0n) : null,
  };
  const sheets = computed.sheets.filter(({ sheet }) => totals.some((one) => one.sheet === sheet));
  const ofSheets = { ...total, computed: addSums(sheets.map(readSum)) };
  const ofAll = { ...total, computed: readSum(computed) };
  return [totals.length === 1 && distanceOf(ofAll) < distanceOf(ofSheets) ? ofAll : ofSheets];
}

function typedTotals(typed: StoredTypedControl | null, computed: StoredComputed): Compared[] {
  if (!typed) return [];
  const toSen = (amountSen: number | null): bigint | null => (amountSen === null ? null : BigInt(amountSen));
  return [
    { objects: typed.objects, sen: toSen(typed.amountSen), computed: readSum(computed) },
    ...typed.books.map(({ book, objects, amountSen }) => {
      const sum = computed.books.find((one) => one.book === book);
      return { objects, sen: toSen(amountSen), computed: sum ? readSum(sum) : EMPTY };
    }),
  ];
}
