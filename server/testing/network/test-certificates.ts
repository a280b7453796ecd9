import { createPrivateKey, X509Certificate } from 'node:crypto';
import { issueCertificate, makeAuthority, type KeyAndCertificate } from '#server/operations/tls/certificates.ts';

/** A certificate for host names and 127.0.0.1, valid for about a year, with the authority that issued it as PEM. */
export function issueTestCertificate(
  hosts: string[],
  nowMs: number = Date.now(),
): { pair: KeyAndCertificate; ca: string } {
  const made = makeAuthority('uji', { hosts: ['localhost'], networks: [['127.0.0.0', 8]] }, nowMs);
  const authority = new X509Certificate(made.cert);
  const signer = {
    name: 'PBB Kita – uji',
    key: createPrivateKey(made.key),
    publicKey: authority.publicKey,
    notAfterMs: authority.validToDate.getTime(),
  };
  return { pair: issueCertificate(signer, { hosts, addresses: ['127.0.0.1'] }, nowMs), ca: made.cert };
}
