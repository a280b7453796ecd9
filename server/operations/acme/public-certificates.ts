import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';
import type { FastifyBaseLogger } from 'fastify';
import type { PublicTlsSettings } from '#server/settings.ts';
import { errorCodeOrText } from '#server/files/atomic.ts';
import { ListenError } from '#server/http/listen/listen.ts';
import type { KeyAndCertificate } from '#server/operations/tls/certificates.ts';
import { AcmeFailure, describeFailure } from './acme-failure.ts';
import { openAcmeFiles, type AcmeState } from './acme-files.ts';
import type { Challenges, OrderRequest } from './certificate-order.ts';
import { coversNames, isKey, makeKey, readPublicCertificate, type PublicCertificate } from './public-certificate.ts';
import { beginAttempt, dueAtMs, failAttempt, openState, retryFromMs, succeed } from './retry-plan.ts';

/** The interval of the check whether a certificate is due; the clock may be set at any time. */
const CHECK_EVERY_MS = 15_000;
const POLL_MS = 200;
const REQUEST_TIMEOUT_MS = 30_000;

type Deps = {
  now?: () => number;
  random?: () => number;
  checkEveryMs?: number;
  pollMs?: number;
  requestTimeoutMs?: number;
  /** Gets a certificate from the directory. Tests give another one. */
  order?: (request: OrderRequest) => Promise<KeyAndCertificate>;
};

type Log = Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>;

/** The certificate for the public names, as the listener shows it. */
export type PublicCertificateSource = {
  /** null until the first one arrives. */
  current: () => PublicCertificate | null;
  /** Called with each new certificate, the first one included. */
  onChange: (listener: (certificate: PublicCertificate) => void) => void;
};

/** The state of the certificate for the public names. Instants are ISO 8601. */
export type AcmeStatus = {
  /** The names in `TLS_DOMAIN`. */
  names: string[];
  /** The names in the certificate that https shows; others are still missing in it. */
  certified_names: string[];
  /** The end of that certificate; null when there is none that works. */
  valid_until: string | null;
  /** The directory is being asked for one right now. */
  issuing: boolean;
  /** Attempts that failed one after another; 0 after a success. */
  failed_attempts: number;
  /** The reason of the last failure and what to do, in Indonesian; null after a success. */
  last_error: { at: string; message: string } | null;
  /** The next question to the directory: for the first certificate, after a failure, or for the renewal. */
  next_attempt_at: string | null;
};

export type PublicCertificates = {
  source: PublicCertificateSource;
  status: () => AcmeStatus;
  /** @returns the answer to an ACME challenge; null for a token that belongs to no order */
  challengeFor: (token: string) => string | null;
  /** Gets and renews certificates from now on. The challenges must be reachable by then. */
  start: (log: Log) => void;
  /**
   * Asks again at once after a failure, without the waits between attempts: an admin has mended its cause.
   * @returns how long the limits of the directory forbid it; 0: it is asked; null: there was no failure
   */
  retry: () => number | null;
  /** Called with each failure, for a line on the terminal. */
  onFailure: (listener: (status: AcmeStatus) => void) => void;
  stop: () => Promise<void>;
};

/**
 * Certificates for the names in `TLS_DOMAIN` from an ACME directory (R-ACME-1). Opening reads the data folder and changes
 * nothing, so that `doctor` may do it beside a running server.
 * @throws ListenError when a file cannot be read
 */
