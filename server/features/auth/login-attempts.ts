import { LOGIN_ATTEMPTS_MAX, LOGIN_WINDOW_MS } from '#shared/limits.ts';
import type { ServiceContext } from '#server/service-context.ts';
import { createKeyedQueue, createRateLimit } from '#server/http/rate-limit.ts';

/** What a try at a password came to; `null` is a wrong one. */
type PasswordAttempt<T> = () => Promise<T | null>;

/**
 * Ten wrong passwords for one account from one address in 15 minutes, then 429 (contract 4). Whether the account exists
 * makes no difference.
 */
export function createLoginAttempts({ now, rateLimits }: Pick<ServiceContext, 'now' | 'rateLimits'>) {
  const failureLimit = createRateLimit(LOGIN_ATTEMPTS_MAX, LOGIN_WINDOW_MS, now);
  const enqueue = createKeyedQueue();
  /** How often the office gave an account another password: what was tried before is not counted against the new one. */
  const passwordResets = new Map<string, number>();

  /**
   * Runs one try. Those for the same account and address take turns: in parallel they would all pass the check before
   * the first of them is counted.
   * @throws 429 when the window is used up, and whatever the try throws, which counts as no wrong password
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
    /** Whoever was given another password starts anew, from every address. */
    resetAttempts: (email: string): void => void passwordResets.set(email, (passwordResets.get(email) ?? 0) + 1),
  };
}
