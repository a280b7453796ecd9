import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { isPlainObject } from '#client/lib/is-plain-object.ts';

/** On a phone the chat looks like a page of its own, so 'back' must close it and keep the page behind it. */
export function useCloseOnBack(active: boolean, close: () => void): void {
  const { pathname, search, state } = useLocation();
  const navigate = useNavigate();
  const isOnChatEntry = isPlainObject(state) && state['chat'] === true;
  /** Whether this hook has added an entry to the browser's history. */
  const hasPushedEntry = useRef(false);
  const hasReachedEntry = useRef(false);

  useEffect(() => {
    if (active && !hasPushedEntry.current) {
      hasPushedEntry.current = true;
      hasReachedEntry.current = false;
      void navigate(pathname + search, { state: { chat: true }, preventScrollReset: true });
    } else if (!active && hasPushedEntry.current) {
      hasPushedEntry.current = false;
      if (isOnChatEntry) void navigate(-1);
    }
    // Only opening and closing change the browser's history.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [active]);

  useEffect(() => {
    if (isOnChatEntry) {
      hasReachedEntry.current = true;
      return;
    }
    if (!hasPushedEntry.current || !hasReachedEntry.current) return;
    hasPushedEntry.current = false;
    close();
  }, [isOnChatEntry, close]);
}
