import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';
import type { FastifyBaseLogger } from 'fastify';
import type { PublicTlsSettings } from '#server/settings.ts';
import { errorCodeOrText } from '#server/files/atomic.ts';
import { ListenError } from '#server/http/listen/listen.ts';
import type { KeyAndCertificate } from '#server/operations/tls/certificates.ts';
import { alone, type Processes } from '#server/process/processes.ts';
import { AcmeFailure, describeFailure } from './acme-failure.ts';
import type { AcmeFiles, AcmeState } from './acme-files.ts';
import type { OrderRequest } from './certificate-order.ts';
import { coversNames, isKey, makeKey, readPublicCertificate, type PublicCertificate } from './public-certificate.ts';
import { beginAttempt, dueAtMs, failAttempt, openState, retryFromMs, succeed } from './retry-plan.ts';

/** The interval of the check whether a certificate is due; the clock may be set at any time. */
const CHECK_EVERY_MS = 15_000;
const POLL_MS = 200;
const REQUEST_TIMEOUT_MS = 30_000;
/** Tells the other processes that the state or the certificate is another one. */
const CHANGED = 'acme: changed';
/** Tells the leader that an admin wants another attempt. */
const RETRY = 'acme: retry';

type Deps = {
  now?: () => number;
  random?: () => number;
  checkEveryMs?: number;
  pollMs?: number;
  requestTimeoutMs?: number;
  /** Gets a certificate from the directory. Tests give another one. */
  order?: (request: OrderRequest) => Promise<KeyAndCertificate>;
};

type ProcessesOfAcme = Pick<Processes, 'tell' | 'on' | 'onTakingOver' | 'onMissed' | 'isLeader'>;

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
  challengeFor: (token: string) => Promise<string | null>;
  /**
   * Gets and renews certificates from now on. The challenges must be reachable by then.
   * @param processes of several, the leader asks the directory, and the others show what it got
   */
  start: (log: Log, processes?: ProcessesOfAcme) => void;
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
 * Certificates for the names in `TLS_DOMAIN` from an ACME directory (R-ACME-1). Opening changes nothing, so that `doctor` may do it beside a running server.
 * @throws ListenError when a file cannot be read
 */
export function openPublicCertificates(
  settings: PublicTlsSettings,
  files: AcmeFiles,
  deps: Deps = {},
): PublicCertificates {
  const acme = openAcme(settings, files, deps);
  return {
    source: { current: () => acme.current, onChange: (listener) => void acme.changeListeners.push(listener) },
    status: () => statusOf(acme),
    retry: () => retry(acme),
    challengeFor: files.challenges.find,
    onFailure: (listener) => void acme.failureListeners.push(listener),
    start: (log, processes = alone) => start(acme, log, processes),
    stop: async () => {
      clearInterval(acme.timer);
      acme.stopping.abort();
      await Promise.all([acme.checking, acme.reading]);
      await acme.running;
    },
  };
}

/** The settings, the files and the state that each step reads and changes. */
type Acme = ReturnType<typeof openAcme>;

function openAcme({ domains, email, directory, caFile }: PublicTlsSettings, files: AcmeFiles, deps: Deps) {
  const { now = Date.now, random = Math.random, checkEveryMs = CHECK_EVERY_MS, order } = deps;
  const { pollMs = POLL_MS, requestTimeoutMs = REQUEST_TIMEOUT_MS } = deps;
  return {
    names: domains,
    email,
    directory,
    ca: caFile === null ? undefined : [...rootCertificates, readAuthorities(caFile)],
    now,
    random,
    checkEveryMs,
    pollMs,
    requestTimeoutMs,
    order,
    files,
    changeListeners: [] as ((certificate: PublicCertificate) => void)[],
    failureListeners: [] as ((status: AcmeStatus) => void)[],
    stopping: new AbortController(),
    state: openState(files.readState(), { directory, names: domains }),
    current: files.readCertificate(),
    /** A certificate that could not be written is used all the same, and written later. */
    isUnsaved: false,
    isIssuing: false,
    isChecking: false,
    checking: Promise.resolve(),
    reading: Promise.resolve(),
    processes: alone as ProcessesOfAcme,
    running: Promise.resolve(),
    timer: undefined as NodeJS.Timeout | undefined,
    /** null until the start. */
    startedLog: null as Log | null,
  };
}

const iso = (ms: number): string => new Date(ms).toISOString();
const dueMs = ({ state, current, now }: Acme): number => dueAtMs(state, current, now());
const describe = ({ directory, names }: Acme, failure: AcmeFailure): string =>
  describeFailure(failure, { directory: new URL(directory).host, names });

