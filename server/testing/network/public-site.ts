import type { AppDeps } from '#server/app.ts';

export type TestSite = NonNullable<AppDeps['publicSite']>;

/** Two public names with a certificate until August 2026. */
export function buildPublicSite(fields: Partial<TestSite> = {}): TestSite {
  return {
    domains: ['pbb.desa.id', 'www.pbb.desa.id'],
    hsts: false,
    challengeFor: async () => null,
    securePort: () => 443,
    retry: () => null,
    status: () => ({
      names: ['pbb.desa.id', 'www.pbb.desa.id'],
      certified_names: ['pbb.desa.id', 'www.pbb.desa.id'],
      valid_until: '2026-08-09T05:00:00.000Z',
      issuing: false,
      failed_attempts: 0,
      last_error: null,
      next_attempt_at: '2026-07-10T05:00:00.000Z',
    }),
    ...fields,
  };
}
