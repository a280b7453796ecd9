import { expect, it } from 'vitest';
import type { Office } from '#shared/api/office/office.ts';
import { officeText, presenceText, publicHoursTexts } from './office-text.ts';

const MINUTE = 60_000;
/** A Friday noon in Jakarta. */
const NOW = Date.parse('2026-06-12T05:00:00Z');
const open: Office = {
  open: true,
  until: '2026-06-12T08:00:00.000Z',
  opens_at: null,
  median_ms: null,
  ahead: null,
  user_years: [2025],
  admin_online: true,
  few_waiting: true,
};
const closed = (opens_at: string | null): Office => ({ ...open, open: false, until: null, opens_at });

it.each<[string | null, Office]>([
  ['Kantor buka s.d. 15.00', open],
  ['Kantor buka s.d. 15.00 · biasanya dibalas dalam 4 menit', { ...open, median_ms: 4.4 * MINUTE }],
  ['Kantor buka s.d. 15.00 · biasanya dibalas dalam kurang dari 1 menit', { ...open, median_ms: 59_999 }],
  ['Kantor buka s.d. 15.00 · biasanya dibalas dalam 89 menit', { ...open, median_ms: 89 * MINUTE }],
  ['Kantor buka s.d. 15.00 · biasanya dibalas dalam 2 jam kerja', { ...open, median_ms: 100 * MINUTE }],
  // No hours are set, so the text does not mention them.
  [null, { ...open, until: null }],
  ['Biasanya dibalas dalam 4 menit', { ...open, until: null, median_ms: 4 * MINUTE }],
  ['Biasanya dibalas dalam 3 jam', { ...open, until: null, median_ms: 180 * MINUTE }],
  ['Antrean Anda: ke-1', { ...open, ahead: 0 }],
  ['Antrean Anda: ke-4 · biasanya dibalas dalam 4 menit', { ...open, median_ms: 4 * MINUTE, ahead: 3 }],
  [
    'Antrean Anda: ke-4 · biasanya dibalas dalam 4 menit',
    { ...open, median_ms: 4 * MINUTE, ahead: 3, few_waiting: false },
  ],
  // Nothing is promised to the fifth, nor to somebody who would be it.
  ['Antrean Anda: ke-5', { ...open, median_ms: 4 * MINUTE, ahead: 4 }],
  ['Kantor buka s.d. 15.00', { ...open, median_ms: 4 * MINUTE, few_waiting: false }],
  // Nor while no admin is there; the words about that say when the office answers.
  [null, { ...open, median_ms: 4 * MINUTE, admin_online: false }],
  ['Antrean Anda: ke-1', { ...open, median_ms: 4 * MINUTE, ahead: 0, admin_online: false }],
  ['Antrean Anda: ke-1', { ...closed('2026-06-15T01:00:00.000Z'), ahead: 0, admin_online: false }],
  ['Antrean Anda: ke-3', { ...open, until: null, ahead: 2 }],
  ['Kantor tutup. Buka Senin 08.00. Pesan Anda tetap tersimpan.', closed('2026-06-15T01:00:00.000Z')],
  ['Kantor tutup. Buka Sabtu 08.00. Pesan Anda tetap tersimpan.', closed('2026-06-13T01:00:00.000Z')],
  ['Kantor tutup. Buka hari ini 13.00. Pesan Anda tetap tersimpan.', closed('2026-06-12T06:00:00.000Z')],
  ['Kantor tutup. Buka Kamis 08.00. Pesan Anda tetap tersimpan.', closed('2026-06-18T01:00:00.000Z')],
  ['Kantor tutup. Buka Jumat, 19 Juni pukul 08.00. Pesan Anda tetap tersimpan.', closed('2026-06-19T01:00:00.000Z')],
  ['Kantor tutup. Pesan Anda tetap tersimpan.', closed(null)],
  // A user who waits at night reads when the office opens.
  [
    'Antrean Anda: ke-4 · Kantor tutup. Buka Senin 08.00. Pesan Anda tetap tersimpan.',
    { ...closed('2026-06-15T01:00:00.000Z'), median_ms: MINUTE, ahead: 3 },
  ],
])('says "%s"', (text, office) => {
  expect(officeText(office, NOW, 'Asia/Jakarta')).toBe(text);
});

const ABSENT = 'Admin sedang tidak aktif. Pesan Anda tersimpan dan dibalas';
it.each<[string, Office]>([
  ['Admin sedang aktif', open],
  ['Admin sedang aktif', closed('2026-06-15T01:00:00.000Z')],
  [`${ABSENT} hari ini sebelum 15.00.`, { ...open, admin_online: false }],
  [`${ABSENT} Senin 08.00.`, { ...closed('2026-06-15T01:00:00.000Z'), admin_online: false }],
  [`${ABSENT} hari ini 13.00.`, { ...closed('2026-06-12T06:00:00.000Z'), admin_online: false }],
  // No hours were set, or none of them lies ahead.
  [`${ABSENT} secepatnya.`, { ...open, until: null, admin_online: false }],
  [`${ABSENT} secepatnya.`, { ...closed(null), admin_online: false }],
])('says of the admins "%s"', (text, office) => {
  expect(presenceText(office, NOW, 'Asia/Jakarta')).toBe(text);
});

type Hours = [open: string, close: string] | null;
const workday: Hours = ['08:00', '15:00'];
const weekOf = (...hours: Hours[]) =>
  hours.map((times, index) => ({ weekday: index + 1, open: times?.[0] ?? null, close: times?.[1] ?? null }));

it.each<[string[], Partial<Office>, Hours[]]>([
  [
    ['Jam layanan kantor: Senin–Minggu 08.00–15.00.', 'Sekarang buka s.d. 15.00.'],
    {},
    Array.from({ length: 7 }, () => workday),
  ],
  [
    ['Jam layanan kantor: Senin–Kamis 08.00–15.00, Jumat 08.00–11.30.', 'Sekarang tutup, buka Senin 08.00.'],
    closed('2026-06-15T01:00:00.000Z'),
    [workday, workday, workday, workday, ['08:00', '11:30'], null, null],
  ],
  [
    ['Jam layanan kantor: Senin 08.00–15.00, Rabu 08.00–15.00.', 'Sekarang tutup.'],
    closed(null),
    [workday, null, workday, null, null, null, null],
  ],
  [[], closed(null), Array.from({ length: 7 }, () => null)],
])('says %j to everybody', (texts, state, hours) => {
  expect(publicHoursTexts({ ...open, ...state, days: weekOf(...hours) }, NOW, 'Asia/Jakarta')).toEqual(texts);
});

it('says nothing to everybody before hours were set', () => {
  expect(publicHoursTexts({ open: true, until: null, opens_at: null, days: null }, NOW, 'Asia/Jakarta')).toEqual([]);
});
