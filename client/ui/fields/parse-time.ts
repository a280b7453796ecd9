/** '08:00' of '8', '08.00', '8:00' or '0800'; null for what is no time of day. */
export function parseTimeOfDay(text: string): string | null {
  const match = /^(\d{1,2})(?:[.:, ]?(\d{2}))?$/.exec(text.trim());
  if (!match) return null;
  const [hour, minute] = [Number(match[1]), Number(match[2] ?? 0)];
  if (hour > 23 || minute > 59) return null;
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
}

/** '08.00' of '08:00'. */
export const showTimeOfDay = (time: string): string => time.replace(':', '.');
