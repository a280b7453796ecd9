import { logout } from '#client/features/auth/api.ts';
import { closeSession } from '#client/lib/session.ts';
import { confirmLeave } from '#client/ui/form/use-unsaved-warning.ts';

const SIGN_OUT_TIMEOUT_MS = 2000;

/** Signs out here whatever the server says: nobody should stay signed in on a borrowed phone because the line is down. */
export async function signOut(): Promise<void> {
  if (!(await confirmLeave())) return;
  await Promise.race([
    logout().catch(() => undefined),
    new Promise((resolve) => setTimeout(resolve, SIGN_OUT_TIMEOUT_MS)),
  ]);
  closeSession();
}
