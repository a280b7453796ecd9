import { useState } from 'react';
import { Navigate, Outlet } from 'react-router-dom';
import { currentSession, lastSessionHadEmail, useSession } from '#client/lib/session/session.ts';
import { paths, startPath } from '#client/paths.ts';

/**
 * Redirects from routes that a role may not open (docs/requirements.md R-UI-1, R-PERM-8).
 * They only spare users a useless page: the server checks every call.
 */

export function RequireSession() {
  const session = useSession();
  // An account without an e-mail address is entered with a card.
  if (!session) return <Navigate to={lastSessionHadEmail() ? paths.login : paths.card} replace />;
  const { user } = session;
  if (user?.must_change_password) return <Navigate to={paths.newPassword} replace />;
  return user?.must_set_up_second_factor ? <Navigate to={paths.secondFactor} replace /> : <Outlet />;
}

export function RequireAdmin() {
  const session = useSession();
  return session && !session.user?.is_admin ? <Navigate to={paths.dashboard} replace /> : <RequireSession />;
}

/** For login and registration. Checked only on arrival, because a session opened here first shows its success. */
export function GuestOnly() {
  const [initialSession] = useState(currentSession);
  return initialSession ? <Navigate to={startPath(initialSession.user?.is_admin ?? false)} replace /> : <Outlet />;
}
