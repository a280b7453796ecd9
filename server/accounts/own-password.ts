import type { CurrentUser } from '#server/http/session-guards.ts';

/** Wrong own passwords of an account are counted under this key. */
export const ownPasswordKey = (userId: string): string => `password ${userId}`;

/** The own password, or the PIN of an account without one; as the body of a call has them. */
export type OwnSecret = { current_password?: string | undefined; pin?: string | undefined };

/** The address and the browser from which a password comes, and whether the caller still waits for the answer. */
export type PasswordSource = { address: string; deviceToken?: string | undefined; signal?: AbortSignal | undefined };

/** Throws 422 without the right password or PIN, 429 after too many wrong ones, 503 while too many others wait. */
export type RequireOwnPassword = (
  currentUser: CurrentUser,
  secret: OwnSecret,
  source: PasswordSource,
) => Promise<'password' | 'pin'>;
