import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { onErasePrivateData } from '#client/lib/session/private-data.ts';
import { currentSession, endedSession, onSessionChange } from '#client/lib/session/session.ts';
import type { RecordFormValues } from './record-form-values.ts';

/** The typed values when a session ended, and the values with which the form began. */
type FormDraft = { base: RecordFormValues; typed: RecordFormValues; hadPhoto: boolean };

/** In memory only: signing in again does not reload the page, and nothing remains on a shared computer. */
const drafts = new Map<string, FormDraft>();

const draftKey = (email: string, path: string): string => `${email} ${path}`;

onErasePrivateData(({ email }) => {
  for (const key of drafts.keys()) if (key.startsWith(draftKey(email, ''))) drafts.delete(key);
});

/**
 * Keeps the contents of a form when a session ends, for the same account and the same page, until the next sign-in.
 * @param readDraft returns what to keep if the session ends now; null when nothing was typed
 * @returns the draft of the last session that ended, or null
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
      // Before an own logout the user was asked and discarded the changes.
      if (session === null && ended?.email && draft) drafts.set(draftKey(ended.email, pathname), draft);
    });
  }, [email, pathname]);

  return restoredDraft;
}
