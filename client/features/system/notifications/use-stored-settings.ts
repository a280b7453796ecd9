import { useEffect, useState } from 'react';

/** This browser's own choices (specification 3, `admin_settings`); the server knows nothing of them. */
export type AdminSettings = { notifications: boolean; desktopNotifications: boolean; chatSound: boolean };

/** What the page works on; the notifications themselves belong to the chat. */
export type SettingsDeps = {
  read: () => AdminSettings;
  write: (settings: AdminSettings) => void;
  defaults: AdminSettings;
  /** Sounds the three tones. @returns false when the browser does not allow it */
  playBeep: () => Promise<boolean>;
};

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
