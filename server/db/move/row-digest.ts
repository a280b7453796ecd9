import { createHash } from 'node:crypto';
import type { Row, Value } from './moved-tables.ts';

/** Both sides of a move must agree on it for each table. */
export type Digest = { rows: number; sha256: string };

/** The same text for the same value on both engines. The length before a text keeps two texts apart. */
function textOf(value: Value): string {
  if (value === null) return '-';
  return typeof value === 'number' ? `${value};` : `${value.length}:${value}`;
}

/** Counts rows and makes a checksum of them, in the order in which they come. */
export function createDigest(): { add: (rows: readonly Row[]) => void; end: () => Digest } {
  const hash = createHash('sha256');
  let count = 0;
  return {
    add(rows) {
      count += rows.length;
      let text = '';
      for (const row of rows) {
        for (const value of row) text += textOf(value);
        text += '\n';
      }
      hash.update(text);
    },
    end: () => ({ rows: count, sha256: hash.digest('hex') }),
  };
}
