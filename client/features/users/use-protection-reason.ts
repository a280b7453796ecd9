import { useSession } from '#client/lib/session.ts';
import type { UserAnswer } from '#shared/api/users.ts';
import { errorTexts } from '#shared/texts.ts';

/**
 * Why an account cannot be deleted, deactivated or demoted by whoever is signed in; null when it can. That the last active
 * administrator must stay follows from it: whoever looks at this list is one. The server asks both again.
 */
export function useProtectionReason(): (user: UserAnswer) => string | null {
  const currentUser = useSession()?.user;
  // A user stored by an older version may have no id; an e-mail belongs to one account only.
  return (user) => (user.id === currentUser?.id || user.email === currentUser?.email ? errorTexts.ownAccount : null);
}
