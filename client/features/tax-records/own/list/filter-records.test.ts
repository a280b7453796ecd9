import { describe, expect, it } from 'vitest';
import { isRecordOverdue } from '../../display/due-date.tsx';
import { totalAmount } from '#shared/domain/money/rupiah.ts';
import { describeFilter, filterRecords, NO_PROPERTY_TYPE, noOwnRecordFilter, yearOptions } from './filter-records.ts';
import { buildRecord } from '#client/testing/build-record.ts';

const paid = buildRecord({ status: 'lunas', property_type: 'toko', year: 2024, amount: 100.1 });
const unpaid = buildRecord({ status: 'belum_lunas', property_type: null, year: 2026, amount: 200.2 });
const records = [paid, unpaid];

describe('filterRecords', () => {
  it('returns all records without a filter', () => {
    expect(filterRecords(records, noOwnRecordFilter)).toEqual(records);
  });

  it('filters by status, property type and year together', () => {
    expect(filterRecords(records, { ...noOwnRecordFilter, status: 'lunas' })).toEqual([paid]);
    expect(filterRecords(records, { ...noOwnRecordFilter, property_type: 'toko', year: '2024' })).toEqual([paid]);
    expect(filterRecords(records, { ...noOwnRecordFilter, property_type: 'toko', year: '2026' })).toEqual([]);
  });

  it('finds records without a property type', () => {
    expect(filterRecords(records, { ...noOwnRecordFilter, property_type: NO_PROPERTY_TYPE })).toEqual([unpaid]);
  });
});

describe('yearOptions', () => {
  it('offers the fixed years, those of the rows and the chosen one, newest first', () => {
    expect(yearOptions(records, '')).toEqual(['2026', '2024', '2023', '2022']);
    expect(yearOptions([], '2021')).toEqual(['2024', '2023', '2022', '2021']);
  });
});

describe('describeFilter', () => {
  it('names each active filter', () => {
    expect(describeFilter(noOwnRecordFilter)).toBe('Semua data');
    expect(
      describeFilter({ status: 'lunas', property_type: NO_PROPERTY_TYPE, year: '2024', display: 'tunggakan' }),
    ).toBe('Hanya tunggakan, status Lunas, jenis properti Belum Ditentukan, tahun 2024');
  });
});

it('totalAmount sums decimals exactly', () => {
  expect(totalAmount(records)).toBe(300.3);
});

it('isRecordOverdue follows due date, status and year', () => {
  const buildDueRecord = (due_date: string | null, status: 'lunas' | 'proses' = 'proses') =>
    buildRecord({ due_date, status });
  expect(isRecordOverdue(buildDueRecord('2025-06-30'), '2025-07-01')).toBe(true);
  expect(isRecordOverdue(buildDueRecord('2025-07-01'), '2025-07-01')).toBe(false);
  expect(isRecordOverdue(buildDueRecord('2025-06-30', 'lunas'), '2025-07-01')).toBe(false);
  expect(isRecordOverdue(buildDueRecord(null), '2026-01-01')).toBe(true);
});
