import { expect, it } from 'vitest';
import { formatLastActive, parseUserAgent } from './device.ts';

const KHTML = 'AppleWebKit/537.36 (KHTML, like Gecko)';

it.each([
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${KHTML} Chrome/140.0 Safari/537.36 Edg/140.0`, 'Edge di Windows', false],
  [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${KHTML} Version/18.1 Safari/605.1`, 'Safari di Mac', false],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0', 'Firefox di Linux', false],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) ${KHTML} CriOS/140.0 Mobile/15E148 Safari/604.1`,
    'Chrome di iPhone',
    true,
  ],
  [
    `Mozilla/5.0 (Linux; Android 14; SM-A155F) ${KHTML} SamsungBrowser/28.0 Chrome/130.0 Mobile Safari/537.36`,
    'Samsung Internet di ponsel Android',
    true,
  ],
  [`Mozilla/5.0 (Linux; Android 13; Tab) ${KHTML} Chrome/140.0 Safari/537.36`, 'Chrome di tablet Android', true],
  ['curl/8.5.0', 'Perangkat tidak dikenal', false],
  [null, 'Perangkat tidak dikenal', false],
])('names the user agent %s as %s', (userAgent, name, isHandheld) => {
  expect(parseUserAgent(userAgent)).toEqual({ name, isHandheld });
});

it.each([
  [-5, 'Baru saja aktif'],
  [5, 'Baru saja aktif'],
  [42, 'Aktif 42 menit yang lalu'],
  [60 * 5 + 59, 'Aktif 5 jam yang lalu'],
  [60 * 48, 'Terakhir aktif 1 Februari 2025 pukul 11.00'],
])('shows a last use %s minutes ago as %s', (minutes, text) => {
  const nowMs = Date.parse('2025-02-03T04:00:00.000Z');
  expect(formatLastActive(new Date(nowMs - minutes * 60_000).toISOString(), nowMs)).toBe(text);
});
