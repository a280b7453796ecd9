import { showDateTime } from '#client/lib/format.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/domain/durations.ts';

/** The server notes a session's use no more often than this, so less would be false precision. */
const JUST_NOW_MS = 6 * MINUTE_MS;

/** When a session was last used, in words: 'Aktif 3 jam yang lalu'. */
export function formatLastActive(iso: string, nowMs: number): string {
  const agoMs = nowMs - Date.parse(iso);
  if (agoMs < JUST_NOW_MS) return 'Baru saja aktif';
  if (agoMs < HOUR_MS) return `Aktif ${Math.floor(agoMs / MINUTE_MS)} menit yang lalu`;
  if (agoMs < DAY_MS) return `Aktif ${Math.floor(agoMs / HOUR_MS)} jam yang lalu`;
  return `Terakhir aktif ${showDateTime(iso)}`;
}
