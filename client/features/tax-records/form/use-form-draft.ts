import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { currentSession, endedSession, onSessionChange } from '#client/lib/session.ts';
import type { RecordFormValues } from './record-form-values.ts';

/** What was typed when a session ended in the middle of it, and what the form had begun from. */
type FormDraft = { base: RecordFormValues; typed: RecordFormValues; hadPhoto: boolean };

/** In memory only: the way over the sign-in page loads no page anew, and on a shared PC nothing is left behind. */
const drafts = new Map<string, FormDraft>();

const draftKey = (email: string, path: string): string => `${email} ${path}`;

/**
 * Keeps a form over the end of a session, for the same person at the same address: after the next sign-in they go on
 * where they were.
 * @param readDraft what to keep if the session ends now; null: nothing was typed
 * @returns what was kept the last time
 */
export function useFormDraft(readDraft: () => FormDraft | null): FormDraft | null {
  const { pathname } = useLocation();
  const email = currentSession()?.user?.email ?? '';
  const [restoredDraft] = useState(() => drafts.get(draftKey(email, pathname)) ?? null);
  const readDraftRef = useRef(readDraft);
  useEffect(() => {
    readDraftRef.current = readDraft;
  });

  useEffect(() => {
    drafts.delete(draftKey(email, pathname));
    return onSessionChange((session) => {
      const ended = endedSession();
      const draft = readDraftRef.current();
      // Whoever signed out by themself was asked, and let go of it.
      if (session === null && ended?.email && draft) drafts.set(draftKey(ended.email, pathname), draft);
    });
  }, [email, pathname]);

  return restoredDraft;
}
