import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { restrictToOwner } from '#server/files/atomic.ts';
import type { NamedTexts } from '#server/files/named-texts.ts';
import {
  makeSecretFolder,
  readSecretFile,
  renameSecretFile,
  writeSecretFile,
} from '#server/operations/tls/secret-files.ts';
import type { KeyAndCertificate } from '#server/operations/tls/certificates.ts';
import type { Challenges } from './certificate-order.ts';
import { readPublicCertificate, type PublicCertificate } from './public-certificate.ts';

const ACCOUNT_FILE = 'account.key';
/** The key and the chain in one file, so that a crash cannot leave two that do not belong together. */
const CERTIFICATE_FILE = 'certificate.pem';
const STATE_FILE = 'state.json';
const CHALLENGES_FILE = 'challenges.json';
/** The files that a move of an office takes along. */
export const MOVED_FILES = [ACCOUNT_FILE, CERTIFICATE_FILE, STATE_FILE] as const;
/** The name of one of them among the texts that processes share. */
export const sharedName = (name: string): string => `acme/${name}`;
/** Base64url (RFC 8555, section 8.1). */
const TOKEN = /^[\w-]{1,200}$/;
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
const challengesSchema = z.record(z.string(), z.string());

/** The state that survives a restart, so that restarts are no way around the limits of the directory. */
export type AcmeState = z.infer<typeof stateSchema>;

export type AcmeFiles = {
  /** Whether other processes read and write them too. Then they are what was read last. */
  isShared: boolean;
  /** Reads what another process may have changed. */
  reload: () => Promise<void>;
  readState: () => AcmeState | null;
  /** @throws ListenError when it cannot be written */
  writeState: (state: AcmeState) => Promise<void>;
  readCertificate: () => PublicCertificate | null;
  /** @throws ListenError when it cannot be written */
  writeCertificate: (pair: KeyAndCertificate) => Promise<void>;
  readAccountKey: () => string | null;
  /** @throws ListenError when it cannot be written */
  writeAccountKey: (pem: string) => Promise<void>;
  hasCertificate: () => boolean;
  /** Keeps a file that cannot be used beside the new one. */
  putAside: (file: 'account' | 'certificate') => Promise<void>;
  /** A folder that was copied may be readable for all. */
  restrict: () => void;
  challenges: ChallengeStore;
};

/** The answers to the challenges of the order that is under way. */
export type ChallengeStore = Challenges & {
  /** @returns the body of the answer; null for a token that belongs to no order */
  find: (token: string) => Promise<string | null>;
};

export const acmeFolder = (dataDir: string): string => join(dataDir, 'tls', 'acme');

/** The three texts by their names, in a folder or in the database. */
type Texts = Pick<AcmeFiles, 'isShared' | 'reload' | 'restrict' | 'challenges'> & {
  read: (name: string) => string | null;
  has: (name: string) => boolean;
  write: (name: string, text: string) => Promise<void>;
  putAside: (name: string) => Promise<void>;
};

/** The files of the ACME client. Only their owner may read them. Reading makes no folder. */
export const openAcmeFiles = (dataDir: string): AcmeFiles => describeFiles(textsOfFolder(dataDir));

/** The same as texts that all processes share (server/db/postgres/shared-texts.ts). */
export async function openSharedAcmeFiles(shared: NamedTexts): Promise<AcmeFiles> {
  const texts = textsOfDatabase(shared);
  await texts.reload();
  return describeFiles(texts);
}

function describeFiles({ read, has, write, putAside, ...texts }: Texts): AcmeFiles {
  return {
    ...texts,
    readState: () => parseState(read(STATE_FILE)),
    writeState: (state) => write(STATE_FILE, `${JSON.stringify(state)}\n`),
    readCertificate: () => {
      const pair = splitPair(read(CERTIFICATE_FILE));
      return pair && readPublicCertificate(pair);
    },
    writeCertificate: ({ key, cert }) => write(CERTIFICATE_FILE, `${key.trimEnd()}\n${cert.trimEnd()}\n`),
    hasCertificate: () => has(CERTIFICATE_FILE),
    readAccountKey: () => read(ACCOUNT_FILE),
    writeAccountKey: (pem) => write(ACCOUNT_FILE, pem),
    putAside: async (which) => {
      const name = which === 'account' ? ACCOUNT_FILE : CERTIFICATE_FILE;
      if (has(name)) await putAside(name);
    },
  };
}

