import { useEffect, useState } from 'react';
import { notify } from '#client/ui/feedback/notify.tsx';
import type { ChatPanel } from './chat-panel.tsx';

/** After the page has settled, so that the panel is at hand even if the line goes down before it is opened. */
const FETCH_AHEAD_MS = 2500;

/** The panel's code: not part of the first load, but here before most people press the button. */
export function usePanel(wanted: boolean, onFailed: () => void): { Component: typeof ChatPanel } | null {
  const [panel, setPanel] = useState<{ Component: typeof ChatPanel } | null>(null);

  useEffect(() => {
    if (panel) return undefined;
    let gone = false;
    async function load(): Promise<void> {
      try {
        const { ChatPanel: Component } = await import('./chat-panel.tsx');
        if (!gone) setPanel({ Component });
      } catch (error) {
        console.warn('Panel Live Chat belum dapat dimuat', error);
        if (gone || !wanted) return;
        notify.error('Live Chat gagal dimuat', 'Periksa koneksi Anda, atau muat ulang halaman ini.');
        onFailed();
      }
    }
    const timer = setTimeout(() => void load(), wanted ? 0 : FETCH_AHEAD_MS);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [panel, wanted, onFailed]);

  return panel;
}
