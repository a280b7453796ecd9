import type { Assessment } from '#shared/api/dhkp/assessments.ts';
import type { Claim } from '#shared/api/dhkp/claims.ts';
import type { Batch, BatchRow } from '#shared/api/dhkp/batches.ts';
import { formatNop } from '#shared/domain/dhkp/nop.ts';

const WRITTEN_AT = '2026-02-03T04:05:06.000Z';

/** An object of the office's list as an answer has it. @param number tells objects apart */
export function buildAssessment(number: number, changes: Partial<Assessment> = {}): Assessment {
  const id = `ketetapan-${number}`;
  const nop = `351518001200${String(number).padStart(5, '0')}0`;
  return {
    id,
    _id: id,
    nop,
    nop_text: formatNop(nop),
    year: 2026,
    name: `WAJIB PAJAK ${number}`,
    payer_address: 'Jl. Kenanga 1',
    object_address: `Jl. Melati ${number}`,
    land_m2: 120,
    building_m2: 45,
    njop: 90_000_000,
    amount: 45_000,
    due_date: '2026-09-30',
    book: 1,
    file_book: null,
    block: '001',
    old_number: null,
    listed: true,
    condition: 'ok',
    note: null,
    handed_out_on: null,
    handed_out_to: null,
    area: null,
    own_area_id: null,
    collector: null,
    file_collector: null,
    dusun: null,
    rt: null,
    rw: null,
    authority_paid: null,
    account: null,
    record_id: null,
    payment: null,
    created_at: WRITTEN_AT,
    createdAt: WRITTEN_AT,
    updated_at: WRITTEN_AT,
    updatedAt: WRITTEN_AT,
    ...changes,
  };
}

/** A request of a user as an answer has it: for a listed object without an account. @param number tells requests apart */
export function buildClaim(number: number, changes: Partial<Claim> = {}): Claim {
  const id = `permintaan-${number}`;
  const assessment = buildAssessment(number);
  return {
    id,
    _id: id,
    nop: assessment.nop,
    nop_text: assessment.nop_text,
    user: { id: `warga-${number}`, name: `Warga ${number}`, email: `warga${number}@contoh.id`, has_email: true },
    note: null,
    attachment: null,
    state: 'open',
    reason: null,
    answered_by: null,
    created_at: WRITTEN_AT,
    createdAt: WRITTEN_AT,
    updated_at: WRITTEN_AT,
    updatedAt: WRITTEN_AT,
    assessments: [assessment],
    ...changes,
  };
}

/** An import as an answer has it: a recognised file of two objects that waits to be applied. */
export function buildBatch(changes: Partial<Batch> = {}): Batch {
  return {
    id: 'impor-1',
    _id: 'impor-1',
    year: 2026,
    kind: 'list',
    file_name: 'DHKP 2026.xlsx',
    bytes: 12_345,
    sha256: 'a'.repeat(64),
    state: 'ready',
    message: null,
    has_file: true,
    sheets: [{ index: 0, name: 'BUKU 1', hidden: false, rows: 120, header_row: 3, used: true }],
    columns: { nop: 1, name: 2, amount: 3 },
    headers: ['NO', 'NOP', 'NAMA WP', 'PAJAK TERHUTANG'],
    header_row: 3,
    unknown_headers: ['NO'],
    samples: [
      ['1', '35.15.180.012.001-0034.0', 'SITI', '45000'],
      ['2', '35.15.180.012.001-0035.0', 'BUDI', '52000'],
    ],
    prefix: '3515180012',
    multiplier: 1,
    use_changed: false,
    include_other_village: false,
    complete: false,
    counts: { new: 41, changed: 212, same: 2470, gone: 7, problem: 0, warning: 0, other_village: 0 },
    control: {
      file: [{ label: 'JUMLAH', sheet: 'BUKU 1', row: 121, objects: null, amount: 78_741_911 }],
      typed: null,
      computed: { objects: 2723, amount: 78_741_911, books: [{ book: 1, objects: 2723, amount: 78_741_911 }] },
      equal: true,
    },
    warnings: [],
    preview_id: 'pratinjau-1',
    progress: { done: 0, total: 0 },
    by_name: 'Ratna Dewi',
    control_reason: null,
    revert_reason: null,
    created_at: WRITTEN_AT,
    applied_at: null,
    reverted_at: null,
    ...changes,
  };
}

/** A row of an import as an answer has it. */
export function buildBatchRow(row: number, changes: Partial<BatchRow> = {}): BatchRow {
  return {
    kind: 'new',
    sheet: 'BUKU 1',
    row,
    nop: `351518001200${String(row).padStart(5, '0')}0`,
    values: { name: `WAJIB PAJAK ${row}`, amount: 45_000 },
    before: null,
    differences: [],
    problems: [],
    warnings: [],
    ...changes,
  };
}
