import {
  defaultNotificationPreferences,
  readNotificationPreferences,
  writeNotificationPreferences,
} from '#client/features/chat/notifications/preferences.ts';
import { playBeep } from '#client/features/chat/notifications/beep.ts';
import { SettingsPage } from '#client/features/system/settings-page.tsx';

const deps = {
  read: readNotificationPreferences,
  write: writeNotificationPreferences,
  defaults: defaultNotificationPreferences,
  playBeep,
};

/** The settings, joined to the chat's notifications that they are about. */
export function AdminSettingsPage() {
  return <SettingsPage deps={deps} />;
}
