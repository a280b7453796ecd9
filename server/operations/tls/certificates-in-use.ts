import { join } from 'node:path';
import { hostname, networkInterfaces } from 'node:os';
import type { FastifyBaseLogger } from 'fastify';
import type { TlsSettings } from '#server/settings.ts';
import type { KeyAndCertificate } from './certificates.ts';
import { localAuthority } from './local-authority.ts';
import type { Machine } from './names.ts';
import { ownFiles } from './own-files.ts';
import type { CertificateSource } from './source.ts';

const thisMachine = (): Machine => ({ hostname: hostname(), interfaces: networkInterfaces() });

/**
 * What https shows by these settings: certificates from elsewhere before our own.
 * @returns null when https is off
 * @throws ListenError when what is there cannot be used
 */
export function openCertificates(
  { files, local }: TlsSettings,
  dataDir: string,
  now: () => number = Date.now,
): CertificateSource | null {
  if (files) return ownFiles(files, now);
  return local ? localAuthority({ folder: join(dataDir, 'tls'), machine: thisMachine, now }) : null;
}

/**
 * Looks for newer certificates for as long as the program runs.
 * @param apply gets each new one
 * @returns stops it
 */
export function keepFresh(
  source: CertificateSource,
  apply: (pair: KeyAndCertificate) => void,
  log: Pick<FastifyBaseLogger, 'info' | 'error'>,
): () => void {
  let lastFault = '';
  const timer = setInterval(() => {
    try {
      if (source.refresh()) {
        apply(source.current());
        log.info('https shows a new certificate');
      }
      lastFault = '';
    } catch (error) {
      const fault = String(error);
      // Once, not every minute of the night.
      if (fault !== lastFault) log.error({ err: error }, 'https keeps its old certificate: the new one cannot be used');
      lastFault = fault;
    }
  }, source.refreshEveryMs);
  timer.unref();
  return () => clearInterval(timer);
}
