import { showDateTime } from '#client/lib/format.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/durations.ts';

const UNKNOWN = 'Perangkat tidak dikenal';

/** The order matters: many browsers also contain the name of the browser they are derived from. */
const browsers: [pattern: RegExp, name: string][] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|Opera)\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(UCBrowser|UCWEB)\b/, 'UC Browser'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|Chromium|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const systems: [pattern: RegExp, name: string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b.*\bMobile\b/, 'ponsel Android'],
  [/\bAndroid\b/, 'tablet Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b/, 'Mac'],
  [/\bCrOS\b/, 'Chromebook'],
  [/\bLinux\b/, 'Linux'],
];

export type Device = { name: string; isHandheld: boolean };

function firstMatch(names: [RegExp, string][], text: string): string | undefined {
  return names.find(([pattern]) => pattern.test(text))?.[1];
}

/** A readable name for a `User-Agent` header: 'Chrome di ponsel Android'. */
export function parseUserAgent(userAgent: string | null): Device {
  const text = userAgent ?? '';
  const browser = firstMatch(browsers, text);
  const system = firstMatch(systems, text);
  const isHandheld = /\b(iPhone|iPad|Android)\b/.test(text);
  if (browser && system) return { name: `${browser} di ${system}`, isHandheld };
  return { name: browser ?? (system ? `Peramban di ${system}` : UNKNOWN), isHandheld };
}

/** The server updates the last use of a session about every five minutes, so shorter times would be wrong. */
const JUST_NOW_MS = 6 * MINUTE_MS;

/** The last use of a session: 'Aktif 3 jam yang lalu'. */
export function formatLastActive(iso: string, nowMs: number): string {
  const agoMs = nowMs - Date.parse(iso);
  if (agoMs < JUST_NOW_MS) return 'Baru saja aktif';
  if (agoMs < HOUR_MS) return `Aktif ${Math.floor(agoMs / MINUTE_MS)} menit yang lalu`;
  if (agoMs < DAY_MS) return `Aktif ${Math.floor(agoMs / HOUR_MS)} jam yang lalu`;
  return `Terakhir aktif ${showDateTime(iso)}`;
}
