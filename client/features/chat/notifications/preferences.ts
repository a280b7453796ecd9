import { isPlainObject } from '#client/lib/is-plain-object.ts';
import { readStored, writeStored } from '#client/lib/safe-storage.ts';

/** An administrator's own choices, kept in the browser (specification 3). */
export type NotificationPreferences = { notifications: boolean; desktopNotifications: boolean; chatSound: boolean };

const STORAGE_KEY = 'admin_settings';

export const defaultNotificationPreferences: NotificationPreferences = {
  notifications: true,
  desktopNotifications: false,
  chatSound: true,
};

/** A resident has no screen for it: on the desktop whenever their browser permits it. */
export const userNotificationPreferences: NotificationPreferences = {
  ...defaultNotificationPreferences,
  desktopNotifications: true,
};

function readStoredRecord(): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(readStored(STORAGE_KEY) ?? '{}');
    return isPlainObject(value) ? value : {};
  } catch {
    // Not JSON: as good as never set.
    return {};
  }
}

/** Read at every message, so that another tab's change counts at once. */
export function readNotificationPreferences(): NotificationPreferences {
  const stored = readStoredRecord();
  const preferenceOf = (name: keyof NotificationPreferences): boolean => {
    const value = stored[name];
    return typeof value === 'boolean' ? value : defaultNotificationPreferences[name];
  };
  return {
    notifications: preferenceOf('notifications'),
    desktopNotifications: preferenceOf('desktopNotifications'),
    chatSound: preferenceOf('chatSound'),
  };
}

export function writeNotificationPreferences(preferences: NotificationPreferences): void {
  writeStored(STORAGE_KEY, JSON.stringify({ ...readStoredRecord(), ...preferences }));
}
