import type { CurrentUser } from '#server/http/session-guards.ts';

export type PasswordSource = { address: string; deviceToken: string | undefined; signal: AbortSignal };

/** Throws 422 without the right password or PIN, 429 after too many wrong ones, 503 while too many others wait. */
export type RequireOwnPassword = (
  currentUser: CurrentUser,
  secret: { current_password?: string | undefined; pin?: string | undefined },
  source: PasswordSource,
) => Promise<'password' | 'pin'>;
