import { createServer } from 'node:http';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/durations.ts';
import { findFreePort, startPebble } from '#server/testing/acme/pebble.ts';
import { answerProblem, startFakeDirectory } from '#server/testing/acme/fake-directory.ts';
import { createAcmeTest } from '#server/testing/acme/open-for-test.ts';

const CHALLENGE = '/.well-known/acme-challenge/';
/** Long enough that what is issued later is still valid by a clock that the test moves to the renewal. */
const VALID_DAYS = 600;

/** The server that a directory finds at port 80. */
async function startSite() {
  const site = { answer: async (_token: string): Promise<string | null> => null, asked: [] as string[] };
  const bodyOf = async (url: string): Promise<string | null> =>
    url.startsWith(CHALLENGE) ? site.answer(url.slice(CHALLENGE.length)) : null;
  const server = createServer(({ url = '' }, response) => {
    site.asked.push(url);
    void bodyOf(url).then((body) => response.writeHead(body === null ? 404 : 200).end(body ?? 'tidak ada'));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  return Object.assign(site, { port: typeof address === 'object' && address ? address.port : 0 });
}

it('gets a certificate from a directory that refuses nonces, and renews it after a failed check of the names', async () => {
  const site = await startSite();
  const pebble = await startPebble({
    httpPort: site.port,
    environment: { PEBBLE_WFE_NONCEREJECT: '40' },
    config: { certificateValidityPeriod: (VALID_DAYS * DAY_MS) / 1000, domainBlocklist: ['ditolak.desa.id'] },
  });
  onTestFinished(pebble.stop);
  const { clock, dataDir, open } = createAcmeTest(Date.now());
  const opened = open(pebble);
  site.answer = opened.challengeFor;
  opened.start();
  const first = await opened.ended();
  expect(first).toMatchObject({ certified_names: first.names, failed_attempts: 0, last_error: null });
  const before = opened.source.current();
  const issued = new X509Certificate(before?.pair.cert ?? '');
  expect(issued.subjectAltName).toBe('DNS:pbb.desa.id, DNS:www.pbb.desa.id');
  expect(issued.publicKey.asymmetricKeyDetails).toEqual({ namedCurve: 'prime256v1' });
  // Each name was checked, and nothing of it is left.
  const tokens = new Set(site.asked.map((url) => url.slice(CHALLENGE.length)));
  expect(tokens.size).toBe(2);
  expect(await Promise.all([...tokens].map((token) => opened.challengeFor(token)))).toEqual([null, null]);
  const account = readFileSync(join(dataDir, 'tls/acme/account.key'), 'utf8');

  // Another program answers at port 80 when the certificate is to be renewed.
  site.answer = async () => 'program lain';
  clock.nowMs = Date.parse(first.next_attempt_at ?? '');
  const failed = await opened.ended();
  expect(failed).toMatchObject({ valid_until: first.valid_until, failed_attempts: 1 });
  expect(failed.last_error?.message).toMatch(
    /^Yang menjawab di http:\/\/(www\.)?pbb\.desa\.id\/ bukan server ini\. .*program lain.* \(.+\)$/,
  );
  expect(opened.source.current()).toBe(before);
  expect(failed.next_attempt_at).toBe(new Date(clock.nowMs + MINUTE_MS).toISOString());

  site.answer = opened.challengeFor;
  clock.nowMs += MINUTE_MS;
  const renewed = await opened.ended();
  expect(renewed).toMatchObject({ failed_attempts: 0, last_error: null });
  expect(opened.source.current()?.pair.cert).not.toBe(before?.pair.cert);
  expect(readFileSync(join(dataDir, 'tls/acme/account.key'), 'utf8')).toBe(account);
  await opened.stop();

  // A name that the directory does not accept: the certificate for the others serves on.
  const more = open({ ...pebble, domains: [...first.names, 'ditolak.desa.id'] });
  more.start();
  const refused = await more.ended();
  expect(refused.last_error?.message).toMatch(/^Penerbit menolak nama .*memeriksa nama domain/);
  expect(refused.certified_names).toEqual(first.names);
});

it('says in words why nothing can be reached, and how long a directory wants to be left alone', async () => {
  const nothingPort = await findFreePort();
  const pebble = await startPebble({ httpPort: nothingPort });
  onTestFinished(pebble.stop);
  const limited = await startFakeDirectory((response) => {
    response.setHeader('retry-after', '7200');
    answerProblem(response, 429, 'rateLimited', 'too many');
  });
  const nonces = await startFakeDirectory((response) => answerProblem(response, 400, 'badNonce', 'not this one'));
  const silent = await startFakeDirectory(() => undefined);
  const page = await startFakeDirectory((response) => void response.end('<html>'));
  const endless = await startFakeDirectory((response) => {
    const more = (): void => void (response.destroyed || response.write('x'.repeat(65_536), more));
    more();
  });
  const now = Date.now();
  const refusing = await startFakeDirectory((response) =>
    answerProblem(response, 403, 'unauthorized', 'account is deactivated'),
  );
  const ask = async (to: { directory: string; caFile?: string }, requestTimeoutMs = 30_000) => {
    const { dataDir, open } = createAcmeTest(now);
    const opened = open(to, { requestTimeoutMs });
    opened.start();
    const { last_error: error, next_attempt_at: next } = await opened.ended();
    const files = readdirSync(join(dataDir, 'tls/acme')).toSorted();
    return { message: error?.message ?? '', waitMs: Date.parse(next ?? '') - now, files };
  };

  const [closed, byLimit, byNonces, bySilence, byPage, byEndless, byAccount, unknown, gone, other] = await Promise.all([
    ask(pebble),
    ask(limited),
    ask(nonces),
    ask(silent, 200),
    ask(page),
    ask(endless),
    ask(refusing),
    ask({ directory: limited.directory }),
    ask({ directory: `https://127.0.0.1:${nothingPort}/dir` }),
    ask({ directory: `${page.origin}/lain`, caFile: page.caFile }),
  ]);
  expect(closed.message).toMatch(/^Penerbit sertifikat tidak dapat membuka http:\/\/(www\.)?pbb\.desa\.id\/ .*refused/);
  expect(byLimit.message).toMatch(/^Penerbit membatasi jumlah permintaan .*\(too many\)$/);
  expect(byLimit.waitMs).toBe(2 * HOUR_MS);
  // The library asks six times, each with a new nonce; no round of it is endless.
  expect(byNonces.message).toMatch(/sedang tidak dapat melayani\. .*\(not this one\)$/);
  expect(nonces.asked.filter((url) => url === '/account')).toHaveLength(18);
  expect(bySilence.message).toMatch(/tidak dapat dihubungi\. .*\(ETIMEDOUT\)$/);
  // The library would ask for ever.
  expect(byPage.message).toMatch(/bukan direktori ACME\. .*too many requests/);
  expect(page.asked.length).toBeLessThan(60);
  expect(byEndless.message).toMatch(/too long/);
  expect(byAccount.message).toMatch(/menolak akun server ini\. .*\(account is deactivated\)$/);
  expect(byAccount.files).toEqual(['account.key.rusak', 'state.json']);
  expect(unknown.message).toMatch(/tidak dipercaya komputer ini/);
  expect(gone.message).toMatch(/tidak dapat dihubungi\. .*ECONNREFUSED/);
  expect(other.message).toMatch(/bukan direktori ACME/);
  for (const { waitMs } of [closed, byNonces, bySilence, byPage, byEndless, byAccount, unknown, gone, other])
    expect(waitMs).toBe(MINUTE_MS);
});

it('ends at once when the server stops in the middle', async () => {
  const reached = Promise.withResolvers<void>();
  const silent = await startFakeDirectory(() => reached.resolve());
  const opened = createAcmeTest(Date.now()).open(silent);
  opened.start();
  await reached.promise;
  await opened.stop();
  expect(opened.status()).toMatchObject({ issuing: false, failed_attempts: 0, last_error: null });
});