function statusOf(acme: Acme): AcmeStatus {
  const { names, current, isIssuing, now } = acme;
  const usable = current && current.validUntilMs > now() ? current : null;
  const { failed_attempts: failures, last_error: error } = acme.state;
  return {
    names,
    certified_names: usable?.names ?? [],
    valid_until: usable && iso(usable.validUntilMs),
    issuing: isIssuing,
    // The attempt that is under way is counted before it fails, for the case of a crash.
    failed_attempts: isIssuing ? failures - 1 : failures,
    last_error: error && { at: iso(error.at), message: error.message },
    next_attempt_at: isIssuing ? null : iso(Math.max(now(), dueMs(acme))),
  };
}

function start(acme: Acme, log: Log, processes: ProcessesOfAcme): void {
  const { files } = acme;
  acme.startedLog = log;
  acme.processes = processes;
  files.restrict();
  // A shared one is replaced by the next certificate, because a process that starts may not be the leader.
  if (!acme.current && files.hasCertificate() && !files.isShared) {
    log.warn('the certificate in the data folder is damaged: it is put aside, and another one asked for');
    void files.putAside('certificate').catch((error: unknown) => log.error({ err: error }, 'it was not put aside'));
  }
  const reloadNow = (): void => {
    acme.reading = acme.reading
      .then(() => reload(acme, log))
      .catch((error: unknown) => log.error({ err: error }, 'the certificate was not read again'));
  };
  processes.on(CHANGED, reloadNow);
  processes.on(RETRY, () => void (processes.isLeader() && retry(acme)));
  processes.onMissed(reloadNow);
  processes.onTakingOver(() => check(acme, log));
  // Another process may have stored one since this one was opened.
  if (files.isShared) reloadNow();
  // The library is loaded at once: this holds the program for a moment, and no caller waits for an answer yet.
  if (!acme.order) loadOrder().catch(() => undefined);
  acme.timer = setInterval(check, acme.checkEveryMs, acme, log);
  acme.timer.unref();
  check(acme, log);
}

function check(acme: Acme, log: Log): void {
  if (acme.isChecking || acme.isIssuing || acme.stopping.signal.aborted || !acme.processes.isLeader()) return;
  acme.isChecking = true;
  acme.checking = beginWhenDue(acme, log)
    .catch((error: unknown) => log.error({ err: error }, 'the certificate was not checked'))
    .finally(() => {
      acme.isChecking = false;
    });
}

async function beginWhenDue(acme: Acme, log: Log): Promise<void> {
  if (acme.isUnsaved) await save(acme, log);
  const isDue = (): boolean => !acme.isIssuing && !acme.stopping.signal.aborted && acme.now() >= dueMs(acme);
  if (!isDue()) return;
  if (acme.files.isShared) {
    // Another process may have led until now.
    await reload(acme, log);
    if (!isDue() || !acme.processes.isLeader()) return;
  }
  begin(acme, log);
}

/** Takes over what another process has stored. */
async function reload(acme: Acme, log: Log): Promise<void> {
  const { files, directory, names } = acme;
  const isOwn = (): boolean => acme.isUnsaved || acme.isIssuing || acme.stopping.signal.aborted;
  if (isOwn()) return;
  await files.reload();
  if (isOwn()) return;
  acme.state = openState(files.readState(), { directory, names });
  const stored = files.readCertificate();
  if (!stored || stored.pair.cert === acme.current?.pair.cert) return;
  acme.current = stored;
  show(acme, stored, log);
}

function show({ changeListeners }: Acme, certificate: PublicCertificate, log: Log): void {
  try {
    for (const listener of changeListeners) listener(certificate);
  } catch (error) {
    log.error({ err: error }, 'the new certificate is not shown');
  }
}

function begin(acme: Acme, log: Log): void {
  acme.isIssuing = true;
  acme.running = run(acme, log);
}

function retry(acme: Acme): number | null {
  const { startedLog: log, state } = acme;
  if (acme.isIssuing) return 0;
  if (!log || acme.stopping.signal.aborted || state.failed_attempts + (state.last_error ? 1 : 0) === 0) return null;
  if (acme.isUnsaved) {
    void save(acme, log);
    return 0;
  }
  const waitMs = Math.max(0, retryFromMs(state, acme.now()) - acme.now());
  if (waitMs > 0) return waitMs;
  if (acme.processes.isLeader()) begin(acme, log);
  else acme.processes.tell(RETRY, null);
  return waitMs;
}

