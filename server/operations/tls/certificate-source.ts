import type { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import type { KeyAndCertificate } from './x509/certificates.ts';

/** Where the certificate comes from that https shows. */
export type CertificateSource = {
  current: () => KeyAndCertificate;
  /**
   * Looks whether there is something newer, or need of it.
   * @returns whether `current` is another one now
   * @throws ListenError when what is there cannot be used; `current` stays what it was
   */
  refresh: () => boolean;
  /** Those that the certificate itself says it is for, as they stand in a URL; null: this computer's own, whatever they are. */
  names: () => string[] | null;
  /** Whether the certificate is good for a host name or an address. */
  isValidFor: (host: string) => boolean;
  /** How often looking makes sense, in milliseconds. */
  refreshEveryMs: number;
  /** Whom devices have to be told to trust; null where they already do. */
  authority: LocalAuthority | null;
};

export type LocalAuthority = {
  /** As in `PBB Kita – kantor-1`. */
  name: string;
  certificate: Buffer;
  /** SHA-256, as devices show it: pairs of digits with colons. */
  fingerprint: string;
  /** SHA-1 in the same form: what Windows asks about. */
  thumbprint: string;
  /** As in `2036-11-18`. */
  validUntil: string;
};

/** Whether a certificate is good for a host name or an address. */
export const isCertificateValidFor = (certificate: X509Certificate, host: string): boolean =>
  (isIP(host) ? certificate.checkIP(host) : certificate.checkHost(host, { subject: 'never' })) !== undefined;
