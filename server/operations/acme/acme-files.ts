import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { restrictToOwner } from '#server/files/atomic.ts';
import {
  makeSecretFolder,
  readSecretFile,
  renameSecretFile,
  writeSecretFile,
} from '#server/operations/tls/secret-files.ts';
import type { KeyAndCertificate } from '#server/operations/tls/certificates.ts';
import { readPublicCertificate, type PublicCertificate } from './public-certificate.ts';

const ACCOUNT_FILE = 'account.key';
/** The key and the chain in one file, so that a crash cannot leave two that do not belong together. */
const CERTIFICATE_FILE = 'certificate.pem';
const STATE_FILE = 'state.json';
const KEY_END = /-----END (?:EC )?PRIVATE KEY-----\s*/;

const instantMs = z.number().int().nonnegative();
const stateSchema = z.object({
  directory: z.string(),
  names: z.array(z.string()),
  /** The times of the attempts; those of the last hour are enough. */
  attempts: z.array(instantMs),
  failed_attempts: z.number().int().nonnegative(),
  not_before: instantMs,
  /** The directory itself asks for a pause until then; no admin may shorten it. */
  asked_until: instantMs.default(0),
  last_error: z.object({ at: instantMs, message: z.string() }).nullable(),
  /** The directory that issued the certificate in the folder; null when that is not known. */
  issued_by: z.string().nullable(),
});
/** The state that survives a restart, so that restarts are no way around the limits of the directory. */
export type AcmeState = z.infer<typeof stateSchema>;

export type AcmeFiles = {
  readState: () => AcmeState | null;
  /** @throws ListenError when it cannot be written */
  writeState: (state: AcmeState) => void;
  readCertificate: () => PublicCertificate | null;
  /** @throws ListenError when it cannot be written */
  writeCertificate: (pair: KeyAndCertificate) => void;
  readAccountKey: () => string | null;
  /** @throws ListenError when it cannot be written */
  writeAccountKey: (pem: string) => void;
  hasCertificate: () => boolean;
  /** Keeps a file that cannot be used beside the new one. */
  putAside: (file: 'account' | 'certificate') => void;
  /** A folder that was copied may be readable for all. */
  restrict: () => void;
};

export const acmeFolder = (dataDir: string): string => join(dataDir, 'tls', 'acme');

/** The files of the ACME client. Only their owner may read them. Reading makes no folder. */
export function openAcmeFiles(dataDir: string): AcmeFiles {
  const folder = acmeFolder(dataDir);
  const file = (name: string): string => join(folder, name);
  const write = (name: string, text: string): void => {
    makeSecretFolder(join(dataDir, 'tls'));
    makeSecretFolder(folder);
    writeSecretFile(file(name), text);
  };
  const read = (name: string): string | null => readSecretFile(file(name));
  return {
    readState: () => parseState(read(STATE_FILE)),
    writeState: (state) => write(STATE_FILE, `${JSON.stringify(state)}\n`),
    readCertificate: () => {
      const pair = splitPair(read(CERTIFICATE_FILE));
      return pair && readPublicCertificate(pair);
    },
    writeCertificate: ({ key, cert }) => write(CERTIFICATE_FILE, `${key.trimEnd()}\n${cert.trimEnd()}\n`),
    hasCertificate: () => existsSync(file(CERTIFICATE_FILE)),
    readAccountKey: () => read(ACCOUNT_FILE),
    writeAccountKey: (pem) => write(ACCOUNT_FILE, pem),
    putAside: (which) => {
      const from = file(which === 'account' ? ACCOUNT_FILE : CERTIFICATE_FILE);
      if (existsSync(from)) renameSecretFile(from, `${from}.rusak`);
    },
    restrict: () => {
      restrictToOwner(folder, 0o700);
      for (const name of [ACCOUNT_FILE, CERTIFICATE_FILE, STATE_FILE]) restrictToOwner(file(name));
    },
  };
}

/** @returns null for a damaged file: it is written again at the next attempt */
function parseState(text: string | null): AcmeState | null {
  if (text === null) return null;
  try {
    return stateSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

function splitPair(text: string | null): KeyAndCertificate | null {
  const end = text === null ? null : KEY_END.exec(text);
  if (text === null || end === null) return null;
  const at = end.index + end[0].length;
  return { key: text.slice(0, at), cert: text.slice(at) };
}
