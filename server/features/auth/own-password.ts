import type { ServiceContext } from '#server/service-context.ts';
import type { CurrentUser } from '#server/http/session.ts';
import { verifyPassword } from '#server/passwords.ts';
import { createLoginAttempts } from './login-attempts.ts';
import { findUserById } from './queries.ts';

/** Whether the one who is signed in knows the password too; for what a phone left lying about must not do. */
export type OwnPasswordCheck = (currentUser: CurrentUser, password: string, address: string) => Promise<boolean>;

/** Wrong ones are counted and limited as at the login: the check throws 429 then. */
export function createOwnPasswordCheck(context: Pick<ServiceContext, 'orm' | 'now' | 'rateLimits'>): OwnPasswordCheck {
  const { withAttemptLimit } = createLoginAttempts(context);
  return async ({ id, email }, password, address) => {
    const isRight = await withAttemptLimit(email, address, async () => {
      const known = findUserById(context.orm, id);
      return known && (await verifyPassword(password, known.passwordHash)) ? true : null;
    });
    return isRight === true;
  };
}
