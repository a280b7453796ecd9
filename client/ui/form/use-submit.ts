import { useRef, useState } from 'react';

/**
 * Runs one submission at a time: a call while another runs does nothing.
 * `const { submit, busy } = useSubmit(async (values: Values) => { … })`
 */
export function useSubmit<Args extends unknown[]>(run: (...args: Args) => Promise<void>) {
  // State would be too late: two clicks may come before the next render.
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
