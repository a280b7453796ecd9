import { useEffect } from 'react';
import { useBlocker } from 'react-router-dom';
import { confirm, type ConfirmOptions } from '../feedback/confirm.ts';
import { currentSession } from '#client/lib/session/session.ts';
import { isUnloadAllowed } from './allow-unload.ts';

let unsavedFormCount = 0;

export const hasUnsavedForm = (): boolean => unsavedFormCount > 0;

const unsavedQuestion: ConfirmOptions = {
  title: 'Perubahan belum disimpan',
  message: 'Jika Anda meninggalkan halaman ini, perubahan yang belum disimpan akan hilang.',
  confirmLabel: 'Tinggalkan halaman',
  cancelLabel: 'Tetap di sini',
  danger: true,
};

/** Asks before unsaved input is lost. @returns true when there is none or the user discards it */
export async function confirmLeave(question = unsavedQuestion): Promise<boolean> {
  if (unsavedFormCount === 0) return true;
  return confirm(question);
}

/**
 * Warns before leaving while `unsaved`. Must be false as soon as the form is saved, so that the redirect works.
 * @param question a constant, for what is no form
 */
export function useUnsavedWarning(unsaved: boolean, question = unsavedQuestion): void {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      unsaved &&
      currentLocation.pathname !== nextLocation.pathname &&
      // Without a session nothing can be saved, so the redirect to the login page must not be blocked.
      currentSession() !== null,
  );

  useEffect(() => {
    if (blocker.state !== 'blocked') return;
    void confirmLeave(question).then((isConfirmed) => (isConfirmed ? blocker.proceed() : blocker.reset()));
  }, [blocker, question]);

  useEffect(() => {
    if (!unsaved) return undefined;
    const onBeforeUnload = (event: BeforeUnloadEvent) => {
      if (isUnloadAllowed()) return;
      event.preventDefault();
      // Chromium before 119 reads only `returnValue`.
      event.returnValue = true;
    };
    unsavedFormCount += 1;
    window.addEventListener('beforeunload', onBeforeUnload);
    return () => {
      unsavedFormCount -= 1;
      window.removeEventListener('beforeunload', onBeforeUnload);
    };
  }, [unsaved]);
}
