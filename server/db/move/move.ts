import { createDigest, type Digest } from './row-digest.ts';
import { movedTables, type MovedTable, type Row } from './moved-tables.ts';

/** Called after each page of a table, and once at its end. */
export type Report = (step: { table: string; rows: number; isDone: boolean }) => void;

/** Pages of a table, in the order of the numbers of its rows. */
export type ReadPages = (table: MovedTable) => AsyncIterable<Row[]>;

/** The rows read back from the target differ from those of the source. The message names the tables. */
export class UnequalMoveError extends Error {}

/** A value of SQLite is no whole number, and the column of PostgreSQL takes nothing else. */
export class UnfitValueError extends Error {
  readonly table: string;
  readonly column: string;
  readonly row: number;

  constructor(place: { table: string; column: string; row: number }, options?: ErrorOptions) {
    super(`${place.table}.${place.column}, row ${place.row}`, options);
    ({ table: this.table, column: this.column, row: this.row } = place);
  }
}

/** The connection was lost during the commit. The target may have the rows or not. */
export class UnknownEndError extends Error {}

export type Digests = ReadonlyMap<string, Digest>;

/** Copies one table after the other. @returns the digests of the source */
export async function copyTables(
  read: ReadPages,
  insert: (table: MovedTable, rows: Row[]) => Promise<unknown>,
  report: Report,
): Promise<Digests> {
  const digests = new Map<string, Digest>();
  for (const table of movedTables) {
    const digest = createDigest();
    let rows = 0;
    let inserted: Promise<unknown> = Promise.resolve();
    for await (const page of read(table)) {
      digest.add(page);
      await inserted;
      // The next page is read meanwhile.
      inserted = insert(table, page);
      inserted.catch(() => undefined);
      rows += page.length;
      report({ table: table.name, rows, isDone: false });
    }
    await inserted;
    report({ table: table.name, rows, isDone: true });
    digests.set(table.name, digest.end());
  }
  return digests;
}

/** @throws UnequalMoveError */
export async function requireEqual(digests: Digests, read: ReadPages): Promise<void> {
  const unequal: string[] = [];
  for (const table of movedTables) {
    const digest = createDigest();
    for await (const page of read(table)) digest.add(page);
    const [expected, found] = [digests.get(table.name), digest.end()];
    if (expected?.rows !== found.rows || expected.sha256 !== found.sha256) unequal.push(table.name);
  }
  if (unequal.length > 0) throw new UnequalMoveError(unequal.join(', '));
}
