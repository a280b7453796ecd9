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

/** Connects the settings page with the notifications of the chat. */
export function AdminSettingsPage() {
  return <SettingsPage deps={deps} />;
}
