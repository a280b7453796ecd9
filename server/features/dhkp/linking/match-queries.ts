import { and, asc, eq, sql } from 'drizzle-orm';
import { byIndex, isTrue, rowNumber } from '#server/db/dialect.ts';
import type { ConnectionOrTransaction } from '#server/db/engine.ts';
import { assessments, objects, taxRecords, users } from '#server/db/schema.ts';

/** Texts that are compared to propose owners. They read whole tables, so they run in the query worker. */

export type UnlinkedObject = {
  rowid: number;
  nop: string;
  name: string | null;
  addresses: readonly (string | null)[];
};

/** The listed assessments of a year whose object has no account. */
export async function listUnlinked(orm: ConnectionOrTransaction, year: number): Promise<UnlinkedObject[]> {
  const { nop, name, objectAddress, payerAddress, isListed } = assessments;
  const rows = await orm.tuples<[number, string, string | null, string | null, string | null]>(
    sql`select ${rowNumber(assessments)}, ${nop}, ${name}, ${objectAddress}, ${payerAddress}
      from ${byIndex(assessments, 'assessments_list')} where ${assessments.year} = ${year} and ${isTrue(isListed)}
      and ${nop} not in (select ${objects.nop} from ${objects} where ${objects.userId} is not null)`,
  );
  return rows.map(([rowid, digits, text, ...addresses]) => ({ rowid, nop: digits, name: text, addresses }));
}

/** Only they can become owners. */
export async function listActiveUsers(orm: ConnectionOrTransaction): Promise<{ id: string; name: string }[]> {
  return orm
    .select({ id: users.id, name: users.name })
    .from(users)
    .where(and(eq(users.isAdmin, false), eq(users.isActive, true)))
    .orderBy(asc(users.id))
    .all();
}

export type RecordName = { id: string; userId: string; name: string; address: string; sptNumber: string; year: number };

export async function listRecordNames(orm: ConnectionOrTransaction): Promise<RecordName[]> {
  const { id, userId, name, address, sptNumber, year } = taxRecords;
  const rows = await orm.tuples<[string, string, string, string, string, number]>(
    sql`select ${id}, ${userId}, ${name}, ${address}, ${sptNumber}, ${year} from ${taxRecords}`,
  );
  return rows.map(([recordId, owner, text, place, number, ofYear]) => ({
    id: recordId,
    userId: owner,
    name: text,
    address: place,
    sptNumber: number,
    year: ofYear,
  }));
}
