import { MustSetUpFactor } from '#client/features/auth/must-set-up-factor.tsx';
import { SignOutButton } from './sign-out-button.tsx';

export function SecondFactorPage() {
  return <MustSetUpFactor signOutButton={<SignOutButton fullWidth />} />;
}
