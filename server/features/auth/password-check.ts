import { createHash } from 'node:crypto';
import {
  ADDRESS_FAILURES_MAX,
  ADDRESS_FAILURES_RESERVED_MAX,
  ADDRESS_REGISTRATIONS_MAX,
  ADDRESS_REGISTRATIONS_WINDOW_MS,
  LOGIN_ATTEMPTS_MAX,
  LOGIN_WINDOW_MS,
} from '#shared/limits.ts';
import type { PasswordSource } from '#server/accounts/own-password.ts';
import type { ServiceContext } from '#server/service-context.ts';
import { addressKey } from '#server/security/ip-addresses.ts';
import { createDeviceTokens } from '#server/security/device-tokens.ts';
import { createKeyedQueue } from '#server/http/limits/rate-limit.ts';
import { createSharedRateLimit } from '#server/http/limits/shared-rate-limit.ts';
import { DUMMY_HASH, hashPassword, verifyPassword } from '#server/accounts/passwords.ts';
import type { UserRow } from '#server/accounts/user-queries.ts';

/** Attempts of one browser or address for one account that may wait for each other. */
const WAITING_ATTEMPTS_MAX = 50;

type Account = Pick<UserRow, 'id' | 'passwordHash'>;
/** A token ends with the password. */
const holderOf = ({ id, passwordHash }: Account) => ({ id, version: passwordHash });
type Attempt = PasswordSource & {
  email: string;
  /** Undefined for an unknown address, which is counted and checked in the same way. */
  account: Account | undefined;
  password: string;
};

/**
 * The one check of passwords that people type, for the login, the own password and the download of backups. All three share
 * its limits (docs/requirements.md R-AUTH-4, R-AUTH-21, R-AUTH-22).
 */
export function createPasswordCheck(
  context: Pick<ServiceContext, 'now' | 'monotonicNow' | 'rateLimits' | 'secret' | 'processes'>,
) {
  const { rateLimits } = context;
  const limit = (name: string, max: number, windowMs: number) => createSharedRateLimit(context, name, max, windowMs);
  const failures = limit('failures', LOGIN_ATTEMPTS_MAX, LOGIN_WINDOW_MS);
  const addressFailures = limit('failures of an address', ADDRESS_FAILURES_MAX, LOGIN_WINDOW_MS);
  const reservedFailures = limit('reserved failures', ADDRESS_FAILURES_RESERVED_MAX, LOGIN_WINDOW_MS);
  const registrations = limit('registrations', ADDRESS_REGISTRATIONS_MAX, ADDRESS_REGISTRATIONS_WINDOW_MS);
  const enqueue = createKeyedQueue(WAITING_ATTEMPTS_MAX);
  const enqueueOfAccount = createKeyedQueue(WAITING_ATTEMPTS_MAX);
  const deviceTokens = createDeviceTokens(context, 'pbb-kita/device-tokens/1');

  /**
   * @throws 429 when the browser, or the address of a stranger, has reached its limit; 503 while too many others wait.
   * Neither counts as a wrong password.
   */
  async function isRight({ email, account, password, address, deviceToken, signal }: Attempt): Promise<boolean> {
    const deviceId = deviceTokens.read(deviceToken, account && holderOf(account));
    const network = addressKey(address);
    const waiting = { holder: network, signal, isPreferred: deviceId !== null };
    // The dummy hash takes the same time, so that the time does not reveal which accounts exist.
    const hash = (): Promise<boolean> => verifyPassword(password, account?.passwordHash ?? DUMMY_HASH, waiting);
    // Every login makes a known browser. Those of one account together get one of the places that all accounts share.
    const verify = (): Promise<boolean> => (account && deviceId !== null ? enqueueOfAccount(account.id, hash) : hash());
    if (!rateLimits) return verify();

    // With the hash in the key, wrong passwords of before do not count against a new password, also one that an admin has set.
    const passwordVersion = createHash('sha256')
      .update(account?.passwordHash ?? '')
      .digest('base64url');
    const key = `${email} ${passwordVersion} ${deviceId === null ? network : `device ${deviceId}`}`;
    // One after the other: in parallel all attempts would pass the check before the first of them is counted.
    return enqueue(key, async () => {
      failures.check(key);
      const isReserved = deviceId === null && addressFailures.isReached(network);
      if (isReserved) {
        // This part of the limit is only for existing accounts without a wrong password from this address.
        if (!account || failures.has(key)) addressFailures.check(network);
        reservedFailures.check(network);
      }
      const right = await verify();
      if (right) failures.reset(key);
      else {
        failures.count(key);
        if (isReserved) reservedFailures.count(network);
        else if (deviceId === null) addressFailures.count(network);
      }
      return right;
    });
  }

  return {
    isRight,

    /** Hashes the password of a new account. @throws 429 after too many accounts from one address; 503 */
    async hashForRegistration(password: string, { address, signal }: PasswordSource): Promise<string> {
      const network = addressKey(address);
      if (rateLimits) {
        registrations.check(network);
        // Before the hash: many at once would all pass the check.
        registrations.count(network);
      }
      return hashPassword(password, { holder: network, signal });
    },

    /** @returns the token by which this browser is known from now on */
    issueDeviceToken: (account: Account, offered: string | undefined): string =>
      deviceTokens.issue(holderOf(account), offered),
  };
}
export type PasswordCheck = ReturnType<typeof createPasswordCheck>;
