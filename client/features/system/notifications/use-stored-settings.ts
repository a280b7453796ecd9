import { useEffect, useState } from 'react';
import type { AdminSettings, SettingsDeps } from './settings-deps.ts';

/** What is stored, also when another tab stores something else meanwhile; and how to store. */
export function useStoredSettings({
  read,
  write,
}: Pick<SettingsDeps, 'read' | 'write'>): [AdminSettings, (settings: AdminSettings) => void] {
  const [saved, setSaved] = useState(read);
  useEffect(() => {
    const onStorage = () => setSaved(read());
    window.addEventListener('storage', onStorage);
    return () => window.removeEventListener('storage', onStorage);
  }, [read]);
  return [
    saved,
    (settings) => {
      write(settings);
      setSaved(settings);
    },
  ];
}
