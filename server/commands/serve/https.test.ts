import { expect, it } from 'vitest';
import { DAY_MS } from '#shared/durations.ts';
import { issueTestCertificate } from '#server/testing/network/test-certificates.ts';
import { createAcmeTest } from '#server/testing/acme/open-for-test.ts';
import { describePublicSite } from './https.ts';

it('leads to https once there is a certificate for the name, also after its end (R-ACME-21)', async () => {
  const now = Date.UTC(2026, 10, 20);
  const { clock, open } = createAcmeTest(now);
  const opened = open(
    { directory: 'https://acme.test/dir' },
    { order: async ({ names }) => issueTestCertificate(names, now).pair },
  );
  const settings = { domains: ['pbb.desa.id', 'lain.desa.id'], email: null, directory: '', caFile: null, hsts: false };
  const { securePort } = describePublicSite(settings, opened, () => 443);
  expect(securePort('pbb.desa.id')).toBeNull();
  opened.start();
  await opened.ended();
  expect([securePort('pbb.desa.id'), securePort('lain.desa.id')]).toEqual([443, null]);
  await opened.stop();
  clock.nowMs += 1000 * DAY_MS;
  expect(opened.status().valid_until).toBeNull();
  expect(securePort('pbb.desa.id')).toBe(443);
});
