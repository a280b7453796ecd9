import pg from 'pg';
import type { Resources } from '#server/files/resources.ts';
import { compareVersions, type SchemaComparison } from '../migrations/journal.ts';
import { describeAddress, type PostgresAddress } from './address.ts';
import { clientConfig } from './connect.ts';
import { isLost } from './lost.ts';
import { findLastAppliedAt } from './migrate.ts';
import { readOfficeId } from './office-files.ts';
import { findRefusal, type Refusal } from './refusals.ts';
import { hasSharedText } from './shared-texts.ts';

const QUERY_TIMEOUT_MS = 5000;
/** The processes of an office carry their mark in the name of the connection of their bus. */
export const BUS_NAME = 'pbb-kita bus';

/** The state of one server of PostgreSQL, read over one connection. */
export type PostgresState = {
  /** As in `15.18`. */
  version: string;
  majorVersion: number;
  /** Of the texts of the database. */
  encoding: string;
  isStandby: boolean;
  /** Whether a standby is connected to the server that takes writes. */
  isFollowing: boolean;
  /** Tells whether two addresses lead to one server. */
  startedAt: string;
  databaseBytes: number;
  schema: SchemaComparison;
  /** Whether the keys of push notifications are in the database; the keys themselves are not read. */
  hasPushKeys: boolean;
  /** The id of the folder of photos and documents; null before the first start. */
  officeId: string | null;
  /** Rights of the role of this address. */
  mayCreateTables: boolean;
  /** Present, or the role may add it. */
  hasTrigrams: boolean;
  /** The clock of the server minus that of this computer. */
  clockAheadMs: number;
  /** The names of the standbys that are connected to this server. */
  standbys: string[];
  /** Connections that ordinary roles may use. */
  connectionsMax: number;
  /** As PostgreSQL prints them. */
  settings: { fsync: string; full_page_writes: string; synchronous_commit: string; synchronous_standby_names: string };
  /** The marks of the processes that are connected to this database. */
  processMarks: string[];
};

export type HostReport = { at: string } & (
  | { state: PostgresState }
  /** `reason`: a text without a password. */
  | { problem: Refusal | 'silent' | 'other'; reason: string }
);

type StateRow = Pick<
  PostgresState,
  'version' | 'encoding' | 'startedAt' | 'databaseBytes' | 'standbys' | 'connectionsMax'
> &
  PostgresState['settings'] & {
    major: number;
    is_standby: number;
    is_following: number;
    may_create: number;
    has_trigrams: number;
    now_ms: number;
  };

const STATE = `
  select split_part(current_setting('server_version'), ' ', 1) as version,
    current_setting('server_version_num')::int / 10000 as major,
    current_setting('server_encoding') as encoding,
    pg_is_in_recovery() as is_standby,
    exists (select from pg_stat_wal_receiver) as is_following,
    pg_postmaster_start_time()::text as "startedAt",
    pg_database_size(current_database()) as "databaseBytes",
    has_schema_privilege('public', 'create') as may_create,
    exists (select from pg_extension where extname = 'pg_trgm')
      or (exists (select from pg_available_extensions where name = 'pg_trgm')
        and has_database_privilege(current_database(), 'create')) as has_trigrams,
    array(select application_name from pg_stat_replication order by 1) as standbys,
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
      - coalesce(current_setting('reserved_connections', true), '0')::int as "connectionsMax",
    current_setting('fsync') as fsync,
    current_setting('full_page_writes') as full_page_writes,
    current_setting('synchronous_commit') as synchronous_commit,
    current_setting('synchronous_standby_names') as synchronous_standby_names`;

async function readClockAhead(client: pg.ClientBase, now: () => number): Promise<number> {
  const before = now();
  const { rows } = await client.query<{ at: number }>(
    'select round(extract(epoch from clock_timestamp()) * 1000) as at',
  );
  return (rows[0]?.at ?? before) - (before + now()) / 2;
}

async function readState(client: pg.ClientBase, resources: Resources, now: () => number): Promise<PostgresState> {
  const { rows } = await client.query<StateRow>(STATE);
  const [row] = rows;
  if (!row) throw new Error('the server told nothing of itself');
  const { version, encoding, startedAt, databaseBytes, standbys, connectionsMax } = row;
  const { fsync, full_page_writes, synchronous_commit, synchronous_standby_names } = row;
  const processes = await client.query<{ name: string }>(
    'select application_name as name from pg_stat_activity where datname = current_database() and starts_with(application_name, $1)',
    [`${BUS_NAME} `],
  );
  return {
    version,
    majorVersion: row.major,
    encoding,
    isStandby: row.is_standby === 1,
    isFollowing: row.is_following === 1,
    startedAt,
    databaseBytes,
    schema: compareVersions(resources, await findLastAppliedAt(client)),
    hasPushKeys: await hasSharedText(client, 'push-keys.json'),
    officeId: await readOfficeId(client),
    mayCreateTables: row.may_create === 1,
    hasTrigrams: row.has_trigrams === 1,
    clockAheadMs: await readClockAhead(client, now),
    standbys,
    connectionsMax,
    settings: { fsync, full_page_writes, synchronous_commit, synchronous_standby_names },
    processMarks: processes.rows.map(({ name }) => name.slice(BUS_NAME.length + 1)).toSorted(),
  };
}

function findProblem(error: unknown): Exclude<HostReport, { state: PostgresState }>['problem'] {
  return findRefusal(error) ?? (isLost(error) ? 'silent' : 'other');
}

async function inspectHost(
  address: PostgresAddress,
  host: PostgresAddress['hosts'][number],
  resources: Resources,
  now: () => number,
): Promise<HostReport> {
  const at = describeAddress({ ...address, hosts: [host] });
  const config = clientConfig(address, host);
  const client = new pg.Client({ ...config, application_name: 'pbb-kita doctor', query_timeout: QUERY_TIMEOUT_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return { at, state: await readState(client, resources, now) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { at, problem: findProblem(error), reason };
  } finally {
    client.end().catch(() => undefined);
  }
}

/** Asks each host of an address, all at once, because a dead one lets its caller wait. Nothing is changed. */
export async function inspectHosts(
  address: PostgresAddress,
  resources: Resources,
  now: () => number,
): Promise<HostReport[]> {
  return Promise.all(address.hosts.map((host) => inspectHost(address, host, resources, now)));
}
