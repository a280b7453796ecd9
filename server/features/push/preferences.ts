import type { PushPreferences } from '#shared/api/push.ts';
import type { PreferencesRow } from './queries.ts';

const DEFAULT_PREFERENCES: PushPreferences = { enabled: true, preview: true, quiet_hours: null };

/** `07:05` as minutes after midnight. */
function toMinutes(timeOfDay: string): number {
  const [hours = 0, minutes = 0] = timeOfDay.split(':').map(Number);
  return hours * 60 + minutes;
}

const twoDigits = (number: number): string => String(number).padStart(2, '0');
const toTimeOfDay = (minutes: number): string => `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;

/** @param row undefined for a person who never chose */
export function presentPreferences(row: PreferencesRow | undefined): PushPreferences {
  if (!row) return DEFAULT_PREFERENCES;
  const { isEnabled, showsPreview, quietFrom, quietTo } = row;
  return {
    enabled: isEnabled,
    preview: showsPreview,
    quiet_hours:
      quietFrom === null || quietTo === null ? null : { from: toTimeOfDay(quietFrom), to: toTimeOfDay(quietTo) },
  };
}

export function preferencesOf(
  userId: string,
  { enabled, preview, quiet_hours: quiet }: PushPreferences,
): PreferencesRow {
  return {
    userId,
    isEnabled: enabled,
    showsPreview: preview,
    quietFrom: quiet && toMinutes(quiet.from),
    quietTo: quiet && toMinutes(quiet.to),
  };
}
