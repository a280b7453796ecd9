import { describe, expect, it } from 'vitest';
import { buildRecord } from '#client/testing/build-record.ts';
import { toCardRecord } from '../records/card-record.ts';
import { findNamedRecords, mayHoldNumber } from './spt-numbers.ts';

const NUMBER = '33.74.010.002.003-0004.0';
const records = [
  { spt_number: NUMBER, year: 2026, status: 'lunas' },
  { spt_number: NUMBER, year: 2025 },
  { spt_number: NUMBER, year: 2023 },
  { spt_number: '33.74.010.002.003-0005.0', year: 2026 },
  { spt_number: '1234', year: 2026 },
].map((fields) => toCardRecord(buildRecord(fields as Parameters<typeof buildRecord>[0])));
const yearsIn = (text: string) => findNamedRecords(text, records).map((group) => group.map(({ year }) => year));

describe('findNamedRecords', () => {
  it.each([
    NUMBER,
    `Halo, ${NUMBER}, kenapa belum?`,
    'NOP: 33 74 010 002 003 0004 0',
    'nomor 337401000200300040.',
    `(${NUMBER})\nterima kasih`,
    `SPT ${NUMBER} - 3 rumah`,
  ])('finds the number in %j, the newest unpaid year first', (text) => {
    expect(yearsIn(text)).toEqual([[2025, 2023, 2026]]);
  });

  it.each([
    ['a longer number', `${NUMBER}.1`],
    ['more digits before', `9${NUMBER}`],
    ['digits joined to it', `12.${NUMBER}`],
    ['words between', '33.74.010.002 atau 003-0004.0'],
    ['another number', '33.74.010.002.003-0009.0'],
    ['a short number', '1234'],
  ])('finds nothing in %s', (_case, text) => {
    expect(yearsIn(text)).toEqual([]);
  });

  it('puts the year first that the text names, and finds two numbers', () => {
    expect(yearsIn(`${NUMBER} tahun 2023 dan 33.74.010.002.003-0005.0`)).toEqual([[2023, 2025, 2026], [2026]]);
  });
});

it('asks for records only where a text may hold a number', () => {
  expect(mayHoldNumber(`Halo ${NUMBER}`)).toBe(true);
  expect(mayHoldNumber('Saya bayar Rp 1.500.000 dan Rp45.000 hari ini, jam 10.30')).toBe(false);
});
