import { useEffect } from 'react';
import { useNavigate } from 'react-router-dom';

/** Goes to `target` after `delayMs`, unless the page is left before. null: no redirect; 'back': the page before this one. */
export function useDelayedRedirect(target: string | null, delayMs: number): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (target === null) return undefined;
    // Replaces this page in the history: going back must not lead to a form that is already saved.
    const go = () => (target === 'back' ? navigate(-1) : navigate(target, { replace: true }));
    const timer = setTimeout(() => void go(), delayMs);
    return () => clearTimeout(timer);
  }, [delayMs, navigate, target]);
}
