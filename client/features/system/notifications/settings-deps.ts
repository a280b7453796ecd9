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
