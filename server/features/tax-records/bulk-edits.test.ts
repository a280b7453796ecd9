import { describe, expect, it } from 'vitest';
import type { AuditEntry } from '#shared/api/audit.ts';
import type { BulkResult, TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { buildAdmin, buildRecord, buildTestUser, type RecordRow } from '#server/testing/factories.ts';
import { type Answer, buildTestApp } from '#server/testing/test-app.ts';

const URL = '/api/admin/tax-records/bulk';
const resultsOf = (answer: Answer): BulkResult[] => {
  const data: { results: BulkResult[] } = answer.body.data;
  return data.results;
};
const rowsOf = <T>(answer: Answer): T[] => {
  const page: { data: T[] } = answer.body.data;
  return page.data;
};
const loadedAt = ({ updatedAt }: RecordRow) => new Date(updatedAt).toISOString();
const toPaid = (row: RecordRow) => ({
  id: row.id,
  updated_at: loadedAt(row),
  status: 'lunas',
  payment_date: '2026-06-09',
});

async function buildAppWithAdmin() {
  const test = await buildTestApp();
  const admin = buildAdmin(test);
  const owner = buildTestUser(test);
  test.clock.advance(1000);
  const bulk = (changes: unknown) => test.call('POST', URL, { token: admin.token, body: { changes } });
  const stored = async (id: string): Promise<TaxRecord> =>
    (await test.call('GET', `/api/admin/tax-records/${id}`, { token: admin.token })).body.data;
  return { test, admin, owner, bulk, stored };
}

describe('POST /admin/tax-records/bulk', () => {
  it('changes each record that is unchanged and says why it did not change the others', async () => {
    const { test, owner, bulk, stored } = await buildAppWithAdmin();
    const [first, second, third] = [1, 2, 3].map(() => buildRecord(test, owner.id, { status: 'proses' }));
    if (!first || !second || !third) throw new Error('no records');
    test.clock.advance(1000);
    const answer = await bulk([
      toPaid(first),
      { ...toPaid(second), updated_at: '2020-01-01T00:00:00.000Z' },
      { ...toPaid(third), payment_date: null },
      { ...toPaid(third), id: 'tidak-ada' },
      toPaid(first),
    ]);
    expect(answer).toMatchObject({ status: 200, body: { success: true, message: 'Data pajak berhasil diperbarui' } });
    const conflict = 'Data telah diubah oleh pengguna lain. Muat ulang lalu coba lagi.';
    expect(resultsOf(answer).map(({ id, changed, message }) => [id, changed, message])).toEqual([
      [first.id, true, null],
      [second.id, false, conflict],
      [third.id, false, 'Tanggal pembayaran wajib diisi jika status Lunas'],
      ['tidak-ada', false, 'Data pajak tidak ditemukan'],
      [first.id, false, conflict],
    ]);
    const paid = await stored(first.id);
    expect(paid).toMatchObject({ status: 'lunas', payment_date: '2026-06-09', name: first.name });
    expect(resultsOf(answer)[0]?.updated_at).toBe(paid.updated_at);
    expect(await stored(second.id)).toMatchObject({ status: 'proses', payment_date: null });
  });

  it('undoes itself with the times of its answer, and writes both into the audit with one time each', async () => {
    const { test, admin, owner, bulk, stored } = await buildAppWithAdmin();
    const rows = Array.from({ length: 120 }, (_, index) =>
      buildRecord(test, owner.id, { status: index % 2 ? 'proses' : 'belum_lunas' }),
    );
    const done = resultsOf(await bulk(rows.map(toPaid)));
    expect(done.every(({ changed }) => changed)).toBe(true);
    test.clock.advance(5000);
    const undo = rows.map((row, index) => ({
      id: row.id,
      updated_at: done[index]?.updated_at,
      status: row.status,
      payment_date: row.paymentDate,
    }));
    expect(resultsOf(await bulk(undo)).every(({ changed }) => changed)).toBe(true);
    for (const row of [rows[0], rows[119]]) {
      expect(await stored(row?.id ?? '')).toMatchObject({ status: row?.status, payment_date: null });
    }
    const audit = rowsOf<AuditEntry>(
      await test.call('GET', '/api/admin/audit?action=record.updated&limit=200', { token: admin.token }),
    );
    expect(audit).toHaveLength(200);
    const times = Map.groupBy(audit, ({ created_at }) => created_at);
    expect([...times.values()].map((entries) => entries.length)).toEqual([120, 80]);
    expect(audit[0]?.changes).toEqual([
      { field: 'status', from: 'lunas', to: 'proses' },
      { field: 'payment_date', from: '2026-06-09', to: null },
    ]);
  });

  it('writes no entry and counts a change that changes nothing as done', async () => {
    const { test, admin, owner, bulk } = await buildAppWithAdmin();
    const row = buildRecord(test, owner.id, { status: 'lunas', paymentDate: '2026-06-09' });
    expect(resultsOf(await bulk([toPaid(row)]))).toMatchObject([{ changed: true, message: null }]);
    expect(rowsOf(await test.call('GET', '/api/admin/audit', { token: admin.token }))).toEqual([]);
  });

  it.each([
    [undefined, 'changes', 'Pilih data yang akan diubah'],
    ['semua', 'changes', 'Pilih data yang akan diubah'],
    [
      Array.from({ length: 1001 }, () => ({ id: 'x', updated_at: '2026-01-01T00:00:00Z', status: 'lunas' })),
      'changes',
      'Paling banyak 1.000 data sekaligus',
    ],
    [[{ id: 'x', updated_at: '2026-01-01T00:00:00Z', status: 'apa' }], 'changes', 'Status tidak valid'],
    [[{ id: 'x', status: 'lunas' }], 'changes', 'Waktu perubahan data tidak valid. Muat ulang lalu coba lagi.'],
  ])('refuses a body with the changes %o', async (changes, field, message) => {
    const { bulk } = await buildAppWithAdmin();
    expect(await bulk(changes)).toMatchObject({ status: 422, body: { message, errors: { [field]: [message] } } });
  });

  it('takes a thousand changes', async () => {
    const { bulk } = await buildAppWithAdmin();
    const missing = Array.from({ length: 1000 }, (_, index) => ({
      id: `0196f1f0-0000-7000-8000-${String(index).padStart(12, '0')}`,
      updated_at: '2026-01-01T00:00:00.000Z',
      status: 'lunas',
      payment_date: '2026-06-09',
    }));
    expect(resultsOf(await bulk(missing))).toHaveLength(1000);
  });
});
