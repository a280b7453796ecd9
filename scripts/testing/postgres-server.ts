import { spawnSync } from 'node:child_process';
import { chownSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { diskResources } from '#server/files/resources.ts';
import { readPostgresMigrations } from '#server/db/postgres/migrate.ts';
import { TEMPLATE } from '#server/testing/postgres/template.ts';
import { findFreePort } from '../bench/server-process.ts';
import { hasPostgres, installPostgres, postgresFolder } from '../postgres-package.mjs';

/** PostgreSQL refuses to run as root. */
const NOBODY = 65_534;
const owner = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

/** A test loses its database with the computer anyway: nothing waits for the disk. */
const SETTINGS = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=300'];

function run(folder: string, program: string, ...args: string[]): void {
  const { status, stderr, error } = spawnSync(join(folder, 'bin', program), args, {
    ...owner,
    cwd: tmpdir(),
    encoding: 'utf8',
    // The server inherits what its starter has, and would keep a pipe open.
    stdio: ['ignore', 'ignore', program === 'pg_ctl' ? 'ignore' : 'pipe'],
  });
  if (status !== 0) throw new Error(`${program}: ${error?.message ?? stderr ?? status}`);
}

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

async function query(url: string, ...texts: string[]): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  for (const text of texts) await client.query(text);
  await client.end();
}

/** Starts a server in a folder of its own, with the database from which those of the tests are copied. Vitest calls this. */
export async function setup({ provide }: TestProject): Promise<() => void> {
  const runCommand = (program: string, args: string[], cwd: string): boolean =>
    spawnSync(program, args, { cwd, stdio: 'inherit' }).status === 0;
  if (!hasPostgres() && !installPostgres(runCommand)) throw new Error('PostgreSQL could not be installed from npm');
  const folder = mkdtempSync(join(tmpdir(), 'pbb-postgres-'));
  // The project may be in a folder that only root may enter.
  const programs = owner.uid === undefined ? postgresFolder : join(folder, 'programs');
  if (owner.uid !== undefined) {
    cpSync(postgresFolder, programs, { recursive: true, verbatimSymlinks: true });
    chownSync(folder, owner.uid, owner.gid);
  }
  const data = join(folder, 'data');
  const port = await findFreePort();
  const options = [`-p ${port}`, '-c listen_addresses=127.0.0.1', `-c unix_socket_directories=`];
  const settings = [...options, ...SETTINGS.map((setting) => `-c ${setting}`)].join(' ');
  run(programs, 'initdb', '-D', data, '-A', 'trust', '-E', 'UTF8', '--locale=C', '-U', 'postgres');
  run(programs, 'pg_ctl', '-w', '-D', data, '-l', join(folder, 'log'), '-o', settings, 'start');
  const server = `postgres://postgres@127.0.0.1:${port}`;
  await query(`${server}/postgres`, `create database ${TEMPLATE}`);
  const texts = readPostgresMigrations(diskResources({ migrations: 'drizzle' })).flatMap(
    ({ statements }) => statements,
  );
  await query(`${server}/${TEMPLATE}`, ...texts, FILL_NUMBERS);
  provide('testPostgres', server);
  return () => {
    run(programs, 'pg_ctl', '-D', data, '-m', 'immediate', 'stop');
    rmSync(folder, { recursive: true, force: true });
  };
}
