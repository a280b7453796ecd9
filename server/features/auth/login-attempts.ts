import { LOGIN_ATTEMPTS_MAX, LOGIN_WINDOW_MS } from '#shared/limits.ts';
import type { ServiceContext } from '#server/service-context.ts';
import { createKeyedQueue, createRateLimit } from '#server/http/rate-limit.ts';

/** Checks a password; null means that it was wrong. */
type PasswordAttempt<T> = () => Promise<T | null>;

/**
 * After ten wrong passwords for one account from one IP address within 15 minutes the next attempt gets 429 (R-AUTH-4).
 * An unknown account is counted in the same way, so the limit does not reveal which accounts exist.
 */
export function createLoginAttempts({ now, rateLimits }: Pick<ServiceContext, 'now' | 'rateLimits'>) {
  const failureLimit = createRateLimit(LOGIN_ATTEMPTS_MAX, LOGIN_WINDOW_MS, now);
  const enqueue = createKeyedQueue();
  /** Resets per e-mail address. The number is part of the key, so older attempts do not count against a new password. */
  const passwordResets = new Map<string, number>();

  /**
   * Runs one attempt. Attempts for the same account and address run one after the other: in parallel they would all
   * pass the check before the first of them is counted.
   * @throws 429 when the limit is reached; an error of the attempt itself is passed on and does not count
   */
  async function withAttemptLimit<T>(email: string, address: string, attempt: PasswordAttempt<T>): Promise<T | null> {
    if (!rateLimits) return attempt();
    const key = `${email} ${passwordResets.get(email) ?? 0} ${address}`;
    return enqueue(key, async () => {
      failureLimit.check(key);
      const outcome = await attempt();
      if (outcome === null) failureLimit.count(key);
      else failureLimit.reset(key);
      return outcome;
    });
  }

  return {
    withAttemptLimit,
    /** Clears the count of an account for every address, after an admin gave it a new password. */
    resetAttempts: (email: string): void => void passwordResets.set(email, (passwordResets.get(email) ?? 0) + 1),
  };
}
