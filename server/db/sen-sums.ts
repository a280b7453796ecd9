import { sql, type SQL } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';

/** A sum of sen in two halves. Neither half can overflow in SQLite or lose a digit in JavaScript. */
export type SenHalves = { high: number; low: number };

// An amount has 47 bits. SQLite's sum() fails beyond 2^63, which is about 92,000 of the largest amounts, and a double is
// exact only to 2^53. Halves of 24 bits stay below both limits for more than 500 million rows.
const LOW_BITS = 24;
const LOW_MASK = 2 ** LOW_BITS - 1;

/** The columns to select for an exact sum of sen, over all rows or only those where `only` is true. */
export function senSum(amountSen: SQLiteColumn, only?: SQL): { high: SQL<number>; low: SQL<number> } {
  const filter = only ? sql` filter (where ${only})` : sql``;
  return {
    high: sql<number>`coalesce(sum(${amountSen} >> ${sql.raw(String(LOW_BITS))})${filter}, 0)`,
    low: sql<number>`coalesce(sum(${amountSen} & ${sql.raw(String(LOW_MASK))})${filter}, 0)`,
  };
}

/** The halves of one amount. */
export function halvesOf(amountSen: number): SenHalves {
  const high = Math.floor(amountSen / 2 ** LOW_BITS);
  return { high, low: amountSen - high * 2 ** LOW_BITS };
}

/** @returns the exact sum in sen */
export function joinSen({ high, low }: SenHalves): bigint {
  return (BigInt(high) << BigInt(LOW_BITS)) + BigInt(low);
}

/** A sum of sen in rupiah: exact where a JSON number can represent it, otherwise the nearest number. */
export function senSumToRupiah(sen: bigint): number {
  return Number(`${sen / 100n}.${String(sen % 100n).padStart(2, '0')}`);
}
