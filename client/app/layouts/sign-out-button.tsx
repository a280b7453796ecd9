import { Button, type ButtonProps } from '@mantine/core';
import { IconLogout } from '@tabler/icons-react';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import { signOut } from './sign-out.ts';

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
