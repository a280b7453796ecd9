import type { ReactNode } from 'react';
import { deviceTokenOf } from '#client/lib/session/device-tokens.ts';
import { PasswordField, PasswordOwner } from '#client/ui/fields/password-field.tsx';
import { type AccountAnswer, ownPasswordTexts } from '#shared/api/users.ts';
import { PIN_LENGTH } from '#shared/domain/users/pin.ts';
import { PASSWORD_MAX } from '#shared/limits.ts';
import { cardTexts } from '#shared/texts.ts';

/** The values of a form with this field; an account has one of them. */
export const NO_OWN_SECRET = { current_password: '', pin: '' };
type OwnSecret = typeof NO_OWN_SECRET;
type Owner = Pick<AccountAnswer, 'email' | 'has_password'>;

export function ownSecretError({ has_password }: Owner, { current_password, pin }: OwnSecret): Record<string, string> {
  if (has_password) return current_password === '' ? { current_password: ownPasswordTexts.required } : {};
  return pin === '' ? { pin: cardTexts.ownPinRequired } : {};
}

/** The fields of a call that needs the own password, or the PIN of an account without one (docs/requirements.md R-ACCESS-45). */
export const ownSecretBody = ({ email, has_password }: Owner, { current_password, pin }: OwnSecret) => ({
  ...(has_password ? { current_password } : { pin }),
  ...deviceTokenOf(email),
});

type Props = {
  user: Owner;
  label?: string;
  description?: ReactNode;
  inputPropsOf: (field: keyof OwnSecret) => object;
};

/** The own password, or the PIN of the card of a person who has none. */
export function OwnSecretField({ user, label = 'Password Anda', description, inputPropsOf }: Props) {
  if (!user.has_password)
    return (
      <PasswordField
        label="PIN Anda"
        secretLabel="PIN Anda"
        description={description}
        inputMode="numeric"
        maxLength={PIN_LENGTH}
        autoComplete="off"
        {...inputPropsOf('pin')}
      />
    );
  return (
    <>
      <PasswordOwner email={user.email} />
      <PasswordField
        label={label}
        secretLabel={label.replace(/^P/, 'p')}
        description={description}
        maxLength={PASSWORD_MAX}
        autoComplete="current-password"
        {...inputPropsOf('current_password')}
      />
    </>
  );
}
