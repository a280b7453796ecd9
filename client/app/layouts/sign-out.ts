import { logout } from '#client/features/auth/api.ts';
import { closeSession } from '#client/lib/session.ts';
import { mayLeave } from '#client/ui/form/use-unsaved-warning.ts';

const SERVER_WAIT_MS = 2000;

/** Signs out here whatever the server says: nobody should stay signed in on a borrowed phone because the line is down. */
export async function signOut(): Promise<void> {
  if (!(await mayLeave())) return;
  await Promise.race([logout().catch(() => undefined), new Promise((resolve) => setTimeout(resolve, SERVER_WAIT_MS))]);
  closeSession();
}
