import pg from 'pg';
import { cancelStatement, cutConnection } from './cancel.ts';
import { describeHost, type PostgresAddress } from './address.ts';
import { errorCode } from '#server/files/atomic.ts';
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
/** A host that has answered a connection answers this question at once. */
const ASK_TIMEOUT_MS = 1000;
/** A host that lets a connection wait for so long makes us ask all of them meanwhile. */
const CONNECT_DOUBT_MS = 500;
/**
 * A search that had to wait for a silent host is not repeated within a second, so the statements of a call wait once. For
 * ten seconds reads go on at the host that answered it, while further searches run beside them.
 */
const SLOW_SEARCH_MS = 500;
const FOUND_NONE_MS = 1000;
const READING_KNOWN_MS = 10_000;
const END_WAIT_MAX_MS = 2000;

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
  /** The host to which changes go, as in `10.0.0.11:5432`; null while none is known. */
  primaryHost: () => string | null;
  /** Connections that are in use or waited for. */
  inUse: () => number;
  /** Ends what runs on all these connections, with this error. */
  endStatements: (reason: Error) => void;
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

const TOO_MANY_CONNECTIONS = '53300';

/** `full`: it answers, and takes no further connection. */
type HostState = 'primary' | 'standby' | 'full' | 'lost';

/** Asks a host over a connection of its own, because those of the pool may all wait. @throws other errors, as of a wrong password */
async function askHost(config: pg.ClientConfig): Promise<HostState> {
  const client = new pg.Client({ ...config, query_timeout: ASK_TIMEOUT_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ standby: number }>('select pg_is_in_recovery() as standby');
    return rows[0]?.standby === 0 ? 'primary' : 'standby';
  } catch (error) {
    if (errorCode(error) === TOO_MANY_CONNECTIONS) return 'full';
    if (isLost(error)) return 'lost';
    throw error;
  } finally {
    client.end().catch(() => undefined);
  }
}

type Host = {
  at: string;
  ask: () => Promise<HostState>;
  connect: () => Promise<pg.PoolClient>;
  inUse: () => number;
  /** Ends the connections of a host that is silent in the middle of a statement, so that nobody waits for it. */
  endSilent: () => Promise<void>;
  endStatements: (reason: Error) => void;
  end: () => Promise<void>;
};

function createHost(at: string, config: pg.ClientConfig, { max, statementTimeoutMs }: ConnectionLimits): Host {
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
  const ask = (): Promise<HostState> => askHost(config);
  const answers = (): Promise<boolean> =>
    ask().then(
      (state) => state !== 'lost',
      () => false,
    );
  return {
    at,
    ask,
    connect: () => pool.connect(),
    inUse: () => pool.totalCount - pool.idleCount + pool.waitingCount,
    async endSilent() {
      const doubtedBefore = performance.now() - DOUBT_AFTER_MS;
      const isDoubted = (): boolean => [...busySince.values()].some((since) => since < doubtedBefore);
      if (!isDoubted() || (await answers())) return;
      // A connection in the middle of a statement is cut at once.
      for (const client of busySince.keys()) void (client as unknown as pg.Client).end().catch(() => undefined);
    },
    endStatements(reason) {
      for (const client of busySince.keys()) {
        cancelStatement(client);
        cutConnection(client, reason);
      }
    },
    async end() {
      // A statement that hangs must not keep the server from ending.
      const late = setTimeout(() => {
        for (const client of busySince.keys()) cutConnection(client, new LostDatabaseError('the server ends'));
      }, END_WAIT_MAX_MS);
      await pool.end();
      clearTimeout(late);
    },
  };
}

/** No host takes writes: the one that answers reads, if any. */
type NoPrimary = { reading: Host | null; foundAt: number; wasSlow: boolean };

/** Connects to the hosts of an address; none is reached before the first use. */
export function connectHosts(address: PostgresAddress, limits: ConnectionLimits): Connections {
  const hosts = address.hosts.map((host) => createHost(describeHost(host), clientConfig(address, host), limits));
  let primary: Host | null = null;
  let lastPrimary: Host | null = null;
  let noPrimary: NoPrimary | null = null;
  let searching: Promise<void> | null = null;
  let checking: Promise<unknown> | null = null;

  /** Asks all hosts at once, and waits for no other one when one takes writes. */
  async function askAll(): Promise<void> {
    const startedAt = performance.now();
    const standbys: Host[] = [];
    const askOne = async (host: Host): Promise<void> => {
      const state = await host.ask();
      if (state === 'standby') standbys.push(host);
      // A full host may have connections in our pool.
      if (state !== 'primary' && (state !== 'full' || host !== lastPrimary))
        throw new LostDatabaseError('the host takes no writes');
      primary = host;
      lastPrimary = host;
      noPrimary = null;
    };
    try {
      await Promise.any(hosts.map(askOne));
    } catch (error) {
      const { errors } = error as AggregateError;
      const refusal: unknown = errors.find((one) => !isLost(one));
      const [reading = null] = standbys;
      if (refusal !== undefined && reading === null) throw refusal;
      const foundAt = performance.now();
      // A primary that is still waited for stays: it may be slow only.
      noPrimary = { reading, foundAt, wasSlow: foundAt - startedAt > SLOW_SEARCH_MS };
    }
  }

  function search(): Promise<void> {
    searching ??= askAll().finally(() => {
      searching = null;
    });
    return searching;
  }

  /** Whether a slow search without a primary ended within this time. */
  const foundNoneWithin = (ms: number): boolean =>
    noPrimary !== null && noPrimary.wasSlow && performance.now() - noPrimary.foundAt < ms;

  async function hostToWrite(): Promise<Host | null> {
    if (!primary && !foundNoneWithin(FOUND_NONE_MS)) await search();
    return primary;
  }

  async function hostToRead(): Promise<Host | null> {
    if (!primary && !foundNoneWithin(FOUND_NONE_MS)) {
      const next = search();
      if (noPrimary?.reading && foundNoneWithin(READING_KNOWN_MS)) next.catch(() => undefined);
      else await next;
    }
    return primary ?? noPrimary?.reading ?? null;
  }

  /** @returns null when the host does not answer */
  async function tryHost(host: Host): Promise<pg.PoolClient | null> {
    const doubt = setTimeout(() => void search().catch(() => undefined), CONNECT_DOUBT_MS);
    try {
      return await host.connect();
    } catch (error) {
      if (!isLost(error)) throw error;
      if (primary === host && errorCode(error) !== TOO_MANY_CONNECTIONS) primary = null;
      if (noPrimary?.reading === host) noPrimary = null;
      return null;
    } finally {
      clearTimeout(doubt);
    }
  }

  /** A host may be gone since it was found; then the others are asked once. */
  async function connectTo(chooseHost: () => Promise<Host | null>): Promise<pg.PoolClient | null> {
    for (let tries = 0; tries < 2; tries += 1) {
      const host = await chooseHost();
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
      const client = await connectTo(hostToWrite);
      if (!client) throw new LostDatabaseError('no host of the database takes writes');
      return client;
    },
    async reader() {
      const client = await connectTo(hostToRead);
      if (client) return client;
      throw new LostDatabaseError('no host of the database answers');
    },
    failed(error) {
      if (isLost(error)) primary = null;
      return asLost(error);
    },
    endStatements(reason) {
      for (const host of hosts) host.endStatements(reason);
    },
    primaryHost: () => primary?.at ?? null,
    inUse: () => hosts.reduce((sum, host) => sum + host.inUse(), 0),
    async end() {
      clearInterval(watch);
      await Promise.all(hosts.map((host) => host.end()));
    },
  };
}
