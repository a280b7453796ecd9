import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { isPlainObject } from '#client/lib/storage/is-plain-object.ts';

/**
 * An overlay that fills the screen looks like a page of its own. So 'back' must close it and keep the page behind it.
 * @param mark its own name in the browser's history: one such thing may stand over another
 */
export function useCloseOnBack(active: boolean, close: () => void, mark: 'chat' | 'photo'): void {
  const { pathname, search, state } = useLocation();
  const navigate = useNavigate();
  const isOnOwnEntry = isPlainObject(state) && state[mark] === true;
  /** Whether this hook has added an entry to the browser's history. */
  const hasPushedEntry = useRef(false);
  const hasReachedEntry = useRef(false);

  useEffect(() => {
    if (active && !hasPushedEntry.current) {
      hasPushedEntry.current = true;
      // After a reload this may still be an entry of before.
      hasReachedEntry.current = isOnOwnEntry;
      if (isOnOwnEntry) return;
      void navigate(pathname + search, {
        // An overlay below keeps its own entry.
        state: { ...(isPlainObject(state) ? state : {}), [mark]: true },
        preventScrollReset: true,
      });
    } else if (!active && hasPushedEntry.current) {
      hasPushedEntry.current = false;
      if (isOnOwnEntry) void navigate(-1);
    }
    // Only opening and closing change the browser's history.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [active]);

  useEffect(() => {
    if (isOnOwnEntry) {
      hasReachedEntry.current = true;
      return;
    }
    if (!hasPushedEntry.current || !hasReachedEntry.current) return;
    hasPushedEntry.current = false;
    close();
  }, [isOnOwnEntry, close]);
}
