import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { fieldsWhere, mapFields, type OptionalField } from '#shared/domain/tax-records/tax-record-fields.ts';

let recordCount = 0;

/** An id in the server's format; the same number gives the same id. */
export function recordId(number: number): string {
  return `0196f1f0-0000-7000-8000-${String(number).padStart(12, '0')}`;
}

/** A record in the server's format: unpaid and not overdue. */
export function buildRecord(fields: Partial<TaxRecord> = {}): TaxRecord {
  recordCount += 1;
  const id = fields.id ?? recordId(recordCount);
  return {
    id,
    _id: id,
    user_id: 'u1',
    ...mapFields<Record<OptionalField, null>>(fieldsWhere({ optional: true }), () => null),
    name: 'Siti Aminah',
    address: 'Jl. Melati 1',
    tax_type: 'PBB',
    spt_number: `SPT-${recordCount}`,
    year: 2025,
    amount: 1_500_000,
    amount_source: 'typed',
    assessment: null,
    status: 'belum_lunas',
    due_date: '2999-12-31',
    user: { id: 'u1', _id: 'u1', name: 'Siti Aminah', email: 'siti@contoh.id', has_email: true },
    verification: { state: 'none', at: null, by_name: null, reason: null },
    created_at: '2025-02-03T04:05:06.000Z',
    createdAt: '2025-02-03T04:05:06.000Z',
    updated_at: '2025-03-04T05:06:07.000Z',
    updatedAt: '2025-03-04T05:06:07.000Z',
    ...fields,
  };
}
