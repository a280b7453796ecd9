import { HOUR_MS, MINUTE_MS } from '#shared/durations.ts';

/** Instants are milliseconds since 1970 UTC. A wall clock time is what clocks in a zone show, written as if it were UTC. */

const wallClockFormats = new Map<string, Intl.DateTimeFormat>();

function wallClockFormat(timeZone: string): Intl.DateTimeFormat {
  let format = wallClockFormats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    wallClockFormats.set(timeZone, format);
  }
  return format;
}

/** Midnight UTC of a calendar day (ms). Days and months may overflow. Unlike `Date.UTC` it accepts years below 100. */
export function utcMidnightMs(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month - 1, day);
}

/**
 * The wall clock time (ms, whole seconds) in a time zone at an instant (ms).
 * @throws RangeError for an unknown time zone or an instant that is not a time.
 */
export function wallClockMs(timeZone: string, instantMs: number): number {
  const fields: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
  for (const part of wallClockFormat(timeZone).formatToParts(instantMs)) fields[part.type] = Number(part.value);
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = fields;
  return utcMidnightMs(year, month, day) + hour * HOUR_MS + minute * MINUTE_MS + second * 1000;
}

/**
 * The instant (ms) at which clocks in a time zone show a wall clock time (ms). Where clocks go back, two instants show it
 * and one of the two is returned; where clocks go forward over it, the result is an instant near the change.
 * @throws RangeError for an unknown time zone or a value that is not a time.
 */
export function instantOfWallClockMs(timeZone: string, wallMs: number): number {
  let instantMs = wallMs;
  // The first step may use the offset of the other side of a clock change; the second corrects it.
  for (let step = 0; step < 2; step += 1) instantMs = wallMs - (wallClockMs(timeZone, instantMs) - instantMs);
  return instantMs;
}
