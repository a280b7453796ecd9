import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { diskResources } from '#server/files/resources.ts';
import { readPostgresMigrations } from '#server/db/postgres/migrate.ts';
import { makeSharedTexts } from '#server/db/postgres/shared-texts.ts';
import { TEMPLATE } from '#server/testing/postgres/template.ts';
import { findFreePort } from '../bench/server-process.ts';
import { describeServer, giveToServer, preparePrograms } from '../postgres-server.ts';

/** A test loses its database with the computer anyway: nothing waits for the disk. */
const SETTINGS = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=300'];

const EMPTY_TABLES = readFileSync('server/testing/postgres/empty-tables.sql', 'utf8');

/** Tests insert rows through the dialect of SQLite, which writes null where it chooses the next number. */
const FILL_NUMBERS = `
create function fill_number() returns trigger language plpgsql as $$ begin
	if new.id is null then new.id := nextval(pg_get_serial_sequence(tg_table_name, 'id')); end if;
	return new;
end $$;
do $$ declare name text; begin
	for name in select table_name from information_schema.columns
		where table_schema = 'public' and column_name = 'id' and is_identity = 'YES' loop
		execute format('create trigger aa_fill_number before insert on %I for each row execute function fill_number()', name);
	end loop;
end $$`;

async function connectTo(url: string, use: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await use(client);
  await client.end();
}

/** The database from which those of the tests are copied. */
async function fillTemplate(client: pg.Client): Promise<void> {
  const migrations = readPostgresMigrations(diskResources({ migrations: 'drizzle' }));
  for (const text of migrations.flatMap(({ statements }) => statements)) await client.query(text);
  await makeSharedTexts(client);
  await client.query(FILL_NUMBERS);
  await client.query(EMPTY_TABLES);
}

/** Starts a server in a folder of its own, with the database from which those of the tests are copied. Vitest calls this. */
export async function setup({ provide }: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'pbb-postgres-'));
  giveToServer(folder);
  const postgres = describeServer(preparePrograms(folder), join(folder, 'data'), await findFreePort(), SETTINGS);
  postgres.init();
  postgres.start();
  const server = postgres.url;
  await connectTo(`${server}/postgres`, (client) => client.query(`create database ${TEMPLATE}`));
  await connectTo(`${server}/${TEMPLATE}`, fillTemplate);
  provide('testPostgres', server);
  return () => {
    postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}
