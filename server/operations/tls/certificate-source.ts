import type { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import type { KeyAndCertificate } from './certificates.ts';

/** Provides the certificate for https. */
export type CertificateSource = {
  current: () => KeyAndCertificate;
  /**
   * Checks for a newer certificate, or issues one when it is needed.
   * @returns whether `current` has changed
   * @throws ListenError when the new certificate cannot be used; `current` is unchanged then
   */
  refresh: () => boolean;
  /** The names in the certificate, as in a URL; null when they are the names of this computer. */
  names: () => string[] | null;
  /** Whether the certificate is valid for a host name or an address. */
  isValidFor: (host: string) => boolean;
  /** The interval for `refresh`, in milliseconds. */
  refreshEveryMs: number;
  /** The authority that devices must learn to trust; null when they already do. */
  authority: LocalAuthority | null;
};

export type LocalAuthority = {
  /** As in `PBB Kita – kantor-1`. */
  name: string;
  certificate: Buffer;
  /** SHA-256 as devices show it: pairs of digits with colons. */
  fingerprint: string;
  /** SHA-1 in the same form. Windows shows this one. */
  thumbprint: string;
  /** As in `2036-11-18`. */
  validUntil: string;
};

/** Whether a certificate is valid for a host name or an address. */
export const isCertificateValidFor = (certificate: X509Certificate, host: string): boolean =>
  (isIP(host) ? certificate.checkIP(host) : certificate.checkHost(host, { subject: 'never' })) !== undefined;
