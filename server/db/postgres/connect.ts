import pg from 'pg';
import type { PostgresAddress } from './address.ts';
import { asLost, isLost, LostDatabaseError } from './lost.ts';

/** Truth is 1 and 0 on both engines; counts and sums are numbers, as SQLite gives them. */
const BOOLEAN_TYPE = 16;
const NUMBER_TYPES = new Set([20, 1700]);

const types: pg.CustomTypesConfig = {
  getTypeParser(id: number, format?: 'text' | 'binary') {
    if (id === BOOLEAN_TYPE) return (text: string) => (text === 't' ? 1 : 0);
    if (NUMBER_TYPES.has(id)) return Number;
    return pg.types.getTypeParser(id, format ?? 'text') as (text: string) => unknown;
  },
};

/** A call gets its 503 within five seconds: a connection is not waited for longer than this. */
const CONNECT_TIMEOUT_MS = 2000;
/** A statement that lasts longer makes us ask whether its host still answers. */
const DOUBT_AFTER_MS = 1500;
const DOUBT_CHECK_MS = 500;
/** A call reads before it writes: after a slow search its second one would wait for the same silent hosts again. */
const NONE_FOUND_MS = 250;

/**
 * PostgreSQL ends what a dead process has begun within seconds, so that its locks do not stop the others: also in the middle
 * of a statement, and when its computer is gone (milliseconds, seconds, milliseconds).
 */
const SESSION_SETTINGS = [
  'client_connection_check_interval=1000',
  'tcp_keepalives_idle=5',
  'tcp_keepalives_interval=2',
  'tcp_keepalives_count=3',
  'tcp_user_timeout=10000',
];

/** The connections of this process to a database of one or several hosts, of which one takes writes. */
export type Connections = {
  /** @throws LostDatabaseError when no host takes writes */
  writer: () => Promise<pg.PoolClient>;
  /** Of the host that takes writes, or of any that answers while none does. @throws LostDatabaseError */
  reader: () => Promise<pg.PoolClient>;
  /** Takes note of an error of a connection, so that the next one looks for the host anew. @returns the error to throw */
  failed: (error: unknown) => unknown;
  /** Connections that are in use or waited for. */
  inUse: () => number;
  end: () => Promise<void>;
};

export type ConnectionLimits = {
  /** Connections at most, to each host. */
  max: number;
  /** Statements that run longer are ended; without it they run as long as they need. */
  statementTimeoutMs?: number;
};

/** The settings of a connection to one host of an address. */
export function clientConfig(address: PostgresAddress, host: PostgresAddress['hosts'][number]): pg.ClientConfig {
  const { user, password, database, ssl } = address;
  return {
    ...host,
    user,
    password,
    database,
    types,
    ssl: ssl === 'disable' ? false : { rejectUnauthorized: ssl === 'verify-full' },
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'pbb-kita',
    options: SESSION_SETTINGS.map((setting) => `-c ${setting}`).join(' '),
  };
}

/** Whether a host answers, asked over a connection of its own. */
async function answers(config: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client({ ...config, query_timeout: CONNECT_TIMEOUT_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    client.end().catch(() => undefined);
  }
}

type Host = {
  connect: () => Promise<pg.PoolClient>;
  inUse: () => number;
  /** Ends the connections of a host that is silent in the middle of a statement, so that nobody waits for it. */
  endSilent: () => Promise<void>;
  end: () => Promise<void>;
};

function createHost(config: pg.ClientConfig, { max, statementTimeoutMs }: ConnectionLimits): Host {
  const pool = new pg.Pool({
    ...config,
    max,
    ...(statementTimeoutMs === undefined ? {} : { statement_timeout: statementTimeoutMs }),
  });
  // An idle connection that breaks is replaced by the pool. A query on a broken connection fails by itself.
  pool.on('error', () => {});
  // Else the error of a connection that is in use would end the program.
  pool.on('connect', (client) => client.on('error', () => {}));
  const busySince = new Map<pg.PoolClient, number>();
  pool.on('acquire', (client) => busySince.set(client, performance.now()));
  pool.on('release', (_error, client) => busySince.delete(client));
  pool.on('remove', (client) => busySince.delete(client));
  return {
    connect: () => pool.connect(),
    inUse: () => pool.totalCount - pool.idleCount + pool.waitingCount,
    async endSilent() {
      const doubtedBefore = performance.now() - DOUBT_AFTER_MS;
      const isDoubted = (): boolean => [...busySince.values()].some((since) => since < doubtedBefore);
      if (!isDoubted() || (await answers(config))) return;
      // A connection in the middle of a statement is cut at once.
      for (const client of busySince.keys()) void (client as unknown as pg.Client).end().catch(() => undefined);
    },
    end: () => pool.end(),
  };
}

async function takesWrites(client: pg.PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ standby: number }>('select pg_is_in_recovery() as standby');
  return rows[0]?.standby === 0;
}

