import type { ClientBase } from 'pg';
import type { NamedTexts } from '#server/files/named-texts.ts';
import type { PostgresAddress } from './address.ts';
import { connectHosts, type Connections } from './connect.ts';
import { createPostgresEngine, type Reads } from './engine.ts';

/**
 * Texts by name that all processes of an office share and that are files of the data folder on SQLite: keys above all. SQLite
 * has no such table, so it is made beside the migrations, which are those of the schema.
 */
const TABLE = 'pbb_shared';

const READ = `select text from ${TABLE} where name = `;

export async function hasSharedTexts(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ known: string | null }>(`select to_regclass('public.${TABLE}') as known`);
  return Boolean(rows[0]?.known);
}

/** The caller holds the lock of migrations. */
export async function makeSharedTexts(client: ClientBase): Promise<void> {
  await client.query(`create table if not exists ${TABLE} (name text primary key, text text not null)`);
}

/** @returns null when there is none, also in a database in which no server of this version has run */
export async function readSharedText(client: ClientBase, name: string): Promise<string | null> {
  if (!(await hasSharedTexts(client))) return null;
  const { rows } = await client.query<{ text: string }>(`${READ} $1`, [name]);
  return rows[0]?.text ?? null;
}

/** Whether there is a text of this name, without reading it. */
export async function hasSharedText(client: ClientBase, name: string): Promise<boolean> {
  if (!(await hasSharedTexts(client))) return false;
  return (await client.query(`select 1 from ${TABLE} where name = $1`, [name])).rows.length > 0;
}

/** Stores a text in place of any other. */
export async function storeSharedText(client: ClientBase, name: string, text: string): Promise<void> {
  await client.query(
    `insert into ${TABLE} (name, text) values ($1, $2) on conflict (name) do update set text = excluded.text`,
    [name, text],
  );
}

export async function forgetSharedText(client: ClientBase, name: string): Promise<void> {
  await client.query(`delete from ${TABLE} where name = $1`, [name]);
}

const STATEMENT_TIMEOUT_MS = 5000;

/** Reads the texts without a server, also in a database in which none of this version has run. */
export async function readSharedTexts<T>(address: PostgresAddress, use: (texts: NamedTexts) => Promise<T>): Promise<T> {
  const connections = connectHosts(address, { max: 1, statementTimeoutMs: STATEMENT_TIMEOUT_MS });
  try {
    const client = await connections.reader();
    try {
      return await use({
        read: (name) => readSharedText(client, name),
        replace: async () => {
          throw new Error('the texts are only read');
        },
      });
    } finally {
      client.release();
    }
  } finally {
    await connections.end();
  }
}

/** The texts of a running server. */
export function createSharedTexts(connections: Connections, reads: Reads): NamedTexts {
  const { read, write } = createPostgresEngine(connections, reads);
  return {
    read: async (name) => (await read.value<string>(`${READ} ?`, name)) ?? null,
    replace: (name, expected, text) =>
      write(async (tx) => {
        const stored = (await tx.value<string>(`${READ} ?`, name)) ?? null;
        if (stored !== null && stored !== expected) return stored;
        await tx.run(
          `insert into ${TABLE} (name, text) values (?, ?) on conflict (name) do update set text = excluded.text`,
          name,
          text,
        );
        return text;
      }),
  };
}
