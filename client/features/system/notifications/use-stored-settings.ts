import { useEffect, useState } from 'react';

/** The choices of this browser (`admin_settings`, docs/requirements.md R-CHAT-25). The server does not store them. */
export type AdminSettings = {
  notifications: boolean;
  desktopNotifications: boolean;
  chatSound: boolean;
  repeatSound: boolean;
};

/** The settings page gets these from the chat, which owns the notifications. */
export type SettingsDeps = {
  read: () => AdminSettings;
  write: (settings: AdminSettings) => void;
  defaults: AdminSettings;
  /** Plays the three tones. @returns false when the browser blocks them */
  playBeep: () => Promise<boolean>;
};

/** The stored settings, updated when another tab changes them, and a function that stores. */
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
