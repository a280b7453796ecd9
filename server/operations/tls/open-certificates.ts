import { join } from 'node:path';
import { hostname, networkInterfaces } from 'node:os';
import type { FastifyBaseLogger } from 'fastify';
import type { TlsSettings } from '#server/settings.ts';
import type { KeyAndCertificate } from './certificates.ts';
import { openLocalAuthority } from './local-authority.ts';
import type { HostNetwork } from './host-names.ts';
import { openUserCertificate } from './user-certificate.ts';
import type { CertificateSource } from './certificate-source.ts';

const readHostNetwork = (): HostNetwork => ({ hostname: hostname(), interfaces: networkInterfaces() });

/**
 * Opens the certificates by the settings. The user's own certificate has priority over the local authority.
 * @returns null when https is off
 * @throws ListenError when the files cannot be used
 */
export function openCertificates(
  { files, local }: TlsSettings,
  dataDir: string,
  now: () => number = Date.now,
): CertificateSource | null {
  if (files) return openUserCertificate(files, now);
  return local ? openLocalAuthority({ folder: join(dataDir, 'tls'), readHost: readHostNetwork, now }) : null;
}

/**
 * Checks for newer certificates while the program runs.
 * @param apply called with each new certificate
 * @returns a function that stops it
 */
export function watchCertificates(
  source: CertificateSource,
  apply: (pair: KeyAndCertificate) => void,
  log: Pick<FastifyBaseLogger, 'info' | 'error'>,
): () => void {
  let lastError = '';
  const timer = setInterval(() => {
    try {
      if (source.refresh()) {
        apply(source.current());
        log.info('https shows a new certificate');
      }
      lastError = '';
    } catch (error) {
      const message = String(error);
      // Each error is logged once, not every minute.
      if (message !== lastError)
        log.error({ err: error }, 'https keeps its old certificate: the new one cannot be used');
      lastError = message;
    }
  }, source.refreshEveryMs);
  timer.unref();
  return () => clearInterval(timer);
}
