import type { ClientBase } from 'pg';
import type { Resources } from '#server/files/resources.ts';
import { readJournal } from '../migrations/journal.ts';
import { clientConfig } from '../postgres/connect.ts';
import { describeAddress, type PostgresAddress } from '../postgres/address.ts';
import { markArriving, requireNotLeft, requireSettledOffice } from '../postgres/moved-office.ts';
import { WRITE_LOCK } from '../postgres/engine.ts';
import { findLastAppliedAt, migratePostgres } from '../postgres/migrate.ts';
import { addressLine, connectPrimary, requireEncoding, unreachableError } from '../postgres/open-address.ts';
import { UnfitValueError } from './move.ts';
import { columnList, lastNumber, movedTables, type MovedTable, quote, type Row, type Value } from './moved-tables.ts';

/** The database of PostgreSQL from which or into which an office moves, over one connection. */

const PAGE_ROWS = 5000;
/** Servers are called 'pbb-kita', so that a move and a server see each other. */
const APPLICATION_NAME = 'pbb-kita pindah';

/** The end of the office's connections. */
type Connected = { client: ClientBase; end: () => Promise<void> };

/**
 * Connects to the host that takes writes, and keeps the lock of changes until the end of the connection.
 * @throws DatabaseAddressError while a server or another move is connected
 */
export async function connectForMove(address: PostgresAddress): Promise<Connected> {
  for (const host of address.hosts) {
    const client = await connectPrimary({ ...clientConfig(address, host), application_name: APPLICATION_NAME });
    if (!client) continue;
    const end = async (): Promise<void> => client.end().catch(() => undefined);
    try {
      await requireAlone(client, address);
      const { rows } = await client.query<{ locked: number }>('select pg_try_advisory_lock($1) as locked', [
        WRITE_LOCK,
      ]);
      if (rows[0]?.locked !== 1) throw busyError(address);
      return { client, end };
    } catch (error) {
      await end();
      throw error;
    }
  }
  throw unreachableError(address);
}

const busyError = (address: PostgresAddress): Error =>
  addressLine(`server PBB Kita masih tersambung ke ${describeAddress(address)}`, 'semua server dihentikan dulu');

/** @throws DatabaseAddressError while a server or another move is connected */
export async function requireAlone(client: ClientBase, address: PostgresAddress): Promise<void> {
  const { rows } = await client.query<{ others: number }>(
    `select count(*) as others from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and application_name like 'pbb-kita%'`,
  );
  if (rows[0]?.others !== 0) throw busyError(address);
}

/** Its rows are there from the beginning. */
const FILLED_FROM_THE_BEGINNING = new Set(['record_version']);

/**
 * Brings an empty database to the version of this program, and keeps it from use until the move has ended.
 * @param date of the move in the time zone of the office
 * @throws DatabaseAddressError when it is not empty, or has another encoding
 */
export async function prepareTarget(
  client: ClientBase,
  address: PostgresAddress,
  resources: Resources,
  date: string,
): Promise<void> {
  await requireEncoding(client, address);
  await requireNotLeft(client);
  await migratePostgres(client, resources, 0);
  for (const { name } of movedTables) {
    if (FILLED_FROM_THE_BEGINNING.has(name)) continue;
    const { rows } = await client.query(`select 1 from ${quote(name)} limit 1`);
    if (rows.length > 0) throw addressLine(`di ${describeAddress(address)} sudah ada data kantor`, 'database kosong');
  }
  await markArriving(client, date);
}

/** @throws DatabaseAddressError when the database has no office of the version of this program */
export async function requireSource(client: ClientBase, address: PostgresAddress, resources: Resources): Promise<void> {
  await requireSettledOffice(client);
  const at = describeAddress(address);
  const appliedAt = await findLastAppliedAt(client);
  const newestAt = readJournal(resources).at(-1)?.when ?? 0;
  if (appliedAt === 0) throw addressLine(`di ${at} tidak ada kantor`, 'database PBB Kita');
  if (appliedAt > newestAt)
    throw addressLine(`database di ${at} dari program yang lebih baru`, 'versi program yang sama');
  if (appliedAt < newestAt)
    throw addressLine(
      `database di ${at} dari program yang lebih lama`,
      'server dijalankan sekali dengan program ini, lalu dihentikan',
    );
}

/** An index or a reference, and the statements that take it away and make it again. */
type Part = { drop: string; make: string };

