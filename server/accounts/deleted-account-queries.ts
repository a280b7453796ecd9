import { notInArray, type SQL } from 'drizzle-orm';
import type { ConnectionOrTransaction } from '../db/engine.ts';
import { accountDeletions, taxRecords } from '../db/schema.ts';

/**
 * Leaves out the records of accounts whose deletion still runs (R-USER-7). Needed by queries over the records of all
 * owners that do not read the owner. Nearly always no deletion runs, and then the query and its plan stay as they are.
 * @param orm the snapshot of the query itself
 */
export async function exceptDeletedOwners(orm: ConnectionOrTransaction): Promise<SQL | undefined> {
  const rows = await orm.select({ id: accountDeletions.userId }).from(accountDeletions).all();
  return rows.length === 0
    ? undefined
    : notInArray(
        taxRecords.userId,
        rows.map(({ id }) => id),
      );
}
