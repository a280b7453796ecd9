import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { currentSession, endedSession, onSessionChange } from '#client/lib/session.ts';
import type { RecordFormValues } from './record-form-values.ts';

/** What was typed when a session ended in the middle of it, and what the form had begun from. */
type Kept = { base: RecordFormValues; typed: RecordFormValues; hadPhoto: boolean };

/** In memory only: the way over the sign-in page loads no page anew, and on a shared PC nothing is left behind. */
const kept = new Map<string, Kept>();

const keyOf = (email: string, path: string): string => `${email} ${path}`;

/**
 * Keeps a form over the end of a session, for the same person at the same address: after the next sign-in they go on
 * where they were.
 * @param unsaved what to keep if the session ends now; null: nothing was typed
 * @returns what was kept the last time
 */
export function useKeptForm(unsaved: () => Kept | null): Kept | null {
  const { pathname } = useLocation();
  const email = currentSession()?.user?.email ?? '';
  const [found] = useState(() => kept.get(keyOf(email, pathname)) ?? null);
  const ask = useRef(unsaved);
  useEffect(() => {
    ask.current = unsaved;
  });

  useEffect(() => {
    kept.delete(keyOf(email, pathname));
    return onSessionChange((session) => {
      const ended = endedSession();
      const left = ask.current();
      // Whoever signed out by themself was asked, and let go of it.
      if (session === null && ended?.email && left) kept.set(keyOf(ended.email, pathname), left);
    });
  }, [email, pathname]);

  return found;
}
