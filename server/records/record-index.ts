import type { Connection, Write } from '../db/engine.ts';
import { findReplaced, removeReplaced } from './record-index-queries.ts';

/** Resolves when the texts of records that were replaced or deleted before the call are gone from the search index. */
export async function forgetReplaced({ orm, write }: { orm: Connection; write: Write }): Promise<void> {
  let last = (await findReplaced(orm, 0)) === null ? null : 0;
  while (last !== null) {
    const after = last;
    last = await write((tx) => removeReplaced(tx, after));
  }
}
