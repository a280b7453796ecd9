import { createPrivateKey, X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import { ListenError } from '#server/http/listen/listen.ts';
import {
  isOurName,
  issueCertificate,
  makeAuthority,
  readScope,
  type KeyAndCertificate,
  type Signer,
} from './certificates.ts';
import { keepToOwner, makeKeptFolder, moveAside, readKept, writeKept } from './kept-files.ts';
import { namesOf, scopeOf, type Machine, type Names, type Scope } from './names.ts';
import { isFor, type CertificateSource, type LocalAuthority } from './source.ts';

const RENEW_BEFORE_MS = 30 * 86_400_000;
/** Asking the computer for its addresses costs a fraction of a millisecond. */
const LOOK_EVERY_MS = 60_000;

type Deps = {
  /** `tls` in the data folder. */
  folder: string;
  machine: () => Machine;
  now: () => number;
};

/**
 * Certificates for a network that no public authority vouches for: our own authority, made once and kept, and under it
 * the server's certificate, made again when it gets old or the computer gets an address that it does not name.
 * @throws ListenError when what the folder holds cannot be used; nothing that devices trust is ever replaced by itself
 */
export function localAuthority({ folder, machine, now }: Deps): CertificateSource {
  const file = (name: string): string => join(folder, name);
  makeKeptFolder(folder);
  const { signer, scope, about, certificate } = openAuthority(folder, machine(), now());
  let current = readServer(file('server.crt'), file('server.key'));

  function refresh(): boolean {
    const names = namesOf(machine(), scope);
    if (current && isGood(current, certificate, names, now())) return false;
    const next = issueCertificate(signer, names, now());
    current = next;
    try {
      writeKept(file('server.key'), next.key);
      writeKept(file('server.crt'), next.cert);
    } catch {
      // Not kept (a full disk), it is as good until the next start, which makes another.
    }
    return true;
  }
  refresh();

  const source: CertificateSource = {
    current: () => {
      if (!current) throw new Error('refresh made one or threw');
      return current;
    },
    refresh,
    names: () => null,
    isFor: (host) => isFor(new X509Certificate(source.current().cert), host),
    refreshEveryMs: LOOK_EVERY_MS,
    authority: about,
  };
  return source;
}

type Opened = { signer: Signer; scope: Scope; about: LocalAuthority; certificate: X509Certificate };

function openAuthority(folder: string, machine: Machine, nowMs: number): Opened {
  const [keyFile, certFile] = [join(folder, 'ca.key'), join(folder, 'ca.crt')];
  const kept = readKept(certFile);
  if (kept !== null) {
    const opened = readAuthority(certFile, kept, keyFile, readKept(keyFile));
    keepToOwner(keyFile);
    if (opened.signer.notAfterMs - nowMs > RENEW_BEFORE_MS) return opened;
    // A clock that runs years ahead must not cost the office its authority: the old one can be put back.
    const ended = opened.about.validUntil;
    moveAside(certFile, join(folder, `ca-${ended}.crt`));
    moveAside(keyFile, join(folder, `ca-${ended}.key`));
  }
  // A key without a certificate is what a crash in the middle of this leaves: nobody trusts it yet.
  const made = makeAuthority(machine.hostname, scopeOf(machine), nowMs);
  writeKept(keyFile, made.key);
  writeKept(certFile, made.cert);
  return readAuthority(certFile, made.cert, keyFile, made.key);
}

function readAuthority(certFile: string, cert: string, keyFile: string, key: string | null): Opened {
  const fault = (file: string, wrong: string): ListenError =>
    new ListenError(
      `DATA_DIR: berkas "${file}" ${wrong}; yang diterima: berkas dari cadangan, atau hapus folder "tls" untuk membuat yang baru (semua perangkat harus diatur lagi untuk mempercayainya)`,
    );
  const certificate = orNull(() => new X509Certificate(cert));
  if (!certificate) throw fault(certFile, 'rusak');
  const name = commonNameOf(certificate);
  const scope = orNull(() => readScope(certificate.raw));
  if (!isOurName(name) || !certificate.ca || !scope || scope.hosts.length === 0)
    throw fault(certFile, 'bukan buatan PBB Kita');
  if (key === null) throw fault(keyFile, 'tidak ada');
  const privateKey = orNull(() => createPrivateKey(key));
  if (!privateKey) throw fault(keyFile, 'rusak');
  if (!certificate.checkPrivateKey(privateKey)) throw fault(keyFile, 'bukan pasangan "ca.crt"');
  const notAfterMs = certificate.validToDate.getTime();
  return {
    signer: { name, key: privateKey, publicKey: certificate.publicKey, notAfterMs },
    scope,
    about: {
      name,
      certificate: certificate.raw,
      fingerprint: certificate.fingerprint256,
      thumbprint: certificate.fingerprint,
      validUntil: certificate.validToDate.toISOString().slice(0, 10),
    },
    certificate,
  };
}

/** @returns null for what is not there or cannot be used: the server's own is made again at no cost to anybody */
function readServer(certFile: string, keyFile: string): KeyAndCertificate | null {
  const [cert, key] = [readKept(certFile), readKept(keyFile)];
  if (cert === null || key === null) return null;
  keepToOwner(keyFile);
  const [parsed, parsedKey] = [orNull(() => new X509Certificate(cert)), orNull(() => createPrivateKey(key))];
  if (parsed && !isOurName(issuerNameOf(parsed))) {
    throw new ListenError(
      `DATA_DIR: berkas "${certFile}" bukan buatan PBB Kita; yang diterima: sertifikat sendiri lewat TLS_CERT dan TLS_KEY, atau pindahkan berkas itu dari sana`,
    );
  }
  return parsed && parsedKey && parsed.checkPrivateKey(parsedKey) ? { cert, key } : null;
}

/** Whether it may go on being shown: of this authority, valid for a while, and for every name of the computer. */
function isGood({ cert }: KeyAndCertificate, authority: X509Certificate, names: Names, nowMs: number): boolean {
  const parsed = new X509Certificate(cert);
  const end = Math.min(authority.validToDate.getTime(), nowMs + RENEW_BEFORE_MS);
  return (
    parsed.verify(authority.publicKey) &&
    // One that seems to be of the future says that the clock is wrong, not that it is.
    parsed.validToDate.getTime() >= end &&
    [...names.hosts, ...names.addresses].every((name) => isFor(parsed, name))
  );
}

/** A foreign one may have several common names, or none. */
const commonNameOf = (certificate: X509Certificate): string => String(certificate.toLegacyObject().subject.CN ?? '');
const issuerNameOf = (certificate: X509Certificate): string => String(certificate.toLegacyObject().issuer.CN ?? '');

function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
