import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { onErasePrivateData } from '#client/lib/private-data.ts';
import { accountIdOf, useSession } from '#client/lib/session.ts';
import { useConversation } from '../session/use-chat.ts';

const PARAM = 'obrolan';

/**
 * Who wanted to open the chat and has not seen it yet: when it turns out that the session has ended, the same account finds it
 * open after the login.
 */
let wantedBy: string | null = null;
onErasePrivateData(() => {
  wantedBy = null;
});

/** Opens the chat for an address that a notification or a shortcut of the installed app leads to, once (R-PUSH-44). */
export function useOpenFromUrl(open: () => void): void {
  const { pathname, search, state } = useLocation();
  const navigate = useNavigate();
  const user = useSession()?.user;
  const accountId = user ? accountIdOf(user) : '';
  const { loaded } = useConversation(accountId);
  const hasOpened = useRef(false);
  useEffect(() => {
    const params = new URLSearchParams(search);
    if (params.has(PARAM)) {
      wantedBy = accountId;
      hasOpened.current = false;
      params.delete(PARAM);
      const rest = params.toString();
      void navigate(pathname + (rest === '' ? '' : `?${rest}`), { replace: true, state, preventScrollReset: true });
      return;
    }
    if (wantedBy !== accountId) return;
    // Only now: the open chat may add an entry to the browser's history, with the address that a reload should find.
    if (!hasOpened.current) open();
    hasOpened.current = true;
    if (loaded) wantedBy = null;
  }, [pathname, search, state, accountId, loaded, navigate, open]);
}
