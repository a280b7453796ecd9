import { expect, it, onTestFinished } from 'vitest';
import { testResources } from '#server/testing/open-test-database.ts';
import { runSync, testServer } from '#server/testing/postgres/test-server.ts';
import { parsePostgresUrl, type PostgresAddress } from './address.ts';
import { openAddress } from './open-address.ts';
import { tableStatements } from './tables.ts';

/** Tables of PostgreSQL alone: the migrations that were applied, keys of the office, and the index of messages. */
const OWN_TABLES = ['__drizzle_migrations', 'pbb_shared', 'message_words'];
/** Indexes that only PostgreSQL has: for parts and words of texts, and for lists whose order it reads from no other one. */
const OWN_INDEXES = [
  'CREATE INDEX searched_records_parts ON public.searched_records USING gin (name gin_trgm_ops, owner_name gin_trgm_ops)',
  'CREATE INDEX tax_records_due_last ON public.tax_records USING btree (due_date, id)',
  'CREATE INDEX tax_records_parts ON public.tax_records USING gin (address gin_trgm_ops, spt_number gin_trgm_ops)',
  'CREATE INDEX users_parts ON public.users USING gin (name gin_trgm_ops, email gin_trgm_ops)',
  'CREATE INDEX users_words ON public.users USING gin (words_of_name(name))',
];
/** Indexes of the schema that PostgreSQL has in another form: names sorted without regard to case. */
const OTHER_INDEXES = [
  {
    described: 'CREATE INDEX tax_records_name ON public.tax_records USING btree (name, id)',
    migrated: 'CREATE INDEX tax_records_name ON public.tax_records USING btree (lower(name), id)',
  },
];

/** Each part of a database with its table, so that a difference names it. The order of columns may differ. */
const PARTS = `
select relname as table, 'relation ' || relname || ' ' || relkind::text as part
  from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f', 'c')
union all
select relname, 'column ' || relname || '.' || attname || ' ' || format_type(atttypid, atttypmod)
    || coalesce(' collate ' || (select collname from pg_collation where oid = attcollation), '')
    || case when attnotnull then ' not null' else '' end
    || case attidentity when '' then '' else ' identity ' || attidentity::text end
    || case attgenerated when '' then '' else ' generated ' || attgenerated::text end
    || coalesce(' default ' || pg_get_expr(adbin, adrelid), '')
  from pg_attribute
    join pg_class on pg_class.oid = attrelid
    left join pg_attrdef on adrelid = attrelid and adnum = attnum
  where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
union all
select conrelid::regclass::text, 'constraint ' || conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid)
  from pg_constraint where connamespace = 'public'::regnamespace and contype in ('c', 'f', 'p', 'u', 'x')
union all
select indrelid::regclass::text, pg_get_indexdef(indexrelid) || case when indisvalid then '' else ' invalid' end
  from pg_index join pg_class on pg_class.oid = indexrelid where relnamespace = 'public'::regnamespace`;

/** @returns the name of an empty database */
function makeDatabase(name: string): string {
  const own = `pbb_tables_${name}_${process.pid}`;
  runSync('postgres', `create database ${own}`);
  onTestFinished(() => void runSync('postgres', `drop database ${own} with (force)`));
  return own;
}

/** @returns columns, keys, references, checks and indexes of each table, one line each */
const readParts = (database: string): string[] =>
  runSync(database, PARTS, [])
    .rows.filter(([table]) => !OWN_TABLES.includes(String(table)))
    .map(([, part]) => String(part))
    .toSorted();

/** @returns the lines of a database that the other one lacks */
const without = (parts: string[], others: string[]): string[] => parts.filter((part) => !others.includes(part));

it('makes by its migrations the tables, columns, keys, references and indexes that the schema describes', async () => {
  const migrated = makeDatabase('migrated');
  const address = parsePostgresUrl(`${testServer}/${migrated}`) as PostgresAddress;
  const { connections } = await openAddress(address, { pool: 1, resources: testResources, waitMs: 0 });
  onTestFinished(connections.end);
  const described = makeDatabase('described');
  runSync(described, tableStatements().join('\n'));

  const [found, wanted] = [readParts(migrated), readParts(described)];
  expect(wanted.length).toBeGreaterThan(500);
  // Both at once, so that a column of another type shows both sides.
  expect({ missing: without(wanted, found), undescribed: without(found, wanted) }).toEqual({
    missing: OTHER_INDEXES.map((index) => index.described),
    undescribed: [...OWN_INDEXES, ...OTHER_INDEXES.map((index) => index.migrated)].toSorted(),
  });
});
