import { expect, it } from 'vitest';
import { formatSnoozedUntil, instantOf, snoozeChoices, snoozeTimeError, snoozeUntil } from './snooze-times.ts';

const wednesday = Date.parse('2026-11-18T15:30:00+07:00');
const inOffice = (iso: string) => new Date(Date.parse(iso) + 7 * 3_600_000).toISOString().slice(0, 16);

it('snoozes for an hour, until tomorrow at eight, or until the next Monday at eight, in the zone of the office', () => {
  expect(inOffice(snoozeUntil('1 jam', wednesday))).toBe('2026-11-18T16:30');
  expect(inOffice(snoozeUntil('Besok 08.00', wednesday))).toBe('2026-11-19T08:00');
  expect(inOffice(snoozeUntil('Senin 08.00', wednesday))).toBe('2026-11-23T08:00');
  const monday = Date.parse('2026-11-23T07:00:00+07:00');
  expect(inOffice(snoozeUntil('Senin 08.00', monday))).toBe('2026-11-30T08:00');
  const sundayNight = Date.parse('2026-11-22T23:59:00+07:00');
  expect(inOffice(snoozeUntil('Besok 08.00', sundayNight))).toBe('2026-11-23T08:00');
  expect(inOffice(snoozeUntil('Senin 08.00', sundayNight))).toBe('2026-11-23T08:00');
});

it('offers each instant once, with its day', () => {
  const shown = (nowMs: number) => snoozeChoices(nowMs).map(({ label, when }) => `${label} ${when}`);
  expect(shown(wednesday)).toEqual(['1 jam s.d. 16.30', 'Besok 08.00 Kam, 19 Nov', 'Senin 08.00 Sen, 23 Nov']);
  const sunday = Date.parse('2026-11-22T15:00:00+07:00');
  expect(shown(sunday)).toEqual(['1 jam s.d. 16.00', 'Besok 08.00 Sen, 23 Nov']);
});

it.each([
  ['2026-11-18', '17:05', 's.d. 17.05'],
  ['2026-11-19', '08:00', 's.d. Kam 08.00'],
  ['2026-11-24', '08:00', 's.d. Sel 08.00'],
  ['2026-11-25', '08:00', 's.d. 25 Nov 08.00'],
  ['2027-01-04', '08:00', 's.d. 4 Jan 2027 08.00'],
])('names %s %s as "%s"', (date, time, text) => {
  expect(formatSnoozedUntil(instantOf(date, time), wednesday)).toBe(text);
});

it('refuses a time that has passed or lies beyond 90 days', () => {
  expect(snoozeTimeError(instantOf('2026-11-18', '15:30'), wednesday)).toBe('Pilih waktu yang akan datang');
  expect(snoozeTimeError(instantOf('2026-11-18', '15:31'), wednesday)).toBeNull();
  expect(snoozeTimeError(instantOf('2027-02-16', '15:30'), wednesday)).toBeNull();
  expect(snoozeTimeError(instantOf('2027-02-16', '15:31'), wednesday)).toBe('Paling lama 90 hari dari sekarang');
});
