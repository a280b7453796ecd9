import { and, asc, count, desc, eq, isNotNull, type SQL, sql } from 'drizzle-orm';
import type { VerificationsQuery } from '#shared/api/verification.ts';
import { type Connection, type ConnectionOrTransaction, readSnapshot } from '#server/db/open.ts';
import { taxRecords } from '#server/db/schema.ts';
import { joinSen, senSum } from '#server/db/sen-sums.ts';
import { exceptDeletedOwners } from '#server/deleted-account-queries.ts';
import { EMPTY_SUM, type RecordSum } from '#server/record-sum-queries.ts';
import { type LimitOffset, listByIds, type RecordSlice } from '../list-queries.ts';

const { id, amountSen, reportedAt, checkedAt, checkResult, changedSinceCheck } = taxRecords;

/** The rule of `isPending` in server/record-cards/verification-state.ts in SQL; a test compares all states. */
const isPendingReport = sql`${reportedAt} is not null and (${checkedAt} is null or ${reportedAt} > ${checkedAt})`;
const isAnswered = sql`(${reportedAt} is null or ${reportedAt} <= ${checkedAt})`;

export type VerificationState = NonNullable<VerificationsQuery['state']>;

/** A page of the records in one state, with their number: reports in the order in which they came, checks newest first. */
export function readVerifications(
  orm: Connection,
  { state, limit, offset }: LimitOffset & { state: VerificationState },
): RecordSlice {
  // One snapshot, so that the number agrees with the rows.
  return readSnapshot(orm, (tx) => {
    const where = and(exceptDeletedOwners(tx), isInState(state));
    const order = state === 'pending' ? [asc(reportedAt), asc(id)] : [desc(checkedAt), desc(id)];
    const ids = tx
      .select({ id })
      .from(taxRecords)
      .where(where)
      .orderBy(...order)
      .limit(limit)
      .offset(offset)
      .all();
    return {
      rows: listByIds(
        tx,
        ids.map((row) => row.id),
      ),
      total: countRecords(tx, where),
    };
  });
}

/**
 * What waits for a check.
 * @param counted `exceptDeletedOwners` of the same snapshot
 */
export function sumPendingReports(orm: ConnectionOrTransaction, counted: SQL | undefined): RecordSum {
  const row = orm
    .select({ count: count(), sum: senSum(amountSen) })
    .from(taxRecords)
    .where(and(counted, isPendingReport))
    .get();
  return row ? { count: row.count, sen: joinSen(row.sum) } : EMPTY_SUM;
}

function isInState(state: VerificationState): SQL | undefined {
  if (state === 'pending') return isPendingReport;
  const isChecked = and(isNotNull(checkedAt), isAnswered);
  return state === 'outdated'
    ? and(isChecked, eq(changedSinceCheck, true))
    : and(isChecked, eq(changedSinceCheck, false), eq(checkResult, state));
}

function countRecords(orm: ConnectionOrTransaction, where: SQL | undefined): number {
  return orm.select({ total: count() }).from(taxRecords).where(where).get()?.total ?? 0;
}
