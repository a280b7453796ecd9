type Account = { email: string; is_admin: boolean; is_active: boolean };

const sameEmail = (one: Account, other: Account): boolean =>
  one.email.trim().toLowerCase() === other.email.trim().toLowerCase();

/**
 * Whether a change makes or takes an administrator, or takes over the account of one. Such a change outlives the session
 * that makes it, so it needs the own password (docs/requirements.md R-USER-16).
 * @param before null for a new account
 * @param after null for a deletion
 */
export function isAdminChange(before: Account | null, after: Account | null): boolean {
  if (!before || !after) return (before ?? after)?.is_admin === true;
  if (before.is_admin !== after.is_admin) return true;
  return before.is_admin && (before.is_active !== after.is_active || !sameEmail(before, after));
}
