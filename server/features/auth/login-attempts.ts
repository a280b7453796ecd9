import { LOGIN_ATTEMPTS_MAX, LOGIN_WINDOW_MS } from '#shared/limits.ts';
import type { Context } from '#server/context.ts';
import { createLanes, createWindowLimit } from '#server/http/rate-limit.ts';

/** What a try at a password came to; `null` is a wrong one. */
type Try<T> = () => Promise<T | null>;

/**
 * Ten wrong passwords for one account from one address in 15 minutes, then 429 (contract 4). Whether the account exists
 * makes no difference.
 */
export function createLoginAttempts({ now, rateLimits }: Pick<Context, 'now' | 'rateLimits'>) {
  const wrong = createWindowLimit(LOGIN_ATTEMPTS_MAX, LOGIN_WINDOW_MS, now);
  const inTurn = createLanes();
  /** How often the office gave an account another password: what was tried before is not counted against the new one. */
  const renewals = new Map<string, number>();

  /**
   * Runs one try. Those for the same account and address take turns: in parallel they would all pass the check before
   * the first of them is counted.
   * @throws 429 when the window is used up, and whatever the try throws, which counts as no wrong password
   */
  async function limited<T>(email: string, address: string, attempt: Try<T>): Promise<T | null> {
    if (!rateLimits) return attempt();
    const key = `${email} ${renewals.get(email) ?? 0} ${address}`;
    return inTurn(key, async () => {
      wrong.check(key);
      const outcome = await attempt();
      if (outcome === null) wrong.count(key);
      else wrong.forget(key);
      return outcome;
    });
  }

  return {
    limited,
    /** Whoever was given another password starts anew, from every address. */
    forget: (email: string): void => void renewals.set(email, (renewals.get(email) ?? 0) + 1),
  };
}
