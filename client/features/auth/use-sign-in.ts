import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { pathAfterLogin } from '#client/paths.ts';
import { ownUserQuery } from '#client/lib/api/own-user-query.ts';
import { openSession, updateSessionUser, useEndedSession } from '#client/lib/session/session.ts';
import { AUTH_OVERLAY_MS } from '#shared/limits.ts';
import type { OpenedSession } from './api.ts';

/** Stores an opened session, and redirects after the success overlay. */
export function useSignIn() {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const endedSession = useEndedSession();
  const [target, setTarget] = useState<string | null>(null);
  /** The answer of a login does not say whether a new password must come first. Pages would then be refused their data. */
  const userKnown = useRef<Promise<void>>(Promise.resolve());

  useEffect(() => {
    if (target === null) return undefined;
    const leave = async (): Promise<void> => {
      await userKnown.current;
      void navigate(target, { replace: true });
    };
    const timer = setTimeout(() => void leave(), AUTH_OVERLAY_MS);
    return () => clearTimeout(timer);
  }, [navigate, target]);

  function signIn({ token, user }: OpenedSession) {
    // Only the same user goes back to the page where the session ended, because it may show private data.
    const returnTo = endedSession?.email === user.email ? endedSession.returnTo : null;
    openSession(token, user);
    userKnown.current = queryClient.fetchQuery(ownUserQuery).then(updateSessionUser, () => undefined);
    setTarget(pathAfterLogin(user.is_admin, returnTo));
  }

  return { signIn, signedIn: target !== null };
}
