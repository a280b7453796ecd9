import { expect, it } from 'vitest';
import { type RecordDraft, readRecordDraft, writeRecordDraft } from './record-draft.ts';

it('keeps all of a record that a draft shows, also that its amount is an estimate', () => {
  const record: RecordDraft = {
    id: 'r1',
    name: 'Siti Aminah',
    address: 'Jl. Melati 1',
    property_type: 'toko',
    spt_number: '32.76',
    year: 2026,
    amount: 45_000,
    amount_source: 'estimate',
    status: 'belum_lunas',
    due_date: '2026-09-30',
    payment_date: null,
    updated_at: '2026-08-01T00:00:00.000Z',
  };
  writeRecordDraft('u1', 'u2', record);
  expect(readRecordDraft('u1', 'u2')).toEqual(record);
  writeRecordDraft('u1', 'u2', null);
  expect(readRecordDraft('u1', 'u2')).toBeNull();
});
