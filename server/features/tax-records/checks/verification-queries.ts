import { and, asc, desc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { VerificationsQuery } from '#shared/api/tax-records/verification.ts';
import { VERIFICATION_STATES } from '#shared/domain/tax-records/verification-states.ts';
import { ascending, descending } from '#server/db/dialect.ts';
import { type Connection, type ConnectionOrTransaction, readSnapshot } from '#server/db/engine.ts';
import { taxRecords } from '#server/db/schema.ts';
import { exceptDeletedOwners } from '#server/accounts/deleted-account-queries.ts';
import { isPaid, joinSum, keptSums, type RecordSum } from '#server/records/record-sum-queries.ts';
import { type LimitOffset, listByIds, type RecordSlice } from '../lists/list-queries.ts';

const { id, reportedAt, checkedAt, checkState } = taxRecords;

export type VerificationState = NonNullable<VerificationsQuery['state']>;
/** `unpaid`: those that are not `lunas`. */
type StateSums = { state: string; all: RecordSum; unpaid: RecordSum };
export type SummedVerifications = Pick<RecordSlice, 'rows'> & { sums: StateSums[] };

/** A page of the records in one state: reports in the order in which they came, checks newest first. With the sums of all states. */
export async function readVerifications(
  orm: Connection,
  { state, limit, offset }: LimitOffset & { state: VerificationState },
): Promise<SummedVerifications> {
  // One snapshot, so that the sums agree with the rows.
  return readSnapshot(orm, async (tx) => {
    const counted = await exceptDeletedOwners(tx);
    const order = state === 'pending' ? [ascending(reportedAt), asc(id)] : [descending(checkedAt), desc(id)];
    const ids = await tx
      .select({ id })
      .from(taxRecords)
      .where(and(counted, eq(checkState, state)))
      .orderBy(...order)
      .limit(limit)
      .offset(offset)
      .all();
    return {
      rows: await listByIds(
        tx,
        ids.map((row) => row.id),
      ),
      sums: await sumStates(tx, counted),
    };
  });
}

const STATES = VERIFICATION_STATES.filter((state) => state !== 'none');

/** Only states that occur. */
async function sumStates(orm: ConnectionOrTransaction, counted: SQL | undefined): Promise<StateSums[]> {
  const { from, columns } = keptSums(counted);
  return (
    await orm
      .select({ state: checkState, all: columns(), unpaid: columns(sql`not ${isPaid}`) })
      .from(from)
      .where(and(counted, inArray(checkState, STATES)))
      .groupBy(checkState)
      .all()
  ).map(({ state, all, unpaid }) => ({ state, all: joinSum(all), unpaid: joinSum(unpaid) }));
}
