import { X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/durations.ts';
import { ListenError } from '#server/http/listen/listen.ts';
import { issueTestCertificate } from '#server/testing/network/test-certificates.ts';
import { AcmeFailure } from './acme-failure.ts';
import type { OrderRequest } from './certificate-order.ts';
import { createAcmeTest } from '#server/testing/acme/open-for-test.ts';

/** Certificates from an order that the test answers itself; pebble.test.ts asks a real directory. */

const NOW = Date.UTC(2026, 10, 20, 8);
const DIRECTORY = { directory: 'https://acme.test/dir' };

const issue = ({ names }: Pick<OrderRequest, 'names'>, nowMs = NOW) => issueTestCertificate(names, nowMs).pair;

describe('openPublicCertificates', () => {
  it('gets one certificate for all names, keeps it for its owner only, and shows it after a restart without asking', async () => {
    const { dataDir, clock, open } = createAcmeTest(NOW);
    const order = vi.fn(async (request: OrderRequest) => issue(request));
    const first = open(DIRECTORY, { order });
    expect(first.status()).toEqual({
      names: ['pbb.desa.id', 'www.pbb.desa.id'],
      certified_names: [],
      valid_until: null,
      issuing: false,
      failed_attempts: 0,
      last_error: null,
      next_attempt_at: '2026-11-20T08:00:00.000Z',
    });
    // Opening alone writes nothing: doctor does it.
    expect(readdirSync(dataDir)).toEqual([]);
    const shown: string[][] = [];
    first.source.onChange(({ names }) => shown.push(names));
    first.start();
    expect(first.status()).toMatchObject({ issuing: true, failed_attempts: 0, next_attempt_at: null });
    const status = await first.ended();
    expect(status).toMatchObject({ certified_names: status.names, valid_until: '2027-12-21T08:00:00.000Z' });
    // A third of 397 days before its end.
    expect(status.next_attempt_at).toBe('2027-08-11T00:00:00.000Z');
    expect(shown).toEqual([status.names]);
    const folder = join(dataDir, 'tls/acme');
    expect(readdirSync(folder).toSorted()).toEqual(['account.key', 'certificate.pem', 'state.json']);
    for (const path of ['', ...readdirSync(folder)]) expect(statSync(join(folder, path)).mode & 0o077).toBe(0);

    clock.nowMs += 30 * DAY_MS;
    const second = open(DIRECTORY, { order });
    expect(second.source.current()?.pair).toEqual(first.source.current()?.pair);
    second.start();
    expect(second.status().issuing).toBe(false);
    expect(order).toHaveBeenCalledOnce();
  });

  it('shows the old certificate while a renewal fails, and the new one from then on', async () => {
    const { clock, open } = createAcmeTest(NOW);
    let isBroken = false;
    const order = async (request: OrderRequest) => {
      if (isBroken) throw new Error('x');
      return issue(request, clock.nowMs);
    };
    const opened = open(DIRECTORY, { order });
    opened.start();
    const { valid_until: first } = await opened.ended();
    isBroken = true;
    clock.nowMs = Date.parse(opened.status().next_attempt_at ?? '');
    expect(await opened.ended()).toMatchObject({
      valid_until: first,
      failed_attempts: 1,
      last_error: { at: new Date(clock.nowMs).toISOString(), message: expect.stringContaining('(Error: x)') as string },
      next_attempt_at: new Date(clock.nowMs + MINUTE_MS).toISOString(),
    });
    isBroken = false;
    clock.nowMs += MINUTE_MS;
    const renewed = await opened.ended();
    expect(renewed).toMatchObject({ failed_attempts: 0, last_error: null });
    expect(Date.parse(renewed.valid_until ?? '') - clock.nowMs).toBe(396 * DAY_MS);
  });

  it('asks again at once when an admin wants it after a failure, within the limits of the directory', async () => {
    const { clock, open } = createAcmeTest(NOW);
    let failure: Error | null = new AcmeFailure('connection', 'x');
    const order = vi.fn(async (request: OrderRequest) => {
      if (failure) throw failure;
      return issue(request, clock.nowMs);
    });
    const opened = open(DIRECTORY, { order, checkEveryMs: DAY_MS });
    expect(opened.retry()).toBeNull();
    opened.start();
    await opened.ended();
    for (let attempt = 2; attempt <= 5; attempt += 1) {
      expect(opened.retry()).toBe(0);
      // Pressed twice.
      expect(opened.retry()).toBe(0);
      await opened.ended();
    }
    expect([opened.retry(), order.mock.calls.length]).toEqual([HOUR_MS, 5]);
    clock.nowMs += HOUR_MS;
    failure = new AcmeFailure('rateLimited', 'x', { retryAfterMs: 3 * HOUR_MS });
    expect(opened.retry()).toBe(0);
    await opened.ended();
    // Also over a restart.
    await opened.stop();
    const next = open(DIRECTORY, { order, checkEveryMs: DAY_MS });
    next.start();
    clock.nowMs += HOUR_MS;
    expect(next.retry()).toBe(2 * HOUR_MS);
    clock.nowMs += 2 * HOUR_MS;
    failure = null;
    expect(next.retry()).toBe(0);
    expect(await next.ended()).toMatchObject({ failed_attempts: 0, last_error: null });
    expect(next.retry()).toBeNull();
    expect(order).toHaveBeenCalledTimes(7);
  });

  it('waits after an attempt that a crash broke off, and names no failure after an orderly stop', async () => {
    const { open } = createAcmeTest(NOW);
    const begun = Promise.withResolvers<void>();
    const order = ({ signal }: OrderRequest) =>
      new Promise<never>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')));
        begun.resolve();
      });
    const killed = open(DIRECTORY, { order });
    killed.start();
    await begun.promise;
    const wait = { issuing: false, next_attempt_at: new Date(NOW + MINUTE_MS).toISOString() };
    expect(open(DIRECTORY).status()).toMatchObject({ ...wait, failed_attempts: 1 });
    await killed.stop();
    expect(killed.status()).toMatchObject({ ...wait, failed_attempts: 0, last_error: null });
    const next = open(DIRECTORY, { order });
    next.start();
    expect(next.status()).toMatchObject(wait);
  });

  it('puts damaged files aside and asks again', async () => {
    const { dataDir, clock, open } = createAcmeTest(NOW);
    const order = vi.fn(async (request: OrderRequest) => issue(request));
    const first = open(DIRECTORY, { order });
    first.start();
    await first.ended();
    await first.stop();
    const folder = join(dataDir, 'tls/acme');
    for (const name of readdirSync(folder)) writeFileSync(join(folder, name), '{"rusak":');
    clock.nowMs += HOUR_MS;
    const second = open(DIRECTORY, { order });
    expect(second.status()).toMatchObject({ valid_until: null, last_error: null });
    second.start();
    await second.ended();
    expect(second.logged.filter(([level]) => level === 'warn').map(([, text]) => text)).toEqual([
      'the certificate in the data folder is damaged: it is put aside, and another one asked for',
      'the ACME account key is damaged: it is put aside, and another account made',
    ]);
    expect(readdirSync(folder)).toEqual(
      expect.arrayContaining(['account.key', 'account.key.rusak', 'certificate.pem', 'certificate.pem.rusak']),
    );
    const [, again] = order.mock.calls.map(([{ accountKey }]) => accountKey);
    expect(readFileSync(join(folder, 'account.key'), 'utf8')).toBe(again);
    // A key without its certificate is no certificate either.
    const { key } = second.source.current()?.pair ?? { key: '' };
    writeFileSync(join(folder, 'certificate.pem'), key + issueTestCertificate(['pbb.desa.id']).pair.cert);
    expect(open(DIRECTORY).source.current()).toBeNull();
  });

  it('uses a certificate that it cannot save, and saves it later', async () => {
    const { dataDir, open } = createAcmeTest(NOW);
    // A folder in the place of the temporary file refuses to be written, also for root.
    const obstacle = join(dataDir, 'tls/acme/certificate.pem.new');
    const order = async (request: OrderRequest) => {
      mkdirSync(join(obstacle, 'x'), { recursive: true });
      return issue(request);
    };
    const opened = open(DIRECTORY, { order });
    const failures: string[] = [];
    opened.onFailure(({ last_error: error }) => failures.push(error?.message ?? ''));
    opened.start();
    const status = await opened.ended();
    expect(status).toMatchObject({ certified_names: status.names, failed_attempts: 0 });
    expect(status.last_error?.message).toMatch(/^Sertifikat tidak dapat disimpan di folder data\. Periksa ruang disk/);
    expect(failures).toEqual([status.last_error?.message]);
    rmSync(obstacle, { recursive: true });
    await expect.poll(() => opened.status().last_error).toBeNull();
    expect(open(DIRECTORY).source.current()?.pair).toEqual(opened.source.current()?.pair);
  });

  it('does not ask a directory at all while nothing can be written', async () => {
    const { dataDir, open } = createAcmeTest(NOW);
    const order = vi.fn(async (request: OrderRequest) => issue(request));
    const opened = open(DIRECTORY, { order });
    mkdirSync(join(dataDir, 'tls/acme/state.json.new/x'), { recursive: true });
    opened.start();
    expect((await opened.ended()).last_error?.message).toMatch(/^Sertifikat tidak dapat disimpan/);
    expect(order).not.toHaveBeenCalled();
    expect(opened.status().next_attempt_at).toBe(new Date(NOW + MINUTE_MS).toISOString());
  });

  it.each([
    ['for other names', () => issue({ names: ['pbb.desa.id'] })],
    ['that has ended', (request: OrderRequest) => issue(request, NOW - 500 * DAY_MS)],
    ['of another key', (request: OrderRequest) => ({ ...issue(request), key: issue(request).key })],
    ['that is none', () => ({ key: 'x', cert: '<html>' })],
  ])('refuses a certificate %s', async (_what, answer) => {
    const { dataDir, open } = createAcmeTest(NOW);
    const opened = open(DIRECTORY, { order: async (request) => answer(request) });
    opened.start();
    expect((await opened.ended()).last_error?.message).toMatch(/^Sertifikat yang dikirim penerbit tidak dapat dipakai/);
    expect(opened.source.current()).toBeNull();
    expect(existsSync(join(dataDir, 'tls/acme/certificate.pem'))).toBe(false);
  });

  it('refuses a start with an ACME_CA that is no certificate', () => {
    const { dataDir, open } = createAcmeTest(NOW);
    const file = join(dataDir, 'ca.pem');
    const opening = (): unknown => open({ ...DIRECTORY, caFile: file });
    expect(opening).toThrow(ListenError);
    expect(opening).toThrow(/^ACME_CA: berkas ".*ca\.pem" tidak dapat dibaca \(ENOENT\); yang diterima: berkas PEM/);
    writeFileSync(file, 'bukan sertifikat');
    expect(opening).toThrow(/^ACME_CA: berkas ".*ca\.pem" bukan sertifikat PEM; yang diterima: /);
  });

  it('reads a certificate with its whole chain', async () => {
    const { open } = createAcmeTest(NOW);
    const { pair, ca } = issueTestCertificate(['pbb.desa.id', 'www.pbb.desa.id'], NOW);
    const opened = open(DIRECTORY, { order: async () => ({ ...pair, cert: `${pair.cert}\n${ca}` }) });
    opened.start();
    await opened.ended();
    const again = open(DIRECTORY).source.current();
    expect(again?.pair.cert.match(/BEGIN CERTIFICATE/g)).toHaveLength(2);
    expect(new X509Certificate(again?.pair.cert ?? '').checkHost('www.pbb.desa.id')).toBe('www.pbb.desa.id');
  });
});
