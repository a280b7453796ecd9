import { and, type AnyColumn, asc, eq, type SQL, sql } from 'drizzle-orm';
import { NOP_LENGTH } from '#shared/domain/dhkp/nop.ts';
import { stopIfAbandoned } from '#server/db/abandoned-query.ts';
import { byIndex, isTrue, rowNumber, textsIn } from '#server/db/dialect.ts';
import type { ConnectionOrTransaction } from '#server/db/engine.ts';
import { assessments, objects, taxRecords, users } from '#server/db/schema.ts';

/** Texts that are compared to propose owners. Some are those of all records, so they are read in the query worker. */

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

type AccountName = { id: string; name: string };
export type RecordName = { id: string; userId: string; name: string; address: string; sptNumber: string; year: number };

/** Which names and numbers may be those of unlinked objects. */
export type Wanted = { isName: (name: string) => boolean; isNumber: (sptNumber: string) => boolean };

/** Active accounts that have a wanted name or number, or a record that has, with all their records. Only they can become owners. */
export async function listPossibleOwners(
  orm: ConnectionOrTransaction,
  { isName, isNumber }: Wanted,
): Promise<{ users: AccountName[]; records: RecordName[] }> {
  const ids = new Set<string>();
  const isActive = and(eq(users.isAdmin, false), eq(users.isActive, true));
  // Many bear the same name, and each name is compared once.
  const accountNames = await orm.selectDistinct({ name: users.name }).from(users).where(eq(users.isAdmin, false)).all();
  for (const names of inParts(accountNames.map(({ name }) => name).filter(isName)))
    for (const { id } of await orm
      .select({ id: users.id })
      .from(users)
      .where(and(isActive, isAmong(users.name, names)))
      .all())
      ids.add(id);
  const recordNames = await orm.selectDistinct({ name: taxRecords.name }).from(taxRecords).all();
  const ownerOf = { id: taxRecords.userId };
  for (const names of inParts(recordNames.map(({ name }) => name).filter(isName)))
    for (const { id } of await orm
      .selectDistinct(ownerOf)
      .from(taxRecords)
      .where(isAmong(taxRecords.name, names))
      .all())
      ids.add(id);
  for await (const [id, sptNumber] of readNumbers(orm)) if (isNumber(sptNumber)) ids.add(id);
  return listOwners(orm, ids, isActive);
}

async function listOwners(orm: ConnectionOrTransaction, ids: ReadonlySet<string>, isActive: SQL | undefined) {
  const found: AccountName[] = [];
  const records: RecordName[] = [];
  const { id, userId, name, address, sptNumber, year } = taxRecords;
  for (const part of inParts([...ids].toSorted())) {
    const account = { id: users.id, name: users.name };
    found.push(
      ...(await orm
        .select(account)
        .from(users)
        .where(and(isActive, isAmong(users.id, part)))
        .orderBy(asc(users.id))
        .all()),
    );
    records.push(
      ...(await orm
        .select({ id, userId, name, address, sptNumber, year })
        .from(taxRecords)
        .where(isAmong(userId, part))
        .all()),
    );
  }
  return { users: found, records };
}

const isAmong = (column: AnyColumn, texts: readonly string[]): SQL =>
  sql`${column} in ${textsIn(JSON.stringify(texts))}`;

/** One query asks for so many. A caller who hung up ends the next one. */
const ASKED_AT_ONCE = 1000;
const NUMBERS_AT_ONCE = 20_000;

function* inParts(texts: readonly string[]): Generator<string[]> {
  for (let from = 0; from < texts.length; from += ASKED_AT_ONCE) {
    stopIfAbandoned();
    yield texts.slice(from, from + ASKED_AT_ONCE);
  }
}

/** The owners and numbers of all records whose number is long enough for a NOP. */
async function* readNumbers(orm: ConnectionOrTransaction): AsyncGenerator<[userId: string, sptNumber: string]> {
  const { userId, sptNumber } = taxRecords;
  const rowid = rowNumber(taxRecords);
  for (let after: number | undefined = 0; after !== undefined;) {
    stopIfAbandoned();
    const rows: [number, string, string][] = await orm.tuples<[number, string, string]>(
      sql`select ${rowid}, ${userId}, ${sptNumber} from ${taxRecords}
        where ${rowid} > ${after} and length(${sptNumber}) >= ${NOP_LENGTH} order by ${rowid} limit ${NUMBERS_AT_ONCE}`,
    );
    for (const [, owner, number] of rows) yield [owner, number];
    after = rows.at(-1)?.[0];
  }
}
