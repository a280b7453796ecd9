import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { paths, pathAfterLogin } from '#client/paths.ts';
import { ownUserQuery } from '#client/lib/api/own-user-query.ts';
import {
  closeSession,
  currentSession,
  openSession,
  updateSessionUser,
  useEndedSession,
} from '#client/lib/session/session.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { requestPageFocus } from '#client/ui/page/page-focus.ts';
import { AUTH_OVERLAY_MS } from '#shared/limits.ts';
import type { Entrance, OpenedSession, StartedEntrance } from './api.ts';

/** Few accounts have a second factor. A way in whose code works once loads it before the code is used. */
export const loadSecondStep = async () => (await import('./second-step/second-step.tsx')).SecondStep;
type Step = { started: StartedEntrance; SecondStep: Awaited<ReturnType<typeof loadSecondStep>> };

function warnOfSpareCodes(left: number): void {
  notify.warning(`Kode cadangan itu sudah terpakai. Sisa ${left}.`, 'Kode baru: pasang lagi kode kedua di Akun Saya.');
}

/**
 * Stores an opened session, after a second step where the account has one, and redirects after the success overlay.
 * @param note what the second step of this way in does
 */
export function useSignIn(note?: string) {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const queryClient = useQueryClient();
  const endedSession = useEndedSession();
  const [target, setTarget] = useState<string | null>(null);
  const [step, setStep] = useState<Step | null>(null);
  /** Why the second step ended without a session. */
  const [endedStep, setEndedStep] = useState<string | null>(null);
  /** The answer of a login does not say what must come first, such as a new password. Pages would then be refused their data. */
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

  async function loadUser(usedSpare: boolean): Promise<void> {
    const account = await queryClient.fetchQuery(ownUserQuery);
    updateSessionUser(account);
    if (usedSpare) warnOfSpareCodes(account.recovery_codes_left);
  }

  /** @param usedSpare whether a spare code was used up */
  function signIn({ token, user }: OpenedSession, usedSpare = false) {
    // Only the same user goes back to the page where the session ended, because it may show private data.
    const returnTo = endedSession?.email === user.email ? endedSession.returnTo : null;
    // The notifications of another account that was signed in here end.
    if (currentSession()) closeSession();
    openSession(token, user);
    userKnown.current = loadUser(usedSpare).catch(() => undefined);
    setTarget(pathAfterLogin(user.is_admin, returnTo));
  }

  async function enter(entrance: Entrance): Promise<void> {
    setEndedStep(null);
    if ('token' in entrance) signIn(entrance);
    else setStep({ started: entrance, SecondStep: await loadSecondStep() });
  }

  /** The form comes back; its heading takes the focus of the field that is gone. */
  function leaveStep(): void {
    requestPageFocus(pathname);
    setStep(null);
  }

  const secondStep = step && (
    <step.SecondStep
      started={step.started}
      note={note}
      onOpened={(opened, usedSpare) => {
        setStep(null);
        signIn(opened, usedSpare);
      }}
      onEnded={(reason) => {
        setEndedStep(reason);
        leaveStep();
      }}
      onBack={() => {
        leaveStep();
        void navigate(paths.login);
      }}
    />
  );

  return { signIn, enter, signedIn: target !== null, secondStep, endedStep };
}
