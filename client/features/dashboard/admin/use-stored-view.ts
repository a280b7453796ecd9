import { useState } from 'react';
import { readStored, writeStored } from '#client/lib/safe-storage.ts';

export type ListView = 'kartu' | 'tabel';

/** How a list of the dashboard is shown; cards until somebody chooses otherwise, and then as chosen in this browser. */
export function useStoredView(list: 'users' | 'records') {
  const key = `admin_dashboard_${list}`;
  const [view, setView] = useState<ListView>(() => (readStored(key) === 'tabel' ? 'tabel' : 'kartu'));

  function choose(next: string): void {
    const chosen = next === 'tabel' ? 'tabel' : 'kartu';
    writeStored(key, chosen);
    setView(chosen);
  }

  return { view, choose };
}
