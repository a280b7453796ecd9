import { SERVER_TIME_ZONE } from '#client/lib/format.ts';
import { readStored, removeStored, writeStored } from '#client/lib/storage/safe-storage.ts';
import { accountIdOf, currentSession } from '#client/lib/session/session.ts';
import type { PushPreferences } from '#shared/api/push.ts';
import { wallClockMs } from '#shared/domain/dates/time-zones.ts';

/** Notifications of pages follow the choices that hold for pushes (R-PUSH-63, R-PUSH-64), as far as this browser has heard of them. */
const storageKeyOf = (accountId: string): string => `pbb-chat-choices:${accountId}`;

/** Stores the choices that the server has. */
export function rememberPushChoices(choices: PushPreferences): void {
  const user = currentSession()?.user;
  if (!user) return;
  const key = storageKeyOf(accountIdOf(user));
  const { enabled, preview, quiet_hours } = choices;
  if (enabled && preview && quiet_hours === null) removeStored(key);
  else writeStored(key, JSON.stringify(choices));
}

function readChoices(accountId: string): Partial<PushPreferences> {
  try {
    return (JSON.parse(readStored(storageKeyOf(accountId)) ?? '{}') as Partial<PushPreferences> | null) ?? {};
  } catch {
    return {};
  }
}

function isQuiet({ from, to }: { from: string; to: string }): boolean {
  const time = new Date(wallClockMs(SERVER_TIME_ZONE, Date.now())).toISOString().slice(11, 16);
  return from < to ? time >= from && time < to : time >= from || time < to;
}

/** The choices of an account that hold now. `isOff`: none are shown; `isSilent`: none are shown, and no tone sounds. */
export function readPushChoices(accountId: string): { isOff: boolean; isSilent: boolean; hidesPreview: boolean } {
  const { enabled, preview, quiet_hours } = readChoices(accountId);
  const isSilent = quiet_hours ? isQuiet(quiet_hours) : false;
  return { isOff: isSilent || enabled === false, isSilent, hidesPreview: preview === false };
}
