import { useState } from 'react';
import { Navigate, Outlet } from 'react-router-dom';
import { currentSession, useSession } from '#client/lib/session.ts';
import { paths, startPath } from '#client/paths.ts';

/** Who may see what (specification 2.1). The server checks again; this only saves people from pages they cannot use. */

export function RequireSession() {
  const session = useSession();
  return session ? <Outlet /> : <Navigate to={paths.login} replace />;
}

export function RequireAdmin() {
  const session = useSession();
  if (!session) return <Navigate to={paths.login} replace />;
  return session.user?.is_admin ? <Outlet /> : <Navigate to={paths.dashboard} replace />;
}

/** The sign-in pages. Asked once, on arrival: a session that begins here first shows its success and then moves on by itself. */
export function GuestOnly() {
  const [initialSession] = useState(currentSession);
  return initialSession ? <Navigate to={startPath(initialSession.user?.is_admin ?? false)} replace /> : <Outlet />;
}
