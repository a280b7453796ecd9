import {
  defaultNotificationSettings,
  readNotificationSettings,
  writeNotificationSettings,
} from '#client/features/chat/notifications/settings.ts';
import { playBeep } from '#client/features/chat/notifications/beep.ts';
import { SettingsPage } from '#client/features/system/settings-page.tsx';

const deps = {
  read: readNotificationSettings,
  write: writeNotificationSettings,
  defaults: defaultNotificationSettings,
  playBeep,
};

/** The settings, joined to the chat's notifications that they are about. */
export function AdminSettingsPage() {
  return <SettingsPage deps={deps} />;
}
