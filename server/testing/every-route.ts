import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { expect, onTestFinished } from 'vitest';
import { z } from 'zod';
import { dataPathsIn } from '#server/db/data-folder/data-folder.ts';
import { diskResources } from '#server/files/resources.ts';
import { buildAdmin, buildRecord, buildSession, buildTestUser, type SignedInUser } from './factories.ts';
import { findFractions } from './fractions.ts';
import { pushSettings } from './push.ts';
import { buildTestApp, type CallOptions, type TestApp } from './test-app.ts';

/**
 * Walks over every route that the server registers, so a new one is included by itself, and sends it everything that a call
 * can have wrong. The answer is the envelope in Indonesian, whatever was sent (docs/requirements.md R-API-2, R-API-3).
 */

export const ORIGIN = 'https://pajak.example';
/** Some twenty seconds on a quiet machine. */
export const ROUTES_TIMEOUT_MS = 400_000;

type Route = { method: string; url: string; schema: RouteOptions['schema']; hasForm: boolean };

/** Parts that only some installations have. */
export const wholeInstallation = {
  metricsToken: 'a-token-for-metrics',
  network: () => ({ addresses: [], secureAddresses: [], hasLocalAuthority: true }),
  localAuthority: {
    name: 'PBB Kita',
    certificate: Buffer.from('x'),
    fingerprint: 'AA',
    thumbprint: 'aa',
    validUntil: '2030-01-01',
  },
};

/** The app with everything that an installation can have, and the routes in its registry. */
async function buildWholeApp(): Promise<{ test: TestApp; routes: Route[] }> {
  const routes: Route[] = [];
  const listen = (message: unknown): void => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook('onRoute', ({ method, url, schema, config }) => {
      for (const name of [method].flat()) routes.push({ method: name, url, schema, hasForm: Boolean(config?.form) });
    });
  };
  const dataDir = mkdtempSync(join(tmpdir(), 'pbb-routes-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  subscribe('fastify.initialization', listen);
  try {
    const test = await buildTestApp({
      settings: { ...pushSettings, corsOrigins: [ORIGIN], rateLimits: false },
      // As the real one, it has fractions.
      monotonicNow: () => performance.now() + 0.5,
      ...wholeInstallation,
      resources: diskResources({
        migrations: 'drizzle',
        client: 'server/testing/client',
        docs: 'node_modules/swagger-ui-dist',
      }),
      backups: {
        paths: { ...dataPathsIn(dataDir), dataDir },
        settings: { everyHours: 2, keep: { periods: 24, days: 14, months: 12 }, secondDir: null, runningCopy: false },
        start: () => ({ outcome: Promise.resolve({ result: 'busy' }), stop: async () => undefined }),
      },
    });
    return { test, routes };
  } finally {
    unsubscribe('fastify.initialization', listen);
  }
}

export type Caller = SignedInUser | null;
type WholeApp = Awaited<ReturnType<typeof buildWholeApp>>;

/** One route with rows of its own, which its path can name. */
function buildProbe({ test, routes }: WholeApp, route: Route) {
  const { method, url } = route;
  const admin = buildAdmin(test);
  const user = buildTestUser(test);
  const ids: Record<string, string> = {
    userId: user.id,
    year: '2025',
    id: url.includes('/users/') ? user.id : buildRecord(test, user.id).id,
  };
  const callers = new Map<string, Caller>([
    ['nobody', null],
    ['a user', user],
    ['an admin', admin],
  ]);
  const complaints = new Map<string, string>();
  const path = (value: (name: string) => string = (name) => ids[name] ?? 'x'): string =>
    url.replaceAll(/:([A-Za-z]\w*)/g, (_parameter, name: string) => value(name)).replace('*', 'x');

  async function send(what: string, caller: Caller, to: string, options: CallOptions = {}, as = method) {
    const answer = await test.call(as, to, { ...options, token: caller?.token });
    const complaint = findComplaint(as, to, answer);
    const name = [...callers].find(([, one]) => one === caller)?.[0];
    // The same complaint of several probes is listed once.
    const cause = `${as} ${url}: ${answer.status} ${complaint}`;
    if (complaint)
      complaints.set(cause, complaints.get(cause) ?? `${cause}, as ${to.slice(0, 200)} by ${name} with ${what}`);
    // A call may have ended its own session.
    if (answer.status === 401 && caller) Object.assign(caller, buildSession(test, caller.id));
    return answer;
  }
  // The others are refused before anything of the call is read.
  const permitted: readonly Caller[] = url.startsWith('/api/admin/')
    ? [admin]
    : route.schema?.security
      ? [null]
      : [user, admin];
  return { route, routes, callers: [...callers.values()], permitted, path, send, complaints };
}
export type Probe = ReturnType<typeof buildProbe>;

/** Words of frameworks, validators and JavaScript, and English ones. Our own texts have none of them. */
const FOREIGN_WORDS =
  /\b(expected|received|invalid|must|should|required|undefined|null|nan|object|boolean|string|array|number|integer|error|unexpected|cannot|failed|forbidden|unauthorized|missing|the|is|of|not|method|allowed|supported|media|type|found|bad|request|zod|fastify|sqlite|fst|ctp|diharapkan|instanceof)\b|Input tidak valid|Terlalu (besar|kecil): |String tidak valid|Kunci tidak|\[object|at \w+ \(/i;

type SeenAnswer = Awaited<ReturnType<TestApp['call']>>;

/** @returns what is wrong with an answer; null when it is as it must be */
function findComplaint(method: string, url: string, { status, headers, raw, body }: SeenAnswer): string | null {
  const type = String(headers['content-type'] ?? '');
  const text = raw.toString();
  if (status >= 500 || status < 200) return text.slice(0, 300);
  if (method === 'HEAD') return raw.length === 0 ? null : 'has a body';
  if (status < 300 && !type.includes('json')) return null;
  if (status === 304) return null;
  if (!type.startsWith('application/json')) return `is ${type}`;
  if (status < 300 && !url.startsWith('/api/')) return null;
  if (status < 300 && url.startsWith('/api/docs/')) return null;
  const { success, message, errors, ...rest } = body;
  if (success !== status < 300) return `says success: ${success}`;
  const texts = [message, ...Object.values(errors ?? {}).flat()];
  const foreign = texts.find((one) => typeof one !== 'string' || one.trim() === '' || FOREIGN_WORDS.test(one));
  if (foreign !== undefined) return `says "${foreign}"`;
  if (status >= 400 && Object.keys(rest).length > 0) return `has ${Object.keys(rest).join()}`;
  return null;
}

/** Sends each registered call what `sendAll` sends. @throws when an answer is not as it must be */
export async function probeAll(sendAll: (probe: Probe) => Promise<void>): Promise<void> {
  const app = await buildWholeApp();
  expect(app.routes.length).toBeGreaterThan(100);
  const complaints: string[] = [];
  for (const route of app.routes.filter(({ method }) => method !== 'HEAD')) {
    const probe = buildProbe(app, route);
    await sendAll(probe);
    complaints.push(...probe.complaints.values());
  }
  expect(complaints.map((text) => text.slice(0, 400))).toEqual([]);
  expect(findFractions(app.test.database.sqlite)).toEqual([]);
}

export type JsonSchema = {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  format?: string;
  pattern?: string;
  minimum?: number;
  minLength?: number;
};

/** The JSON schema of a body or query; empty without one. */
export const describeSchema = (schema: unknown): JsonSchema =>
  schema instanceof z.ZodType
    ? (z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as JsonSchema)
    : {};
