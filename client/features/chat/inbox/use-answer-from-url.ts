import { useEffect, useEffectEvent } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { ANSWER_HASH } from '#client/paths.ts';

/** Calls `answer` once when the address says that the person pressed a notification to answer (R-PUSH-44). */
export function useAnswerFromUrl(answer: () => void): void {
  const { pathname, search, hash, state } = useLocation();
  const navigate = useNavigate();
  const answerOnce = useEffectEvent(answer);
  useEffect(() => {
    if (hash !== ANSWER_HASH) return;
    void navigate(pathname + search, { replace: true, state, preventScrollReset: true });
    answerOnce();
  }, [pathname, search, hash, state, navigate]);
}