/** Connects to the hosts of an address; none is reached before the first use. */
export function connectHosts(address: PostgresAddress, limits: ConnectionLimits): Connections {
  const hosts = address.hosts.map((host) => createHost(clientConfig(address, host), limits));
  let primary: Host | null = null;
  /** One that answered the last search; without a primary it serves the reads. */
  let answering: Host | null = null;
  let noneFoundUntil = 0;
  let searching: Promise<Host | null> | null = null;
  let checking: Promise<unknown> | null = null;

  async function askHost(host: Host): Promise<boolean> {
    const client = await host.connect();
    try {
      return await takesWrites(client);
    } finally {
      client.release();
    }
  }

  /**
   * Asks all hosts at once, and waits for no silent one once a host takes writes.
   * @returns null when none takes writes @throws what a host refuses, when none answers
   */
  function search(): Promise<Host | null> {
    const { promise, resolve, reject } = Promise.withResolvers<Host | null>();
    const refusals: unknown[] = [];
    let failed = 0;
    answering = null;
    const asked = hosts.map(async (host) => {
      try {
        const isPrimary = await askHost(host);
        answering ??= host;
        if (isPrimary) resolve(host);
      } catch (error) {
        failed += 1;
        if (!isLost(error)) refusals.push(error);
      }
    });
    const settle = async (): Promise<void> => {
      await Promise.all(asked);
      // One host with wrong settings must not stop the others.
      if (refusals.length > 0 && failed === hosts.length) reject(refusals[0]);
      else resolve(null);
    };
    void settle();
    return promise;
  }

  async function findPrimary(): Promise<Host | null> {
    if (primary || performance.now() < noneFoundUntil) return primary;
    const startedAt = performance.now();
    searching ??= search().finally(() => {
      searching = null;
    });
    primary = await searching;
    const at = performance.now();
    if (!primary && at - startedAt > NONE_FOUND_MS) noneFoundUntil = at + NONE_FOUND_MS;
    return primary;
  }

  /** @returns null when the host does not answer */
  async function tryHost(host: Host): Promise<pg.PoolClient | null> {
    try {
      return await host.connect();
    } catch (error) {
      if (!isLost(error)) throw error;
      if (primary === host) primary = null;
      return null;
    }
  }

  /** The host that took writes may be gone since; then the others are asked once. */
  async function ofPrimary(): Promise<pg.PoolClient | null> {
    for (let tries = 0; tries < 2; tries += 1) {
      const host = await findPrimary();
      if (!host) return null;
      const client = await tryHost(host);
      if (client) return client;
    }
    return null;
  }

  const watch = setInterval(() => {
    checking ??= Promise.all(hosts.map((host) => host.endSilent())).finally(() => {
      checking = null;
    });
  }, DOUBT_CHECK_MS);
  watch.unref();

  return {
    async writer() {
      const client = await ofPrimary();
      if (!client) throw new LostDatabaseError('no host of the database takes writes');
      return client;
    },
    async reader() {
      const known = await ofPrimary();
      if (known) return known;
      let refusal: unknown;
      for (const host of answering ? [answering, ...hosts] : hosts) {
        try {
          const client = await tryHost(host);
          if (client) return client;
        } catch (error) {
          refusal ??= error;
        }
      }
      throw refusal ?? new LostDatabaseError('no host of the database answers');
    },
    failed(error) {
      if (isLost(error)) primary = null;
      return asLost(error);
    },
    inUse: () => hosts.reduce((sum, host) => sum + host.inUse(), 0),
    async end() {
      clearInterval(watch);
      await Promise.all(hosts.map((host) => host.end()));
    },
  };
}
