import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { PublicTlsSettings } from '#server/settings.ts';
import { findFreePort, startPebble } from '#server/testing/acme/pebble.ts';
import { buildTwoProcesses, type TestProcess } from '#server/testing/postgres/several-processes.ts';
import { issueTestCertificate } from '#server/testing/network/test-certificates.ts';
import { connectSecure } from '#server/testing/network/tls-client.ts';
import { runSync, testServer } from '#server/testing/postgres/test-server.ts';
import { startServerProcess, tempDataDir } from '#server/testing/program/server-process.ts';
import { MINUTE_MS } from '#shared/durations.ts';
import { AcmeFailure } from './acme-failure.ts';
import { acmeFolder, openSharedAcmeFiles } from './acme-files.ts';
import type { OrderRequest } from './certificate-order.ts';
import { openPublicCertificates, type PublicCertificates } from './public-certificates.ts';

/** Two processes on one database (docs/requirements.md R-ACME-14). */

const NAMES = ['pbb.desa.id', 'www.pbb.desa.id'];
const CHALLENGE = '/.well-known/acme-challenge/';
const POLL = { interval: 20 };

type Opened = PublicCertificates & { logged: string; begin: () => void };

/** Opens the certificates as a start of this process does. */
async function openOn(
  { database, context }: TestProcess,
  settings: Pick<PublicTlsSettings, 'directory' | 'caFile'>,
  deps: Parameters<typeof openPublicCertificates>[2] = {},
): Promise<Opened> {
  const { sharedTexts } = database;
  if (!sharedTexts) throw new Error('the database shares no texts');
  const opened = openPublicCertificates(
    { domains: NAMES, email: null, hsts: false, ...settings },
    await openSharedAcmeFiles(sharedTexts),
    { checkEveryMs: 20, pollMs: 10, random: () => 0, ...deps },
  );
  onTestFinished(opened.stop);
  const result: Opened = { ...opened, logged: '', begin: () => opened.start(log, context.processes) };
  const note = (about: unknown, text?: string): void => {
    result.logged += `${JSON.stringify(about)} ${text ?? ''}\n`;
  };
  const log = { info: note, warn: note, error: note };
  return result;
}

const ISSUER = { directory: 'https://acme.test/dir', caFile: null };
const certOf = ({ source }: PublicCertificates): string | undefined => source.current()?.pair.cert;

