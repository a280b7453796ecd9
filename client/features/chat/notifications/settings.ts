import { isRecord } from '#client/lib/is-record.ts';
import { readStored, writeStored } from '#client/lib/safe-storage.ts';

/** An administrator's own choices, kept in the browser (specification 3). */
export type NotificationSettings = { notifications: boolean; desktopNotifications: boolean; chatSound: boolean };

const KEY = 'admin_settings';

export const defaultNotificationSettings: NotificationSettings = {
  notifications: true,
  desktopNotifications: false,
  chatSound: true,
};

/** A resident has no screen for it: on the desktop whenever their browser permits it. */
export const residentSettings: NotificationSettings = { ...defaultNotificationSettings, desktopNotifications: true };

function readRecord(): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(readStored(KEY) ?? '{}');
    return isRecord(value) ? value : {};
  } catch {
    // Not JSON: as good as never set.
    return {};
  }
}

/** Read at every message, so that another tab's change counts at once. */
export function readNotificationSettings(): NotificationSettings {
  const stored = readRecord();
  const choice = (name: keyof NotificationSettings): boolean => {
    const value = stored[name];
    return typeof value === 'boolean' ? value : defaultNotificationSettings[name];
  };
  return {
    notifications: choice('notifications'),
    desktopNotifications: choice('desktopNotifications'),
    chatSound: choice('chatSound'),
  };
}

export function writeNotificationSettings(settings: NotificationSettings): void {
  writeStored(KEY, JSON.stringify({ ...readRecord(), ...settings }));
}