async function listParts(client: ClientBase): Promise<Part[]> {
  const references = await client.query<Part>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
        format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as make
      from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace order by oid`,
  );
  const indexes = await client.query<Part>(
    `select format('drop index %s', indexrelid::regclass) as drop, pg_get_indexdef(indexrelid) as make
      from pg_index join pg_class on pg_class.oid = indexrelid
      where relnamespace = 'public'::regnamespace
        and not exists (select 1 from pg_constraint where conindid = indexrelid) order by indexrelid`,
  );
  // Those with an index of a constraint stay: they give the order of the rows.
  return [...indexes.rows, ...references.rows];
}

async function runAll(client: ClientBase, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await client.query(statement);
}

const setTriggers = (state: 'enable' | 'disable'): string[] =>
  movedTables.map(({ name }) => `alter table ${quote(name)} ${state} trigger user`);

/** In a transaction: fills the tables without indexes, references and triggers, which takes a fraction of the time. */
export async function withoutParts<T>(client: ClientBase, fill: () => Promise<T>): Promise<T> {
  // Whole indexes are sorted in memory.
  await client.query("set local maintenance_work_mem = '256MB'");
  const parts = await listParts(client);
  const references = parts.toReversed();
  await runAll(client, [...references.map(({ drop }) => drop), ...setTriggers('disable')]);
  await runAll(
    client,
    [...FILLED_FROM_THE_BEGINNING].map((name) => `delete from ${quote(name)}`),
  );
  const filled = await fill();
  await runAll(client, [...parts.map(({ make }) => make), ...setTriggers('enable')]);
  return filled;
}

/** A list of values as PostgreSQL reads it from one parameter. */
const listText = (values: readonly Value[]): string =>
  `{${values
    .map((value) => {
      if (value === null) return 'null';
      return typeof value === 'number' ? String(value) : `"${value.replaceAll(/[\\"]/g, String.raw`\$&`)}"`;
    })
    .join(',')}}`;

/** Inserts many rows with one parameter for each column. @throws UnfitValueError */
export async function insertRows(client: ClientBase, table: MovedTable, rows: readonly Row[]): Promise<void> {
  const lists = table.columns.map(({ type }, index) => `$${index + 1}::${type}[]`);
  try {
    await client.query({
      name: `move ${table.name}`.slice(0, 63),
      text: `insert into ${quote(table.name)} (${columnList(table)}) select * from unnest(${lists.join(', ')})`,
      values: table.columns.map((_column, index) => listText(rows.map((row) => row[index] ?? null))),
    });
  } catch (error) {
    requireWholeNumbers(table, rows, error);
    throw error;
  }
}

/** SQLite keeps a fraction or a text also in a column of whole numbers. @throws UnfitValueError for the first one */
function requireWholeNumbers({ name, columns }: MovedTable, rows: readonly Row[], cause: unknown): void {
  for (const row of rows)
    for (const [index, { name: column, type }] of columns.entries()) {
      const value = row[index] ?? null;
      if (type === 'bigint' && value !== null && !Number.isInteger(value))
        throw new UnfitValueError({ table: name, column, row: Number(row[0]) }, { cause });
    }
}

export const readPages = (client: ClientBase) =>
  async function* (table: MovedTable): AsyncGenerator<Row[]> {
    const number = quote(table.number);
    const text = `select ${columnList(table)} from ${quote(table.name)} where ${number} > $1 order by ${number} limit ${PAGE_ROWS}`;
    const read = async (after: number): Promise<Row[]> =>
      (await client.query<Value[]>({ text, values: [after], rowMode: 'array' })).rows;
    let page = await read(-1);
    while (page.length > 0) {
      // The next page is on its way while this one is used.
      const next = page.length < PAGE_ROWS ? Promise.resolve([]) : read(lastNumber(page));
      next.catch(() => undefined);
      yield page;
      page = await next;
    }
  };

/** The last number that was given to a row, also to one that is gone; 0: none. */
export async function readLastNumber(client: ClientBase, { name, number }: MovedTable): Promise<number> {
  const { rows } = await client.query<{ last: number }>(
    'select coalesce(pg_sequence_last_value(pg_get_serial_sequence($1, $2)::regclass), 0) as last',
    [quote(name), number],
  );
  return rows[0]?.last ?? 0;
}

/** No number of a row is given twice, also none of a row that is gone. */
export async function continueNumbers(client: ClientBase, { name, number }: MovedTable, last: number): Promise<void> {
  if (last > 0) await client.query('select setval(pg_get_serial_sequence($1, $2), $3)', [quote(name), number, last]);
}
