import { isPlainObject } from '#client/lib/storage/is-plain-object.ts';
import { readStored, writeStored } from '#client/lib/storage/safe-storage.ts';

/** The choices of one admin, kept in the browser (R-CHAT-25). */
export type NotificationPreferences = {
  notifications: boolean;
  desktopNotifications: boolean;
  chatSound: boolean;
  /** Whether the sound comes again until somebody answers. */
  repeatSound: boolean;
};

const STORAGE_KEY = 'admin_settings';

export const defaultNotificationPreferences: NotificationPreferences = {
  notifications: true,
  desktopNotifications: false,
  chatSound: true,
  repeatSound: false,
};

/** Users have no settings: they get desktop notifications whenever their browser permits them. */
export const userNotificationPreferences: NotificationPreferences = {
  ...defaultNotificationPreferences,
  desktopNotifications: true,
};

function readStoredRecord(): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(readStored(STORAGE_KEY) ?? '{}');
    return isPlainObject(value) ? value : {};
  } catch {
    // Not JSON: treated like no stored choice.
    return {};
  }
}

/** Read at every message, so that a change in another tab takes effect at once. */
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
    repeatSound: preferenceOf('repeatSound'),
  };
}

export function writeNotificationPreferences(preferences: NotificationPreferences): void {
  writeStored(STORAGE_KEY, JSON.stringify({ ...readStoredRecord(), ...preferences }));
}
