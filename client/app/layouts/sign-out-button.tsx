import { Button, type ButtonProps } from '@mantine/core';
import { IconLogout } from '@tabler/icons-react';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import { logout } from '#client/features/auth/api.ts';
import { beginLogout, closeSession } from '#client/lib/session.ts';
import { confirmLeave } from '#client/ui/form/use-unsaved-warning.ts';

const SIGN_OUT_TIMEOUT_MS = 2000;

/**
 * Ends the session in this browser, even without an answer of the server.
 * A lost connection must not keep a borrowed phone signed in.
 */
async function signOut(): Promise<void> {
  if (!(await confirmLeave())) return;
  beginLogout();
  await Promise.race([
    logout().catch(() => undefined),
    new Promise((resolve) => setTimeout(resolve, SIGN_OUT_TIMEOUT_MS)),
  ]);
  closeSession();
}

export function SignOutButton(props: ButtonProps) {
  const { submit, busy } = useSubmit(signOut);
  return (
    <Button
      variant="default"
      leftSection={<IconLogout size={18} aria-hidden />}
      aria-label="Keluar (Logout)"
      {...props}
      loading={busy}
      onClick={() => void submit()}
    >
      Keluar
    </Button>
  );
}