export function openPublicCertificates(
  { domains, email, directory, caFile }: PublicTlsSettings,
  dataDir: string,
  deps: Deps = {},
): PublicCertificates {
  const { now = Date.now, random = Math.random, checkEveryMs = CHECK_EVERY_MS } = deps;
  const { pollMs = POLL_MS, requestTimeoutMs = REQUEST_TIMEOUT_MS } = deps;
  const ca = caFile === null ? undefined : [...rootCertificates, readAuthorities(caFile)];
  const files = openAcmeFiles(dataDir);
  const challenges = createChallenges();
  const onChange: ((certificate: PublicCertificate) => void)[] = [];
  const onFailure: ((status: AcmeStatus) => void)[] = [];
  const stopping = new AbortController();
  let state = openState(files.readState(), { directory, names: domains });
  let current = files.readCertificate();
  /** A certificate that could not be written is used all the same, and written later. */
  let isUnsaved = false;
  let isIssuing = false;
  let running = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  /** null until the start. */
  let startedLog: Log | null = null;

  const iso = (ms: number): string => new Date(ms).toISOString();
  const describe = (failure: AcmeFailure): string =>
    describeFailure(failure, { directory: new URL(directory).host, names: domains });

  function status(): AcmeStatus {
    const usable = current && current.validUntilMs > now() ? current : null;
    const { failed_attempts: failures, last_error: error } = state;
    return {
      names: domains,
      certified_names: usable?.names ?? [],
      valid_until: usable && iso(usable.validUntilMs),
      issuing: isIssuing,
      // The attempt that is under way is counted before it fails, for the case of a crash.
      failed_attempts: isIssuing ? failures - 1 : failures,
      last_error: error && { at: iso(error.at), message: error.message },
      next_attempt_at: isIssuing ? null : iso(Math.max(now(), dueAtMs(state, current, now()))),
    };
  }

  function check(log: Log): void {
    if (isIssuing || stopping.signal.aborted) return;
    if (isUnsaved) save(log);
    if (now() < dueAtMs(state, current, now())) return;
    begin(log);
  }

  function begin(log: Log): void {
    isIssuing = true;
    running = run(log);
  }

  function retry(): number | null {
    if (isIssuing) return 0;
    if (!startedLog || stopping.signal.aborted || state.failed_attempts + (state.last_error ? 1 : 0) === 0) return null;
    if (isUnsaved) {
      save(startedLog);
      return 0;
    }
    const waitMs = Math.max(0, retryFromMs(state, now()) - now());
    if (waitMs === 0) begin(startedLog);
    return waitMs;
  }

  async function run(log: Log): Promise<void> {
    const before = state;
    try {
      await attempt(log);
    } catch (error) {
      recordFailure(error, before, log);
    }
    isIssuing = false;
    if (state.last_error && !stopping.signal.aborted) for (const listener of onFailure) listener(status());
  }

  async function attempt(log: Log): Promise<void> {
    state = beginAttempt(state, now(), random);
    // First: a directory must not be asked again and again for certificates that cannot be kept.
    writeOrFail(() => files.writeState(state));
    const accountKey = await readOrMakeAccountKey(log);
    log.info({ names: domains, directory }, 'asking for a certificate');
    const order = deps.order ?? (await loadOrder());
    const timing = { pollMs, requestTimeoutMs, signal: stopping.signal };
    const pair = await order({ directory, ca, email, names: domains, accountKey, challenges, ...timing });
    const issued = readPublicCertificate(pair);
    if (!issued || !coversNames(issued, domains) || issued.validUntilMs <= now()) {
      throw new AcmeFailure('unusable', issued ? `${issued.names.join(', ')} ${iso(issued.validUntilMs)}` : '');
    }
    current = issued;
    state = succeed(state, issued, now());
    isUnsaved = true;
    log.info({ names: issued.names, validUntil: iso(issued.validUntilMs) }, 'got a certificate');
    save(log);
    try {
      for (const listener of onChange) listener(issued);
    } catch (error) {
      log.error({ err: error }, 'the new certificate is not shown');
    }
  }

  /** The key of the account with the directory; a damaged one is kept aside, and another account made. */
  async function readOrMakeAccountKey(log: Log): Promise<string> {
    const stored = files.readAccountKey();
    if (stored !== null && isKey(stored)) return stored;
    if (stored !== null) {
      log.warn('the ACME account key is damaged: it is put aside, and another account made');
      writeOrFail(() => files.putAside('account'));
    }
    const made = await makeKey();
    writeOrFail(() => files.writeAccountKey(made));
    return made;
  }

  function save(log: Log): void {
    try {
      if (current) files.writeCertificate(current.pair);
      const saved = { ...state, last_error: null };
      files.writeState(saved);
      state = saved;
      isUnsaved = false;
    } catch (error) {
      const failure = new AcmeFailure('notSaved', error instanceof Error ? error.message : String(error));
      if (!state.last_error) log.error({ err: error }, 'the new certificate is not saved');
      state = { ...state, last_error: { at: now(), message: describe(failure) } };
    }
  }

  function recordFailure(error: unknown, before: AcmeState, log: Log): void {
    if (stopping.signal.aborted) {
      // No failure; the wait of a minute stays, so that restarts are no way around it.
      state = { ...state, failed_attempts: before.failed_attempts };
    } else {
      const failure = error instanceof AcmeFailure ? error : new AcmeFailure('internal', String(error));
      const message = describe(failure);
      state = failAttempt(state, failure, message, now());
      const about = { kind: failure.kind, detail: failure.message, next: iso(dueAtMs(state, current, now())) };
      if (failure.kind === 'accountRefused') putAccountAside();
      log.error(error instanceof AcmeFailure ? about : { ...about, err: error }, `no certificate: ${message}`);
    }
    try {
      files.writeState(state);
    } catch {
      // The state in memory goes on; `beginAttempt` reports a folder that cannot be written.
    }
  }

  function putAccountAside(): void {
    try {
      files.putAside('account');
    } catch {
      // The next attempt fails with the same account, and says so again.
    }
  }

  return {
    source: { current: () => current, onChange: (listener) => void onChange.push(listener) },
    status,
    retry,
    challengeFor: challenges.find,
    onFailure: (listener) => void onFailure.push(listener),
    start: (log) => {
      startedLog = log;
      files.restrict();
      if (!current && files.hasCertificate()) {
        log.warn('the certificate in the data folder is damaged: it is put aside, and another one asked for');
        files.putAside('certificate');
      }
      // The library is loaded at once: this holds the program for a moment, and no caller waits for an answer yet.
      if (!deps.order) loadOrder().catch(() => undefined);
      timer = setInterval(() => check(log), checkEveryMs);
      timer.unref();
      check(log);
    },
    stop: async () => {
      clearInterval(timer);
      stopping.abort();
      await running;
    },
  };
}

