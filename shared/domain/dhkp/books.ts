/** The books of a list: ranges of the assessment, by limits that an office may change. */

export const BOOKS = [1, 2, 3, 4, 5] as const;
export type Book = (typeof BOOKS)[number];

/** The largest amounts of books 1 to 4 in rupiah; what is above the last one is in book 5. */
export const BOOK_LIMITS_DEFAULT: readonly number[] = [100_000, 500_000, 2_000_000, 5_000_000];

/** @returns the book of an amount; null for 0, which is not issued. Both in the same unit. */
export function bookOf(amount: number, limits: readonly number[]): Book | null {
  if (amount === 0) return null;
  return BOOKS.find((book) => amount <= (limits[book - 1] ?? Infinity)) ?? null;
}

/** The amounts of a book, `above` without and `upTo` with the limit; null: no limit. In the unit of the limits. */
export function amountsOfBook(book: Book, limits: readonly number[]): { above: number; upTo: number | null } {
  return { above: limits[book - 2] ?? 0, upTo: limits[book - 1] ?? null };
}
