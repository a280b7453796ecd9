import { expect, it } from 'vitest';
import type { SystemInfo } from '#shared/api/system.ts';
import { buildAdmin, buildTestUser } from '#server/testing/factories.ts';
import { buildPublicSite } from '#server/testing/network/public-site.ts';
import { buildTestApp, type TestApp } from '#server/testing/test-app.ts';

const METRICS_TOKEN = 'a-token-for-metrics';

const readInfo = async (test: TestApp): Promise<SystemInfo> =>
  (await test.call('GET', '/api/admin/system', { token: buildAdmin(test).token })).body.data;

const scrape = async (test: TestApp): Promise<string> =>
  (await test.call('GET', '/metrics', { token: METRICS_TOKEN })).raw.toString();

it('tells admins and Prometheus until when the certificate is valid', async () => {
  const test = await buildTestApp({ publicSite: buildPublicSite(), metricsToken: METRICS_TOKEN });
  const info = await readInfo(test);
  expect(info.public).toEqual({
    domains: ['pbb.desa.id', 'www.pbb.desa.id'],
    address: 'https://pbb.desa.id',
    certificate: {
      missing_names: [],
      valid_until: '2026-08-09T05:00:00.000Z',
      issuing: false,
      failed_attempts: 0,
      last_error: null,
      next_attempt_at: '2026-07-10T05:00:00.000Z',
    },
  });
  const text = await scrape(test);
  expect(text).toContain(`\npbb_certificate_end_seconds ${Date.parse('2026-08-09T05:00:00Z') / 1000}\n`);
  expect(text).toContain('\npbb_acme_failed_attempts 0\n');
  expect(text).toContain(`\npbb_acme_next_attempt_seconds ${Date.parse('2026-07-10T05:00:00Z') / 1000}\n`);
  for (const name of ['pbb_push_subscriptions', 'pbb_push_waiting', 'pbb_push_sent_total', 'pbb_push_failed_total'])
    expect(text).toContain(`\n${name} 0\n`);
});

it('tells them why there is none, which names are missing, and on which port https is', async () => {
  const last_error = { at: '2026-06-10T04:00:00.000Z', message: 'Porta 80 tidak terjangkau. Periksa router.' };
  const none = buildPublicSite({ securePort: () => null });
  const { status } = none;
  const failed = { valid_until: null, certified_names: [], failed_attempts: 3, last_error, issuing: true };
  const test = await buildTestApp({
    publicSite: { ...none, status: () => ({ ...status(), ...failed }) },
    metricsToken: METRICS_TOKEN,
  });
  expect((await readInfo(test)).public).toMatchObject({
    address: null,
    certificate: {
      missing_names: ['pbb.desa.id', 'www.pbb.desa.id'],
      valid_until: null,
      issuing: true,
      failed_attempts: 3,
      last_error,
    },
  });
  const text = await scrape(test);
  expect(text).toContain('\npbb_acme_failed_attempts 3\n');
  // No value is better than a wrong one.
  expect(text).not.toMatch(/^pbb_certificate_end_seconds /m);

  const other = await buildTestApp({
    publicSite: buildPublicSite({
      securePort: () => 8443,
      status: () => ({ ...status(), certified_names: ['pbb.desa.id'] }),
    }),
  });
  expect((await readInfo(other)).public).toMatchObject({
    address: 'https://pbb.desa.id:8443',
    certificate: { missing_names: ['www.pbb.desa.id'] },
  });
});

it('says nothing of certificates in an office without a public name', async () => {
  const test = await buildTestApp({ metricsToken: METRICS_TOKEN });
  expect((await readInfo(test)).public).toBeNull();
  expect(await scrape(test)).not.toMatch(/^pbb_(certificate|acme)_\w+ /m);
});

it('lets admins ask for the certificate again after a failure, and says why it must wait', async () => {
  const answers = [0, 90_000, null];
  const test = await buildTestApp({ publicSite: buildPublicSite({ retry: () => answers.shift() ?? null }) });
  const retry = (token?: string) => test.call('POST', '/api/admin/system/certificate/retry', { token });
  const { token } = buildAdmin(test);
  expect([(await retry()).status, (await retry(buildTestUser(test).token)).status]).toEqual([401, 403]);
  expect((await retry(token)).body.data).toMatchObject({ address: 'https://pbb.desa.id' });
  expect(await retry(token)).toMatchObject({
    status: 429,
    headers: { 'retry-after': '90' },
    body: { message: 'Penerbit sertifikat membatasi jumlah permintaan. Coba lagi dalam 2 menit.' },
  });
  expect((await retry(token)).status).toBe(409);
  const local = await buildTestApp();
  const path = '/api/admin/system/certificate/retry';
  expect((await local.call('POST', path, { token: buildAdmin(local).token })).status).toBe(409);
});