const loadOrder = async (): Promise<Deps['order'] & {}> => (await import('./certificate-order.ts')).orderCertificate;

/** @throws AcmeFailure */
function writeOrFail(write: () => void): void {
  try {
    write();
  } catch (error) {
    throw new AcmeFailure('notSaved', error instanceof Error ? error.message : String(error));
  }
}

/** @throws ListenError */
function readAuthorities(file: string): string {
  const accepted = 'yang diterima: berkas PEM dengan BEGIN CERTIFICATE, atau kosong untuk penerbit yang umum dikenal';
  let pem: string;
  try {
    pem = readFileSync(file, 'utf8');
  } catch (error) {
    throw new ListenError(
      `ACME_CA: berkas ${JSON.stringify(file)} tidak dapat dibaca (${errorCodeOrText(error)}); ${accepted}`,
      { cause: error },
    );
  }
  try {
    // Throws when it is none; of several it reads the first.
    void new X509Certificate(pem).fingerprint256;
    return pem;
  } catch (error) {
    throw new ListenError(`ACME_CA: berkas ${JSON.stringify(file)} bukan sertifikat PEM; ${accepted}`, {
      cause: error,
    });
  }
}

/** They are kept in memory: an order that a restart broke off starts again with other tokens. */
function createChallenges(): Challenges {
  const answers = new Map<string, string>();
  return {
    find: (token) => answers.get(token) ?? null,
    put: (token, keyAuthorization) => void answers.set(token, keyAuthorization),
    remove: (token) => void answers.delete(token),
  };
}
