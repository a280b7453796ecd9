import { useEffect, useState } from 'react';
import { notify } from '#client/ui/feedback/notify.tsx';
import type { ChatPanel } from './chat-panel.tsx';

/** After the page has settled, so that the panel is available even if the connection is lost before it is opened. */
const PREFETCH_DELAY_MS = 2500;

/** Loads the panel's code: not part of the first load, but before most users click the button. */
export function useLazyPanel(isNeeded: boolean, onFailed: () => void): { Component: typeof ChatPanel } | null {
  const [panel, setPanel] = useState<{ Component: typeof ChatPanel } | null>(null);

  useEffect(() => {
    if (panel) return undefined;
    let isUnmounted = false;
    async function load(): Promise<void> {
      try {
        const { ChatPanel: Component } = await import('./chat-panel.tsx');
        if (!isUnmounted) setPanel({ Component });
      } catch (error) {
        console.warn('Panel Live Chat belum dapat dimuat', error);
        if (isUnmounted || !isNeeded) return;
        notify.error('Live Chat gagal dimuat', 'Periksa koneksi Anda, atau muat ulang halaman ini.');
        onFailed();
      }
    }
    const timer = setTimeout(() => void load(), isNeeded ? 0 : PREFETCH_DELAY_MS);
    return () => {
      isUnmounted = true;
      clearTimeout(timer);
    };
  }, [panel, isNeeded, onFailed]);

  return panel;
}
