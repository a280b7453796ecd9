import { PasswordField } from '#client/ui/fields/password-field.tsx';
import { PASSWORD_MAX, PASSWORD_MIN_REGISTER } from '#shared/limits.ts';

type Props = { inputPropsOf: (field: 'password' | 'password_confirmation') => object };

/** A new password, twice. */
export function NewPasswordFields({ inputPropsOf }: Props) {
  return (
    <>
      <PasswordField
        label="Password baru"
        secretLabel="password baru"
        description={`Minimal ${PASSWORD_MIN_REGISTER} karakter. Pilih sendiri, jangan beri tahu siapa pun.`}
        maxLength={PASSWORD_MAX}
        autoComplete="new-password"
        {...inputPropsOf('password')}
      />
      <PasswordField
        label="Konfirmasi password baru"
        secretLabel="konfirmasi password baru"
        maxLength={PASSWORD_MAX}
        autoComplete="new-password"
        {...inputPropsOf('password_confirmation')}
      />
    </>
  );
}
