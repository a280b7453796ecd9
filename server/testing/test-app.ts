import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { InjectOptions } from 'fastify';
import { expect, onTestFinished } from 'vitest';
import { buildApp, type App, type AppDeps } from '#server/app.ts';
import { startInProcess } from '#server/operations/backups/worker.ts';
import { dataPathsIn } from '#server/db/data-folder/data-folder.ts';
import type { DatabaseHandle } from '#server/db/sqlite/open.ts';
import { openTestDatabase, type TestDatabase, testResources, withDirectAccess } from './open-test-database.ts';
import { statementsEnded } from './postgres/open-postgres.ts';

/** The time that the server of a test may take to close its connections by itself. */
const CLOSE_GRACE_MS = 2000;

/** Noon in Jakarta on an ordinary day of 2026. */
export const TEST_NOW = Date.parse('2026-06-10T05:00:00.000Z');

export type TestClock = {
  now: () => number;
  monotonicNow: () => number;
  /** Time passes until this instant. */
  set: (instant: string | number) => void;
  /** Time passes. */
  advance: (ms: number) => void;
  /** The clock of the computer is set, forward or back; no time passes. */
  jump: (ms: number) => void;
};

function createTestClock(startMs: number): TestClock {
  let at = startMs;
  let monotonicMs = 0;
  const advance = (ms: number): void => {
    at += ms;
    monotonicMs += ms;
  };
  return {
    now: () => at,
    monotonicNow: () => monotonicMs,
    set: (instant) => advance((typeof instant === 'number' ? instant : Date.parse(instant)) - at),
    advance,
    jump: (ms) => {
      at += ms;
    },
  };
}

export type Answer = {
  status: number;
  body: { success: boolean; message: string; data: never; errors?: Record<string, string[]> } & Record<string, unknown>;
  headers: Record<string, string | string[] | number | undefined>;
  raw: Buffer;
};

export type TestApp = App & {
  database: TestDatabase;
  clock: TestClock;
  proofsDir: string;
  /** Names an error log that the test expects; any other error log fails the test. */
  expectErrorLog: (pattern: RegExp) => void;
  /** Sends one request; `token` becomes the bearer token. */
  call: (method: string, url: string, options?: CallOptions) => Promise<Answer>;
};

export type CallOptions = {
  token?: string | undefined;
  body?: unknown;
  headers?: Record<string, string>;
  payload?: InjectOptions['payload'];
};

type PushTransport = NonNullable<AppDeps['push']>['transport'];
const noTransport: NonNullable<PushTransport> = {
  send: async () => ({ kind: 'unreachable', reason: 'TEST' }),
  close: async () => undefined,
};

/** Parts that a test gives the app instead of its own. */
export type TestOverrides = Partial<Omit<AppDeps, 'database'>> & { database?: DatabaseHandle };

/** The real app with a fresh migrated database in memory, its own proofs folder and a clock that only the test moves. */
export async function buildTestApp(overrides: TestOverrides = {}): Promise<TestApp> {
  const database = overrides.database ? withDirectAccess(overrides.database) : openTestDatabase();
  const clock = createTestClock(TEST_NOW);
  const dataDir = mkdtempSync(join(tmpdir(), 'pbb-app-'));
  const paths = dataPathsIn(dataDir);
  for (const folder of [paths.proofsDir, paths.backupsDir]) mkdirSync(folder);
  const errorLogs: string[] = [];
  const expectedPatterns: RegExp[] = [];

  const app = await buildApp({
    settings: { timeZone: 'Asia/Jakarta', corsOrigins: [], trustedProxies: null, rateLimits: true },
    database,
    secret: 'a-secret-for-tests-that-is-long-enough',
    proofsDir: paths.proofsDir,
    resources: testResources,
    backups: {
      paths: { ...paths, dataDir },
      settings: { everyHours: 2, keep: { periods: 24, days: 14, months: 12 }, secondDir: null, runningCopy: false },
      start: startInProcess,
    },
    readDiskSpace: () => null,
    now: clock.now,
    monotonicNow: clock.monotonicNow,
    // To read how many the process has files for takes 7 ms.
    socketLimits: { max: 10_000 },
    logger: { level: 'error', stream: { write: (line: string) => void errorLogs.push(line) } },
    ...overrides,
    // Tests that want pushes bring a push service.
    push: { transport: noTransport, ...overrides.push },
  });

  onTestFinished(async () => {
    // Node does not count a connection as idle on which a client never sent a request; closing would wait for it.
    const timer = setTimeout(() => app.server.server.closeAllConnections(), CLOSE_GRACE_MS);
    await app.server.close();
    clearTimeout(timer);
    database.sqlite.close();
    rmSync(dataDir, { recursive: true, force: true });
    const unexpected = errorLogs.filter((line) => !expectedPatterns.some((pattern) => pattern.test(line)));
    expect(unexpected, 'unexpected error logs').toEqual([]);
    for (const pattern of expectedPatterns)
      expect(
        errorLogs.some((line) => pattern.test(line)),
        String(pattern),
      ).toBe(true);
  });

  /** Pushes are read from the database after the commit. */
  async function settled(): Promise<void> {
    await statementsEnded();
    await app.pushes.settled();
  }

  return {
    ...app,
    pushes: { ...app.pushes, settled },
    database,
    clock,
    proofsDir: paths.proofsDir,
    expectErrorLog: (pattern) => void expectedPatterns.push(pattern),
    call: (method, url, options = {}) => inject(app, method, url, options),
  };
}

async function inject({ server }: App, method: string, url: string, options: CallOptions): Promise<Answer> {
  const payload = options.payload ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
  const response = await server.inject({
    method,
    url,
    headers: {
      ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(options.token ? { authorization: `Bearer ${options.token}` } : {}),
      ...options.headers,
    },
    ...(payload === undefined ? {} : { payload }),
  });
  const { 'content-type': type = '', 'content-encoding': encoding } = response.headers;
  const isJson = type.includes('json') && encoding === undefined;
  return {
    status: response.statusCode,
    body: (isJson && response.rawPayload.length > 0 ? response.json() : {}) as Answer['body'],
    headers: response.headers,
    raw: response.rawPayload,
  };
}
