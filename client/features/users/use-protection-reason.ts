import { useSession } from '#client/lib/session/session.ts';
import type { UserAnswer } from '#shared/api/users.ts';
import { errorTexts } from '#shared/texts.ts';

/**
 * The reason why the current user cannot delete, deactivate or demote an account: it is their own. null when they can.
 * This protects the last active admin too, because only an admin sees the list. The server checks both again.
 */
export function useProtectionReason(): (user: UserAnswer) => string | null {
  const currentUser = useSession()?.user;
  // A user stored by an older version may have no id, and an e-mail belongs to one account only.
  return (user) => (user.id === currentUser?.id || user.email === currentUser?.email ? errorTexts.ownAccount : null);
}
