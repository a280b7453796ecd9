import { MustChangePassword } from '#client/features/auth/must-change-password.tsx';
import { SignOutButton } from './sign-out-button.tsx';

export function NewPasswordPage() {
  return <MustChangePassword signOutButton={<SignOutButton fullWidth />} />;
}