/** @throws ListenError when it cannot be written */
export async function writeAcmeFile(dataDir: string, name: string, text: string): Promise<void> {
  const folder = acmeFolder(dataDir);
  makeSecretFolder(join(dataDir, 'tls'));
  makeSecretFolder(folder);
  writeSecretFile(join(folder, name), text);
}

function textsOfFolder(dataDir: string): Texts {
  const folder = acmeFolder(dataDir);
  const file = (name: string): string => join(folder, name);
  return {
    isShared: false,
    reload: async () => {},
    read: (name) => readSecretFile(file(name)),
    has: (name) => existsSync(file(name)),
    write: (name, text) => writeAcmeFile(dataDir, name, text),
    putAside: async (name) => renameSecretFile(file(name), `${file(name)}.rusak`),
    restrict: () => {
      restrictToOwner(folder, 0o700);
      for (const name of MOVED_FILES) restrictToOwner(file(name));
    },
    challenges: createChallenges(),
  };
}

function textsOfDatabase(shared: NamedTexts): Texts {
  const known = new Map<string, string | null>();
  let last: Promise<unknown> = Promise.resolve();
  // A text that was read before a write must not arrive after it.
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
  const write = (name: string, text: string): Promise<void> =>
    inTurn(async () => {
      const stored = await shared.replace(sharedName(name), known.get(name) ?? null, text);
      known.set(name, stored);
      if (stored !== text) throw new Error(`another process has stored ${name} meanwhile`);
    });
  // An emptied text is none: rows are not deleted.
  const read = (name: string): string | null => known.get(name) || null;
  return {
    isShared: true,
    reload: () =>
      inTurn(async () => {
        for (const name of MOVED_FILES) known.set(name, await shared.read(sharedName(name)));
      }),
    read,
    has: (name) => read(name) !== null,
    write,
    putAside: async (name) => {
      const aside = sharedName(`${name}.rusak`);
      await shared.replace(aside, await shared.read(aside), read(name) ?? '');
      await write(name, '');
    },
    restrict: () => {},
    challenges: shareChallenges(shared),
  };
}

/** They are kept in memory: an order that a restart broke off starts again with other tokens. */
function createChallenges(): ChallengeStore {
  const answers = new Map<string, string>();
  return {
    find: async (token) => answers.get(token) ?? null,
    put: async (token, keyAuthorization) => void answers.set(token, keyAuthorization),
    remove: async (token) => void answers.delete(token),
  };
}

/** One text holds those of the only order that is under way; the directory may ask any process for them. */
function shareChallenges(shared: NamedTexts): ChallengeStore {
  const answers = new Map<string, string>();
  const name = sharedName(CHALLENGES_FILE);
  const store = async (): Promise<void> => {
    await shared.replace(name, await shared.read(name), `${JSON.stringify(Object.fromEntries(answers))}\n`);
  };
  return {
    find: async (token) => {
      const own = answers.get(token);
      if (own !== undefined) return own;
      if (!TOKEN.test(token)) return null;
      return parseChallenges(await shared.read(name)).get(token) ?? null;
    },
    put: (token, keyAuthorization) => {
      answers.set(token, keyAuthorization);
      return store();
    },
    remove: (token) => {
      answers.delete(token);
      return store();
    },
  };
}

function parseChallenges(text: string | null): Map<string, string> {
  try {
    return new Map(Object.entries(challengesSchema.parse(JSON.parse(text ?? '{}'))));
  } catch {
    return new Map();
  }
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
