import { useRef, useState } from 'react';

/**
 * Runs one submission at a time, however often the button is pressed: a call while one runs does nothing.
 * `const { submit, busy } = useSubmit(async (values: Values) => { … })`
 */
export function useSubmit<Args extends unknown[]>(run: (...args: Args) => Promise<void>) {
  // State alone is too late: two clicks may both come before the next render.
  const running = useRef(false);
  const [busy, setBusy] = useState(false);

  async function submit(...args: Args): Promise<void> {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    try {
      await run(...args);
    } finally {
      running.current = false;
      setBusy(false);
    }
  }

  return { submit, busy };
}
