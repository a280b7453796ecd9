import { useState } from 'react';
import { readStored, writeStored } from '#client/lib/safe-storage.ts';

export type ListView = 'kartu' | 'tabel';

/** Cards or table for a list of the dashboard. The choice is stored in the browser; the default is cards. */
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
