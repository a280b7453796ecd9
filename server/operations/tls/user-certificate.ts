import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { createSecureContext } from 'node:tls';
import { errorCodeOrText } from '#server/files/atomic.ts';
import { ListenError } from '#server/http/listen/listen.ts';
import type { KeyAndCertificate } from './certificates.ts';
import { isCertificateValidFor, type CertificateSource } from './certificate-source.ts';
import { HOUR_MS } from '#shared/durations.ts';

type CertificateFiles = { cert: string; key: string };

/**
 * A certificate that the user supplies. The user renews it by replacing the files.
 * @throws ListenError with a line for the setting whose file cannot be used
 */
export function openUserCertificate(files: CertificateFiles, now: () => number): CertificateSource {
  let current = readPair(files, now());
  return {
    current: () => current,
    refresh: () => {
      const next = readPair(files, now());
      if (next.cert === current.cert && next.key === current.key) return false;
      current = next;
      return true;
    },
    names: () => listSubjectAltNames(current.cert),
    isValidFor: (host) => isCertificateValidFor(new X509Certificate(current.cert), host),
    refreshEveryMs: HOUR_MS,
    authority: null,
  };
}

/** Without wildcards, because they are no address. */
function listSubjectAltNames(cert: string): string[] {
  const listed = new X509Certificate(cert).subjectAltName ?? '';
  const found = [...listed.matchAll(/(?:^|, )(?:DNS|IP Address):([\w.:-]+)(?=,|$)/g)].map(([, name = '']) =>
    name.toLowerCase(),
  );
  return found.map((name) => (isIPv6(name) ? `[${name}]` : name));
}

function readPair(files: CertificateFiles, nowMs: number): KeyAndCertificate {
  const cert = readPem('TLS_CERT', files.cert);
  const key = readPem('TLS_KEY', files.key);
  const parsed = parseOrThrow(
    () => new X509Certificate(cert),
    fileErrorFactory('TLS_CERT', files.cert, 'bukan sertifikat PEM', 'berkas PEM dengan BEGIN CERTIFICATE'),
  );
  const parsedKey = parseOrThrow(
    () => createPrivateKey(key),
    fileErrorFactory(
      'TLS_KEY',
      files.key,
      'bukan kunci PEM yang terbuka',
      'berkas PEM dengan BEGIN PRIVATE KEY tanpa kata sandi',
    ),
  );
  if (!parsed.checkPrivateKey(parsedKey)) {
    throw fileErrorFactory(
      'TLS_KEY',
      files.key,
      'bukan kunci dari sertifikat di TLS_CERT',
      'kunci yang dibuat bersama sertifikat itu',
    )();
  }
  if (parsed.validToDate.getTime() <= nowMs) {
    const ended = `sudah habis masa berlakunya (${parsed.validToDate.toISOString().slice(0, 10)})`;
    throw fileErrorFactory('TLS_CERT', files.cert, ended, 'sertifikat yang masih berlaku')();
  }
  parseOrThrow(
    () => createSecureContext({ cert, key }),
    fileErrorFactory(
      'TLS_CERT',
      files.cert,
      'tidak diterima untuk TLS',
      'sertifikat dan kunci yang cukup kuat, misalnya RSA 2048 atau P-256',
    ),
  );
  return { cert, key };
}

function readPem(setting: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw fileErrorFactory(
      setting,
      file,
      `tidak dapat dibaca (${errorCodeOrText(error)})`,
      'berkas PEM yang boleh dibaca oleh program ini',
    )(error);
  }
}

function parseOrThrow<T>(read: () => T, toError: (cause: unknown) => ListenError): T {
  try {
    return read();
  } catch (error) {
    throw toError(error);
  }
}

/** The message never contains the content of the file: it may be a key. */
const fileErrorFactory =
  (setting: string, file: string, wrong: string, accepted: string) =>
  (cause?: unknown): ListenError =>
    new ListenError(`${setting}: berkas ${JSON.stringify(file)} ${wrong}; yang diterima: ${accepted}`, { cause });
