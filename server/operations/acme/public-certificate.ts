import { createPrivateKey, generateKeyPair, X509Certificate } from 'node:crypto';
import { promisify } from 'node:util';
import type { KeyAndCertificate } from '#server/operations/tls/certificates.ts';

/** A certificate of a public authority with its key, both in the data folder. */
export type PublicCertificate = {
  pair: KeyAndCertificate;
  /** Host names in lower case. */
  names: string[];
  validFromMs: number;
  validUntilMs: number;
};

/** The part of the lifetime that is left when a certificate is renewed: 30 days of 90. */
const RENEW_LEFT_PART = 1 / 3;

const generate = promisify(generateKeyPair);

/** @returns null when the texts are no certificate with its key */
export function readPublicCertificate({ key, cert }: KeyAndCertificate): PublicCertificate | null {
  try {
    // The first one of the chain is the server's.
    const parsed = new X509Certificate(cert);
    if (!parsed.checkPrivateKey(createPrivateKey(key))) return null;
    const names = [...(parsed.subjectAltName ?? '').matchAll(/(?:^|, )DNS:([\w.-]+)(?=,|$)/g)];
    return {
      pair: { key, cert },
      names: names.map(([, name = '']) => name.toLowerCase()),
      validFromMs: parsed.validFromDate.getTime(),
      validUntilMs: parsed.validToDate.getTime(),
    };
  } catch {
    return null;
  }
}

export const renewalDueMs = ({ validFromMs, validUntilMs }: PublicCertificate): number =>
  Math.round(validUntilMs - (validUntilMs - validFromMs) * RENEW_LEFT_PART);

export const coversNames = ({ names }: PublicCertificate, wanted: readonly string[]): boolean =>
  wanted.every((name) => names.includes(name));

/** A new key as PEM, of the account or of a certificate: P-256, which every browser and every directory knows. */
export async function makeKey(): Promise<string> {
  const { privateKey } = await generate('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

export function isKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'ec';
  } catch {
    return false;
  }
}
