import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { axios, Client, crypto, type Authorization, type Order } from 'acme-client';
import type { KeyAndCertificate } from '#server/operations/tls/certificates.ts';
import { AcmeFailure, failureIn } from './acme-failure.ts';
import { createAcmeTransport, type AcmeTransport } from './acme-transport.ts';
import { makeKey } from './public-certificate.ts';

/** The answers that the directory expects at `/.well-known/acme-challenge/{token}` while it checks the names. */
export type Challenges = {
  /** Resolves once the directory may ask for it. */
  put: (token: string, keyAuthorization: string) => Promise<void>;
  remove: (token: string) => Promise<void>;
};

export type OrderRequest = {
  directory: string;
  /** PEM of the authorities to trust for the connection to the directory; undefined: those that come with Node. */
  ca: string[] | undefined;
  email: string | null;
  names: string[];
  /** PEM. */
  accountKey: string;
  challenges: Challenges;
  /** The first wait between two questions whether the directory has finished; it grows, and the directory may ask for more. */
  pollMs: number;
  requestTimeoutMs: number;
  signal: AbortSignal;
};

/** The time for all of it; a directory checks each name from several places. */
const ORDER_WITHIN_MS = 5 * 60_000;
const POLL_MAX_MS = 5000;
const POLL_ASKED_MAX_MS = 30_000;
/** The library gives up after six refused nonces in a row. */
const NONCE_ROUNDS = 3;
/** More than all rounds of one step need with all the nonces that may be refused. */
const STEP_REQUESTS_MAX = 50;

/** The library has one HTTP client for all its users. */
const transports = new AsyncLocalStorage<AcmeTransport>();
axios.defaults.adapter = (config) => {
  const transport = transports.getStore();
  if (!transport) throw new Error('a request of the ACME library outside an order');
  return transport.adapter(config);
};

/**
 * Gets one certificate for all names (RFC 8555). The account is looked up by its key, and made when the directory does
 * not know it.
 * @throws AcmeFailure
 */
export async function orderCertificate(order: OrderRequest): Promise<KeyAndCertificate> {
  const deadline = AbortSignal.timeout(ORDER_WITHIN_MS);
  const signal = AbortSignal.any([order.signal, deadline]);
  const transport = createAcmeTransport({ ca: order.ca, timeoutMs: order.requestTimeoutMs, signal });
  const tokens: string[] = [];
  try {
    return await transports.run(transport, () => runOrder({ ...order, signal }, transport, tokens));
  } catch (error) {
    if (order.signal.aborted) throw new AcmeFailure('stopped', 'the server stops');
    if (deadline.aborted) throw new AcmeFailure('late', 'no certificate within five minutes');
    throw error;
  } finally {
    // An answer that stays is harmless: the directory asks for it no longer.
    for (const token of tokens) await order.challenges.remove(token).catch(() => undefined);
    transport.close();
  }
}

async function runOrder(
  { directory, email, names, accountKey, challenges, pollMs, signal }: OrderRequest,
  transport: AcmeTransport,
  tokens: string[],
): Promise<KeyAndCertificate> {
  const client = new Client({ directoryUrl: directory, accountKey });
  const ask = <T>(step: () => Promise<T>, requests = 1): Promise<T> => {
    transport.allow(requests * STEP_REQUESTS_MAX);
    return withNonceRounds(step, transport);
  };
  let pauseMs = pollMs;
  const wait = async (): Promise<void> => {
    const askedMs = Math.min(POLL_ASKED_MAX_MS, transport.retryAfterMs() ?? 0);
    await delay(Math.max(pauseMs, askedMs), undefined, { signal });
    pauseMs = Math.min(POLL_MAX_MS, pauseMs * 2);
  };

  await openAccount();
  const order = await ask(() => client.createOrder({ identifiers: names.map((value) => ({ type: 'dns', value })) }));
  await proveNames();
  const ready = await until(order, ['ready', 'valid']);
  const key = await makeKey();
  const [, request] = await crypto.createCsr({ altNames: names }, key);
  const finalized = ready.status === 'valid' ? ready : await ask(() => client.finalizeOrder(order, request));
  const valid = await until(finalized, ['valid']);
  const cert = await ask(() => client.getCertificate(valid));
  return { key, cert };

  /** The account belongs to the key; the directory is asked for it first, because it refuses an update without a change. */
  async function openAccount(): Promise<void> {
    const contact = email === null ? {} : { contact: [`mailto:${email}`] };
    try {
      await ask(() => client.createAccount({ onlyReturnExisting: true }));
      if (email !== null) await ask(() => client.updateAccount(contact));
    } catch (error) {
      if (!(error instanceof AcmeFailure)) throw error;
      if (error.kind === 'accountDoesNotExist') {
        await ask(() => client.createAccount({ termsOfServiceAgreed: true, ...contact }));
        return;
      }
      // The same word as for a name whose check found another server.
      const kind = error.kind === 'unauthorized' ? 'accountRefused' : error.kind;
      throw new AcmeFailure(kind, error.message, { retryAfterMs: error.retryAfterMs });
    }
  }

  async function proveNames(): Promise<void> {
    let pending = await listPending(order.authorizations);
    for (const { challenges: offered, identifier } of pending) {
      const challenge = offered.find(({ type }) => type === 'http-01');
      if (!challenge) {
        throw new AcmeFailure('unsupportedIdentifier', 'no http-01 challenge', { identifier: identifier.value });
      }
      tokens.push(challenge.token);
      await challenges.put(challenge.token, await client.getChallengeKeyAuthorization(challenge));
      await ask(() => client.completeChallenge(challenge));
    }
    while (pending.length > 0) {
      await wait();
      pending = await listPending(pending.map(({ url }) => url));
    }
  }

  /** @throws AcmeFailure for a name that failed its check */
  async function listPending(authorizations: string[]): Promise<Authorization[]> {
    const found = await ask(() => client.getAuthorizations({ ...order, authorizations }), authorizations.length);
    for (const { status, identifier, challenges: offered } of found) {
      if (status === 'valid' || status === 'pending') continue;
      const failure = failureIn(offered.find(({ error }) => error)?.error);
      throw new AcmeFailure(failure?.kind ?? 'serverInternal', failure?.message ?? `authorization ${status}`, {
        identifier: identifier.value,
      });
    }
    return found.filter(({ status }) => status === 'pending');
  }

  async function until(first: Order, wanted: Order['status'][]): Promise<Order> {
    let current = first.status === 'pending' ? await ask(() => client.getOrder(first)) : first;
    while (!wanted.includes(current.status)) {
      if (current.status === 'invalid') throw failureIn(current.error) ?? new AcmeFailure('unusable', 'order invalid');
      await wait();
      current = await ask(() => client.getOrder(first));
    }
    return current;
  }
}

async function withNonceRounds<T>(step: () => Promise<T>, transport: AcmeTransport): Promise<T> {
  for (let round = 1; ; round += 1) {
    try {
      return await step();
    } catch (error) {
      if (error instanceof AcmeFailure) throw error;
      const said = transport.lastFailure();
      // An error of the library itself: an answer that is none of a directory.
      if (!said) throw new AcmeFailure('notADirectory', error instanceof Error ? error.message : String(error));
      if (said.kind !== 'badNonce' || round === NONCE_ROUNDS) throw said;
    }
  }
}