async function run(acme: Acme, log: Log): Promise<void> {
  const before = acme.state;
  try {
    await attempt(acme, log);
  } catch (error) {
    await recordFailure(acme, error, before, log);
  }
  acme.isIssuing = false;
  if (acme.files.isShared) acme.processes.tell(CHANGED, null);
  if (!acme.state.last_error || acme.stopping.signal.aborted) return;
  for (const listener of acme.failureListeners) listener(statusOf(acme));
}

async function attempt(acme: Acme, log: Log): Promise<void> {
  const { names, directory, ca, email, files, pollMs, requestTimeoutMs, now } = acme;
  const { challenges } = files;
  acme.state = beginAttempt(acme.state, now(), acme.random);
  // First: a directory must not be asked again and again for certificates that cannot be kept.
  await writeOrFail(files, () => files.writeState(acme.state));
  const accountKey = await readOrMakeAccountKey(acme, log);
  log.info({ names, directory }, 'asking for a certificate');
  const order = acme.order ?? (await loadOrder());
  const timing = { pollMs, requestTimeoutMs, signal: acme.stopping.signal };
  const pair = await order({ directory, ca, email, names, accountKey, challenges, ...timing });
  const issued = readPublicCertificate(pair);
  if (!issued || !coversNames(issued, names) || issued.validUntilMs <= now()) {
    throw new AcmeFailure('unusable', issued ? `${issued.names.join(', ')} ${iso(issued.validUntilMs)}` : '');
  }
  acme.current = issued;
  acme.state = succeed(acme.state, issued, now());
  acme.isUnsaved = true;
  log.info({ names: issued.names, validUntil: iso(issued.validUntilMs) }, 'got a certificate');
  await save(acme, log);
  show(acme, issued, log);
}

/** The key of the account with the directory; a damaged one is kept aside, and another account made. */
async function readOrMakeAccountKey({ files }: Acme, log: Log): Promise<string> {
  const stored = files.readAccountKey();
  if (stored !== null && isKey(stored)) return stored;
  if (stored !== null) {
    log.warn('the ACME account key is damaged: it is put aside, and another account made');
    await writeOrFail(files, () => files.putAside('account'));
  }
  const made = await makeKey();
  await writeOrFail(files, () => files.writeAccountKey(made));
  return made;
}

async function save(acme: Acme, log: Log): Promise<void> {
  const { files, current, state } = acme;
  try {
    if (current) await files.writeCertificate(current.pair);
    const saved = { ...state, last_error: null };
    await files.writeState(saved);
    acme.state = saved;
    acme.isUnsaved = false;
  } catch (error) {
    const failure = notSaved(files, error);
    if (!state.last_error) log.error({ err: error }, 'the new certificate is not saved');
    acme.state = { ...state, last_error: { at: acme.now(), message: describe(acme, failure) } };
  }
}

async function recordFailure(acme: Acme, error: unknown, before: AcmeState, log: Log): Promise<void> {
  if (acme.stopping.signal.aborted) {
    // No failure; the wait of a minute stays, so that restarts are no way around it.
    acme.state = { ...acme.state, failed_attempts: before.failed_attempts };
  } else {
    const failure = error instanceof AcmeFailure ? error : new AcmeFailure('internal', String(error));
    const message = describe(acme, failure);
    acme.state = failAttempt(acme.state, failure, message, acme.now());
    const about = { kind: failure.kind, detail: failure.message, next: iso(dueMs(acme)) };
    if (failure.kind === 'accountRefused') await putAccountAside(acme);
    log.error(error instanceof AcmeFailure ? about : { ...about, err: error }, `no certificate: ${message}`);
  }
  try {
    await acme.files.writeState(acme.state);
  } catch {
    // The state in memory goes on; `beginAttempt` reports a folder that cannot be written.
  }
}

async function putAccountAside({ files }: Acme): Promise<void> {
  try {
    await files.putAside('account');
  } catch {
    // The next attempt fails with the same account, and says so again.
  }
}

const loadOrder = async (): Promise<Deps['order'] & {}> => (await import('./certificate-order.ts')).orderCertificate;

const notSaved = ({ isShared }: AcmeFiles, error: unknown): AcmeFailure =>
  new AcmeFailure(isShared ? 'notStored' : 'notSaved', error instanceof Error ? error.message : String(error));

/** @throws AcmeFailure */
async function writeOrFail(files: AcmeFiles, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    throw notSaved(files, error);
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
