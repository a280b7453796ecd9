import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';

const PARAM = 'obrolan';

/** Opens the chat for an address that a notification or a shortcut of the installed app leads to, once (R-PUSH-44). */
export function useOpenFromUrl(open: () => void): void {
  const { pathname, search, hash, state } = useLocation();
  const navigate = useNavigate();
  const isWanted = useRef(false);
  useEffect(() => {
    const params = new URLSearchParams(search);
    if (params.has(PARAM)) {
      isWanted.current = true;
      params.delete(PARAM);
      const rest = params.toString();
      void navigate(pathname + (rest === '' ? '' : `?${rest}`), { replace: true, state, preventScrollReset: true });
    } else if (isWanted.current) {
      // Only now: the open chat may add an entry to the browser's history, with the address that a reload should find.
      isWanted.current = false;
      open();
    }
  }, [pathname, search, hash, state, navigate, open]);
}