describe('certificates of several processes', () => {
  it('one process orders, the other one answers the directory and shows the same certificate', async () => {
    const [one, other] = await buildTwoProcesses();
    const answering: { by: PublicCertificates | null; tokens: string[] } = { by: null, tokens: [] };
    const site = createServer((request, response) => {
      const token = (request.url ?? '').slice(CHALLENGE.length);
      answering.tokens.push(token);
      void answering.by
        ?.challengeFor(token)
        .then((answer) => response.writeHead(answer === null ? 404 : 200).end(answer ?? ''));
    }).listen(0, '127.0.0.1');
    await once(site, 'listening');
    onTestFinished(() => {
      site.close();
      site.closeAllConnections();
    });
    const address = site.address();
    const pebble = await startPebble({ httpPort: typeof address === 'object' && address ? address.port : 0 });
    onTestFinished(pebble.stop);
    const leader = await openOn(one, pebble);
    const follower = await openOn(other, pebble);
    answering.by = follower;
    const shown: string[] = [];
    follower.source.onChange(({ pair }) => shown.push(pair.cert));
    follower.begin();
    leader.begin();
    await expect.poll(() => shown, POLL).toHaveLength(1);
    expect(shown).toEqual([certOf(leader)]);
    expect(follower.source.current()).toEqual(leader.source.current());
    expect(follower.status()).toMatchObject({ certified_names: NAMES, failed_attempts: 0, last_error: null });
    expect(new Set(answering.tokens).size).toBe(2);
    expect(follower.logged).not.toContain('asking for a certificate');
    // Nothing of the order is left, and no folder holds a key.
    const [token = ''] = answering.tokens;
    expect([await leader.challengeFor(token), await follower.challengeFor(token)]).toEqual([null, null]);
    for (const { proofsDir } of [one, other]) expect(existsSync(acmeFolder(dirname(proofsDir)))).toBe(false);
    expect(leader.logged + follower.logged).not.toContain('PRIVATE KEY');
    const later = await openOn(other, pebble);
    expect(later.source.current()).toEqual(leader.source.current());
  });

  it('the program starts with the certificate that another process has got', async () => {
    const database = `pbb_acme_${process.pid}`;
    runSync('postgres', `create database ${database}`);
    onTestFinished(() => void runSync('postgres', `drop database ${database} with (force)`));
    const filesDir = tempDataDir();
    const ports = [await findFreePort(), await findFreePort(), await findFreePort(), await findFreePort()] as const;
    const pebble = await startPebble({ httpPort: ports[0] });
    onTestFinished(pebble.stop);
    const start = async (port: number, tlsPort: number) => {
      const dataDir = tempDataDir();
      const server = startServerProcess({
        DATA_DIR: dataDir,
        FILES_DIR: filesDir,
        DATABASE_URL: `${testServer}/${database}`,
        JWT_SECRET: 'rahasia-kantor-yang-cukup-panjang-sekali',
        PORT: String(port),
        TLS_PORT: String(tlsPort),
        TLS_DOMAIN: NAMES.join(','),
        ACME_DIRECTORY: pebble.directory,
        ACME_CA: pebble.caFile,
      });
      await server.ready();
      await expect.poll(() => server.output.stdout, POLL).toContain(`https://${NAMES[0]}:${tlsPort}  `);
      expect(existsSync(acmeFolder(dataDir))).toBe(false);
      return server;
    };
    const first = await start(ports[0], ports[1]);
    const second = await start(ports[2], ports[3]);
    const ca = await pebble.root();
    const serials = await Promise.all(
      [ports[1], ports[3]].map(async (port) => {
        const socket = await connectSecure(port, { ca, servername: NAMES[0] ?? '' });
        const shown = socket.getPeerX509Certificate()?.serialNumber;
        socket.destroy();
        return shown;
      }),
    );
    expect(serials).toEqual([expect.any(String), serials[0]]);
    expect(first.output.stdout).toContain('asking for a certificate');
    expect(second.output.stdout).not.toContain('asking for a certificate');
    for (const { output, child, exit } of [first, second]) {
      child.kill('SIGTERM');
      await exit();
      expect(output.stdout + output.stderr).not.toContain('PRIVATE KEY');
    }
  });

  it('another process renews once the leader has ended', async () => {
    const [one, other] = await buildTwoProcesses();
    const clock = { nowMs: Date.now() };
    const ordering: string[] = [];
    const deps = (name: string): Parameters<typeof openPublicCertificates>[2] => ({
      now: () => clock.nowMs,
      order: async ({ names }: OrderRequest) => {
        ordering.push(name);
        return issueTestCertificate(names, clock.nowMs).pair;
      },
    });
    const leader = await openOn(one, ISSUER, deps('first'));
    const follower = await openOn(other, ISSUER, deps('second'));
    leader.begin();
    follower.begin();
    await expect.poll(() => certOf(follower), POLL).toBeDefined();
    const before = certOf(follower);
    await leader.stop();
    await one.server.close();
    await expect.poll(other.context.processes.isLeader, POLL).toBe(true);
    expect(ordering).toEqual(['first']);
    clock.nowMs = Date.parse(follower.status().next_attempt_at ?? '');
    await expect.poll(() => certOf(follower), POLL).not.toBe(before);
    expect(ordering).toEqual(['first', 'second']);
  });

  it('another process orders after the wait of a failure when the leader has ended in the middle of an order', async () => {
    const [one, other] = await buildTwoProcesses();
    const clock = { nowMs: Date.now() };
    const begun = Promise.withResolvers<void>();
    const leader = await openOn(one, ISSUER, {
      now: () => clock.nowMs,
      order: ({ signal }) =>
        new Promise<never>((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('aborted')));
          begun.resolve();
        }),
    });
    const ordered: number[] = [];
    const follower = await openOn(other, ISSUER, {
      now: () => clock.nowMs,
      order: async ({ names }) => {
        ordered.push(clock.nowMs);
        return issueTestCertificate(names, clock.nowMs).pair;
      },
    });
    leader.begin();
    await begun.promise;
    follower.begin();
    // Its certificates are not stopped, as in a process that was killed.
    await one.server.close();
    const waitsUntil = clock.nowMs + MINUTE_MS;
    await expect.poll(() => follower.status().next_attempt_at, POLL).toBe(new Date(waitsUntil).toISOString());
    await expect.poll(other.context.processes.isLeader, POLL).toBe(true);
    expect(ordered).toEqual([]);
    clock.nowMs = waitsUntil;
    await expect.poll(() => certOf(follower), POLL).toBeDefined();
    expect(ordered).toEqual([waitsUntil]);
  });

  it('an admin at any process has the leader ask again, and each of them knows the failure', async () => {
    const [one, other] = await buildTwoProcesses();
    let failure: Error | null = new AcmeFailure('connection', 'x');
    const order = async ({ names }: OrderRequest) => {
      if (failure) throw failure;
      return issueTestCertificate(names).pair;
    };
    const leader = await openOn(one, ISSUER, { order });
    const follower = await openOn(other, ISSUER, {
      order: async () => {
        throw new Error('only the leader orders');
      },
    });
    leader.begin();
    follower.begin();
    await expect.poll(() => follower.status().last_error?.message, POLL).toBeDefined();
    expect(follower.status()).toEqual(leader.status());
    expect(Date.parse(follower.status().next_attempt_at ?? '')).toBeGreaterThan(Date.now() + MINUTE_MS / 2);
    failure = null;
    expect(follower.retry()).toBe(0);
    await expect.poll(() => certOf(follower), POLL).toBeDefined();
    expect(certOf(follower)).toBe(certOf(leader));
  });

  it('a damaged certificate and account are replaced, and the account is kept aside', async () => {
    const [one] = await buildTwoProcesses();
    const insert = one.database.sqlite.prepare('insert into pbb_shared (name, text) values (?, ?)');
    for (const name of ['account.key', 'certificate.pem', 'state.json', 'challenges.json'])
      insert.run(`acme/${name}`, '{"rusak":');
    const opened = await openOn(one, ISSUER, { order: async ({ names }) => issueTestCertificate(names).pair });
    expect([certOf(opened), await opened.challengeFor('x'), await opened.challengeFor('../x')]).toEqual([
      undefined,
      null,
      null,
    ]);
    opened.begin();
    await expect.poll(() => certOf(opened), POLL).toBeDefined();
    const stored = one.database.sqlite.prepare<[], string>(
      "select text from pbb_shared where name = 'acme/account.key.rusak'",
    );
    expect(stored.pluck().all()).toEqual(['{"rusak":']);
    expect(opened.logged).toContain('another account made');
  });
});
