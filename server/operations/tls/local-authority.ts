// `toLegacyObject` loads a part of `tls`. If that comes before `tls` itself, Node leaves out tls.createSecureContext.
import 'node:tls';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import { restrictToOwner } from '#server/files/atomic.ts';
import { ListenError } from '#server/http/listen/listen.ts';
import {
  isAuthorityName,
  issueCertificate,
  makeAuthority,
  readNameConstraints,
  type KeyAndCertificate,
  type Signer,
} from './certificates.ts';
import { makeSecretFolder, readSecretFile, renameSecretFile, writeSecretFile } from './secret-files.ts';
import {
  chooseNameConstraints,
  listServerNames,
  type HostNetwork,
  type NameConstraints,
  type ServerNames,
} from './host-names.ts';
import { isCertificateValidFor, type CertificateSource, type LocalAuthority } from './certificate-source.ts';
import { DAY_MS } from '#shared/durations.ts';

const RENEW_BEFORE_MS = 30 * DAY_MS;
/** Reading the addresses of the computer takes a fraction of a millisecond. */
const REFRESH_EVERY_MS = 60_000;

type Deps = {
  /** `tls` in the data folder. */
  folder: string;
  readHost: () => HostNetwork;
  now: () => number;
};

/**
 * Certificates for a network without a public authority (R-SYS-18). The authority is created once. Its server certificate is
 * issued again when it gets old, or when the computer gets an address that is not in it.
 * @throws ListenError when the files of the folder cannot be used; an authority is never replaced by itself
 */
export function openLocalAuthority({ folder, readHost, now }: Deps): CertificateSource {
  const file = (name: string): string => join(folder, name);
  makeSecretFolder(folder);
  const { signer, constraints, description, certificate } = loadOrCreateAuthority(folder, readHost(), now());
  let current = readServerCertificate(file('server.crt'), file('server.key'));

  function refresh(): boolean {
    const names = listServerNames(readHost(), constraints);
    if (current && isStillUsable(current, certificate, names, now())) return false;
    const next = issueCertificate(signer, names, now());
    current = next;
    try {
      writeSecretFile(file('server.key'), next.key);
      writeSecretFile(file('server.crt'), next.cert);
    } catch {
      // A certificate that could not be written (full disk) works until the next start, which issues another.
    }
    return true;
  }
  refresh();

  const source: CertificateSource = {
    current: () => {
      if (!current) throw new Error('refresh issued a certificate or threw');
      return current;
    },
    refresh,
    names: () => null,
    isValidFor: (host) => isCertificateValidFor(new X509Certificate(source.current().cert), host),
    refreshEveryMs: REFRESH_EVERY_MS,
    authority: description,
  };
  return source;
}

type LoadedAuthority = {
  signer: Signer;
  constraints: NameConstraints;
  description: LocalAuthority;
  certificate: X509Certificate;
};

function loadOrCreateAuthority(folder: string, host: HostNetwork, nowMs: number): LoadedAuthority {
  const [keyFile, certFile] = [join(folder, 'ca.key'), join(folder, 'ca.crt')];
  const stored = readSecretFile(certFile);
  if (stored !== null) {
    const loaded = readAuthority(certFile, stored, keyFile, readSecretFile(keyFile));
    restrictToOwner(keyFile);
    if (loaded.signer.notAfterMs - nowMs > RENEW_BEFORE_MS) return loaded;
    // The clock may be years ahead by mistake: the old authority is kept, so that it can be restored by hand.
    const ended = loaded.description.validUntil;
    renameSecretFile(certFile, join(folder, `ca-${ended}.crt`));
    renameSecretFile(keyFile, join(folder, `ca-${ended}.key`));
  }
  // A crash between the two writes leaves a key without a certificate. No device trusts it yet.
  const made = makeAuthority(host.hostname, chooseNameConstraints(host), nowMs);
  writeSecretFile(keyFile, made.key);
  writeSecretFile(certFile, made.cert);
  return readAuthority(certFile, made.cert, keyFile, made.key);
}

function readAuthority(certFile: string, cert: string, keyFile: string, key: string | null): LoadedAuthority {
  const fileError = (file: string, wrong: string): ListenError =>
    new ListenError(
      `DATA_DIR: berkas "${file}" ${wrong}; yang diterima: berkas dari cadangan, atau hapus folder "tls" untuk membuat yang baru (semua perangkat harus diatur lagi untuk mempercayainya)`,
    );
  const certificate = tryOrNull(() => new X509Certificate(cert));
  if (!certificate) throw fileError(certFile, 'rusak');
  const name = commonNameOf(certificate);
  const constraints = tryOrNull(() => readNameConstraints(certificate.raw));
  if (!isAuthorityName(name) || !certificate.ca || !constraints || constraints.hosts.length === 0)
    throw fileError(certFile, 'bukan buatan PBB Kita');
  if (key === null) throw fileError(keyFile, 'tidak ada');
  const privateKey = tryOrNull(() => createPrivateKey(key));
  if (!privateKey) throw fileError(keyFile, 'rusak');
  if (!certificate.checkPrivateKey(privateKey)) throw fileError(keyFile, 'bukan pasangan "ca.crt"');
  const notAfterMs = certificate.validToDate.getTime();
  return {
    signer: { name, key: privateKey, publicKey: certificate.publicKey, notAfterMs },
    constraints,
    description: {
      name,
      certificate: certificate.raw,
      fingerprint: certificate.fingerprint256,
      thumbprint: certificate.fingerprint,
      validUntil: certificate.validToDate.toISOString().slice(0, 10),
    },
    certificate,
  };
}

/** @returns null when it is missing or cannot be used: a server certificate can be issued again without any work */
function readServerCertificate(certFile: string, keyFile: string): KeyAndCertificate | null {
  const [cert, key] = [readSecretFile(certFile), readSecretFile(keyFile)];
  if (cert === null || key === null) return null;
  restrictToOwner(keyFile);
  const [parsed, parsedKey] = [tryOrNull(() => new X509Certificate(cert)), tryOrNull(() => createPrivateKey(key))];
  if (parsed && !isAuthorityName(issuerNameOf(parsed))) {
    throw new ListenError(
      `DATA_DIR: berkas "${certFile}" bukan buatan PBB Kita; yang diterima: sertifikat sendiri lewat TLS_CERT dan TLS_KEY, atau pindahkan berkas itu dari sana`,
    );
  }
  return parsed && parsedKey && parsed.checkPrivateKey(parsedKey) ? { cert, key } : null;
}

/** Whether the certificate is of this authority, valid long enough, and valid for every name of the computer. */
function isStillUsable(
  { cert }: KeyAndCertificate,
  authority: X509Certificate,
  names: ServerNames,
  nowMs: number,
): boolean {
  const parsed = new X509Certificate(cert);
  const end = Math.min(authority.validToDate.getTime(), nowMs + RENEW_BEFORE_MS);
  return (
    parsed.verify(authority.publicKey) &&
    // The start of validity is not checked: one in the future only shows that the clock is wrong.
    parsed.validToDate.getTime() >= end &&
    [...names.hosts, ...names.addresses].every((name) => isCertificateValidFor(parsed, name))
  );
}

/** A foreign certificate may have several common names, or none. */
const commonNameOf = (certificate: X509Certificate): string => String(certificate.toLegacyObject().subject.CN ?? '');
const issuerNameOf = (certificate: X509Certificate): string => String(certificate.toLegacyObject().issuer.CN ?? '');

function tryOrNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
