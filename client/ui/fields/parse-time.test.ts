import { expect, it } from 'vitest';
import { parseTimeOfDay } from './parse-time.ts';

it.each([
  ['8', '08:00'],
  ['08', '08:00'],
  ['08.00', '08:00'],
  [' 8:30 ', '08:30'],
  ['1530', '15:30'],
  ['830', '08:30'],
  ['23.59', '23:59'],
  ['24.00', null],
  ['8.60', null],
  ['8.5', null],
  ['', null],
  ['pagi', null],
  ['08.00.00', null],
])('reads %j as %j', (text, time) => {
  expect(parseTimeOfDay(text)).toBe(time);
});
