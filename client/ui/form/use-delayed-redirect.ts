import { useEffect } from 'react';
import { useNavigate } from 'react-router-dom';

/** Goes to `target` after `delayMs`, unless the page is left before; null waits for nothing. */
export function useDelayedRedirect(target: string | null, delayMs: number): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (target === null) return undefined;
    // In place of this page: going back must not lead to a form that is already saved.
    const timer = setTimeout(() => void navigate(target, { replace: true }), delayMs);
    return () => clearTimeout(timer);
  }, [delayMs, navigate, target]);
}
