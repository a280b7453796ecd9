import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { isRecord } from '#client/lib/is-record.ts';

/** On a phone the chat looks like a page of its own, so 'back' must close it and not leave the page behind it. */
export function useBackCloses(active: boolean, close: () => void): void {
  const { pathname, search, state } = useLocation();
  const navigate = useNavigate();
  const onStep = isRecord(state) && state['chat'] === true;
  /** Whether a step of ours stands in the browser's history. */
  const stepped = useRef(false);
  const arrived = useRef(false);

  useEffect(() => {
    if (active && !stepped.current) {
      stepped.current = true;
      arrived.current = false;
      void navigate(pathname + search, { state: { chat: true }, preventScrollReset: true });
    } else if (!active && stepped.current) {
      stepped.current = false;
      if (onStep) void navigate(-1);
    }
    // Only opening and closing make or take back a step.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [active]);

  useEffect(() => {
    if (onStep) {
      arrived.current = true;
      return;
    }
    if (!stepped.current || !arrived.current) return;
    stepped.current = false;
    close();
  }, [onStep, close]);
}
