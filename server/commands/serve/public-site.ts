import type { AppDeps } from '#server/app.ts';
import type { PublicCertificates } from '#server/operations/acme/public-certificates.ts';
import type { PublicTlsSettings } from '#server/settings.ts';

/** @param securePort the port on which https listens; null while it does not */
export function describePublicSite(
  { domains, hsts }: PublicTlsSettings,
  { source, status, retry, challengeFor }: PublicCertificates,
  securePort: () => number | null,
): NonNullable<AppDeps['publicSite']> {
  return {
    domains,
    hsts,
    challengeFor,
    status,
    retry,
    // A name that was added later is not in the certificate yet.
    securePort: (domain) => (source.current()?.names.includes(domain) ? securePort() : null),
  };
}
