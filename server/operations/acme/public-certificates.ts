import type { FastifyBaseLogger } from 'fastify';
import type { PublicTlsSettings } from '#server/settings.ts';
import { openAcmeFiles } from './acme-files.ts';
import type { AcmeStatus } from './acme-status.ts';
import { createChallenges } from './challenges.ts';
import { renewalDueMs, type PublicCertificate } from './public-certificate.ts';

type Deps = { now?: () => number };

/** The certificate for the public names, as the listener shows it. */
export type PublicCertificateSource = {
  /** null until the first one arrives. */
  current: () => PublicCertificate | null;
  /** Called with each new certificate, the first one included. */
  onChange: (listener: (certificate: PublicCertificate) => void) => void;
};

export type PublicCertificates = {
  source: PublicCertificateSource;
  status: () => AcmeStatus;
  /** @returns the answer to an ACME challenge; null for a token that nobody asked for */
  challengeFor: (token: string) => string | null;
  /** Gets and renews certificates from now on. The challenges must be reachable by then. */
  start: (log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>) => void;
  stop: () => Promise<void>;
};

/** Certificates for the names in `TLS_DOMAIN` from an ACME directory. */
export function openPublicCertificates(
  { domains }: PublicTlsSettings,
  dataDir: string,
  { now = Date.now }: Deps = {},
): PublicCertificates {
  const files = openAcmeFiles(dataDir);
  const challenges = createChallenges();
  const current = files.readCertificate();
  const listeners: ((certificate: PublicCertificate) => void)[] = [];

  return {
    source: { current: () => current, onChange: (listener) => void listeners.push(listener) },
    status: () => {
      const usable = current && current.validUntilMs > now() ? current : null;
      return {
        names: domains,
        certified_names: usable?.names ?? [],
        valid_until: usable && new Date(usable.validUntilMs).toISOString(),
        issuing: false,
        failed_attempts: 0,
        last_error: null,
        next_attempt_at: new Date(usable ? renewalDueMs(usable) : now()).toISOString(),
      };
    },
    challengeFor: challenges.find,
    start: () => {},
    stop: async () => {},
  };
}
