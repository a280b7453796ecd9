import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';

const PARAM = 'obrolan';

/** Opens the chat for an address that a notification or a shortcut of the installed app leads to, once (R-PUSH-44). */
export function useOpenFromUrl(open: () => void): void {
  const { pathname, search, hash } = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    const params = new URLSearchParams(search);
    if (!params.has(PARAM)) return;
    params.delete(PARAM);
    const rest = params.toString();
    // First, so that the entry of the open chat stands on a page that a reload leaves as it is.
    void navigate(pathname + (rest === '' ? '' : `?${rest}`) + hash, { replace: true, preventScrollReset: true });
    open();
  }, [pathname, search, hash, navigate, open]);
}
