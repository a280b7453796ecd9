import { Anchor, Button, Divider, Text } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { paths } from '#client/paths.ts';
import type { UserAnswer } from '#shared/api/users.ts';
import { useProtectionReason } from '../use-protection-reason.ts';
import classes from './reset-password.module.css';

type Props = { user: UserAnswer; onReset: () => void };

/** Below the edit form of an account: opens the dialog that sets a new password. */
export function ResetPasswordSection({ user, onReset }: Props) {
  const isOwn = useProtectionReason()(user) !== null;
  return (
    <section aria-label="Password">
      <Divider my="lg" />
      {isOwn ? (
        <Text fz="sm" c="dimmed">
          Password Anda sendiri diganti di{' '}
          <Anchor component={Link} to={paths.adminAccount} inherit>
            Akun Saya
          </Anchor>
          .
        </Text>
      ) : (
        <div className={classes['section']}>
          <Text fz="sm" c="dimmed">
            Lupa password?
          </Text>
          <Button variant="subtle" px="xs" leftSection={<IconKey size={18} aria-hidden />} onClick={onReset}>
            Atur ulang password
          </Button>
        </div>
      )}
    </section>
  );
}
