import type { TextInputProps } from '@mantine/core';
import { useSession } from '#client/lib/session/session.ts';
import { PasswordField, PasswordOwner } from '#client/ui/fields/password-field.tsx';
import { PASSWORD_MAX } from '#shared/limits.ts';

const REASON =
  'Membuat, mengubah, atau menghapus akun administrator memerlukan password Anda sendiri, agar orang lain tidak dapat melakukannya dari perangkat yang masih masuk. Admin lain diberi tahu.';

/** The own password, in a form that makes or takes an administrator (docs/requirements.md R-USER-16). */
export function OwnPasswordField(props: Omit<TextInputProps, 'type' | 'label'>) {
  const email = useSession()?.user?.email;
  return (
    <>
      <PasswordOwner email={email} />
      <PasswordField
        {...props}
        label="Password Anda"
        secretLabel="password Anda"
        description={REASON}
        required
        maxLength={PASSWORD_MAX}
        autoComplete="current-password"
      />
    </>
  );
}
