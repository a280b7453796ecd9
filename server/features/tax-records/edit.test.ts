import { describe, expect, it } from 'vitest';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { LONG_TEXT_FIELDS, taxRecordFields } from '#shared/domain/tax-records/tax-record-fields.ts';
import { buildAdmin, buildTestUser, buildRecord } from '#server/testing/factories.ts';
import { buildTestApp, type Answer } from '#server/testing/test-app.ts';

const conflict = {
  status: 409,
  body: { success: false, message: 'Data telah diubah oleh pengguna lain. Muat ulang lalu coba lagi.' },
};
const recordOf = (answer: Answer): TaxRecord => answer.body.data;

async function buildAppWithRecord(overrides: Parameters<typeof buildRecord>[2] = {}) {
  const test = await buildTestApp();
  const owner = buildTestUser(test);
  const admin = buildAdmin(test);
  const row = buildRecord(test, owner.id, overrides);
  const url = `/api/tax-records/${row.id}`;
  return {
    test,
    row,
    loadedAt: new Date(row.updatedAt).toISOString(),
    put: (body: unknown) => test.call('PUT', url, { token: owner.token, body }),
    adminPut: (body: unknown) => test.call('PUT', `/api/admin/tax-records/${row.id}`, { token: admin.token, body }),
    stored: async () => recordOf(await test.call('GET', url, { token: owner.token })),
  };
}

/** A text over the limit for each long text without a row of its own in the table below. */
const tooLongTexts = LONG_TEXT_FIELDS.filter((field) => !['description', 'notes'].includes(field)).map(
  (field): [Record<string, string>, string, string] => [
    { [field]: 'x'.repeat(5001) },
    field,
    `${taxRecordFields[field].label} maksimal 5000 karakter`,
  ],
);

describe("a user's edit", () => {
  it("keeps the office's amount of the same object only", async () => {
    const nop = '35.15.180.012.001-0034.0';
    const { put, stored } = await buildAppWithRecord({ amountSource: 'office', amountSen: 5_000_000, sptNumber: nop });
    expect((await put({ spt_number: '351518001200100340', notes: 'rapi' })).status).toBe(200);
    expect(await stored()).toMatchObject({ amount: 50_000, amount_source: 'office' });
    expect((await put({ spt_number: '351518001200100351' })).status).toBe(200);
    expect(await stored()).toMatchObject({ amount: 50_000, amount_source: 'typed' });
  });

  it('changes the sent fields, but not year, tax type or owner', async () => {
    const { test, put, stored, row } = await buildAppWithRecord({ dueDate: '2025-09-30', notes: 'lama', year: 2024 });
    test.clock.advance(1000);
    const answer = await put({
      name: 'Siti',
      amount: 2000.25,
      description: ' baru ',
      due_date: '30/09/2025',
      property_type: 'kantor',
      year: 2030,
      tax_type: 'PKB',
      user_id: 'x',
      id: 'y',
      payment_proof: 'z.png',
      created_at: '2000-01-01',
    });
    expect(answer).toMatchObject({ status: 200, body: { message: 'Data PBB berhasil diperbarui' } });
    expect(recordOf(answer)).toMatchObject({
      id: row.id,
      user_id: row.userId,
      name: 'Siti',
      amount: 2000.25,
      description: 'baru',
      due_date: null,
      property_type: 'kantor',
      year: 2024,
      tax_type: 'PBB',
      notes: 'lama',
      payment_proof: null,
      created_at: new Date(row.createdAt).toISOString(),
      updated_at: new Date(test.clock.now()).toISOString(),
    });
    expect(await stored()).toEqual(recordOf(answer));
  });

  it('empties the payment date with every status except lunas', async () => {
    const { put } = await buildAppWithRecord({ status: 'lunas', paymentDate: '2025-01-02' });
    expect(recordOf(await put({ name: 'Siti' })).payment_date).toBe('2025-01-02');
    expect(recordOf(await put({ status: 'proses', payment_date: '2025-01-03' })).payment_date).toBeNull();
    expect(recordOf(await put({ payment_date: '2025-01-03' })).payment_date).toBeNull();
    // Unlike an admin, a user may set lunas without a payment date.
    expect(recordOf(await put({ status: 'lunas' }))).toMatchObject({ status: 'lunas', payment_date: null });
  });

  it.each([
    [{ name: '' }, 'name', 'Mohon lengkapi data yang wajib diisi'],
    [{ address: null }, 'address', 'Mohon lengkapi data yang wajib diisi'],
    [{ spt_number: '  ' }, 'spt_number', 'Mohon lengkapi data yang wajib diisi'],
    [{ amount: null }, 'amount', 'Mohon lengkapi data yang wajib diisi'],
    [{ amount: '' }, 'amount', 'Mohon lengkapi data yang wajib diisi'],
    [{ amount: 'abc' }, 'amount', 'Jumlah pajak harus berupa angka yang valid'],
    [{ amount: 0 }, 'amount', 'Jumlah pajak harus berupa angka yang valid'],
    [{ amount: -5 }, 'amount', 'Jumlah pajak harus berupa angka yang valid'],
    [{ amount: 1.005 }, 'amount', 'Jumlah harus antara 0 dan 999.999.999.999 dengan paling banyak dua desimal'],
    [{ status: 'selesai' }, 'status', 'Status tidak valid'],
    [{ notes: 'x'.repeat(5001) }, 'notes', 'Catatan maksimal 5000 karakter'],
    [{ description: 'x'.repeat(5001) }, 'description', 'Keterangan maksimal 5000 karakter'],
    ...tooLongTexts,
    [{ remove_payment_proof: 'ya' }, 'remove_payment_proof', 'Pilihan harus ya atau tidak'],
  ])('refuses %o and stores nothing', async (body, field, message) => {
    const { put, stored, loadedAt } = await buildAppWithRecord();
    expect(await put(body)).toMatchObject({
      status: 422,
      body: { success: false, message, errors: { [field]: [message] } },
    });
    expect((await stored()).updated_at).toBe(loadedAt);
  });
});

describe('conflicting edits', () => {
  it('refuses the second of two edits of the same version', async () => {
    const { put, adminPut, stored, loadedAt } = await buildAppWithRecord();
    const first = await put({ name: 'Siti', updated_at: loadedAt });
    expect(first.status).toBe(200);
    expect(await adminPut({ name: 'Ratna', updated_at: loadedAt })).toMatchObject(conflict);
    expect((await stored()).name).toBe('Siti');
    expect((await adminPut({ name: 'Ratna', updated_at: recordOf(first).updated_at })).status).toBe(200);
    expect((await stored()).name).toBe('Ratna');
  });

  it('gives every version its own updated_at, also within one millisecond and after the clock was set back', async () => {
    const { test, put, row } = await buildAppWithRecord();
    const times = [row.updatedAt];
    for (const name of ['a', 'b', 'c']) times.push(Date.parse(recordOf(await put({ name })).updated_at));
    test.clock.advance(-3_600_000);
    times.push(Date.parse(recordOf(await put({ name: 'd' })).updated_at));
    expect(times).toEqual([0, 1, 2, 3, 4].map((step) => row.updatedAt + step));
  });

  it('compares updated_at as an instant', async () => {
    const { put, loadedAt } = await buildAppWithRecord();
    const sameInstant = loadedAt.replace('Z', '+00:00');
    const { body } = await put({ name: 'a', updated_at: sameInstant });
    expect(body.success).toBe(true);
    expect(await put({ name: 'b', updated_at: sameInstant })).toMatchObject(conflict);
  });

  it.each([
    1,
    {},
    [],
    true,
    null,
    'kemarin',
    '',
    '1',
    '2026-06-10',
    '2026-06-10 05:00',
    '2026-06-10T05:00:00.000',
    '2026-13-40T05:00:00.000Z',
  ])('refuses an edit whose updated_at is %j with 422 and stores nothing', async (updated_at) => {
    const { put, adminPut, stored, loadedAt } = await buildAppWithRecord();
    const text = 'Waktu perubahan data tidak valid. Muat ulang lalu coba lagi.';
    for (const edit of [put, adminPut]) {
      const answer = await edit({ amount: 5, updated_at });
      expect(answer).toMatchObject({ status: 422, body: { message: text, errors: { updated_at: [text] } } });
    }
    expect((await stored()).updated_at).toBe(loadedAt);
  });

  it('accepts one of two simultaneous edits', async () => {
    const { put, loadedAt } = await buildAppWithRecord();
    const answers = await Promise.all(['a', 'b', 'c'].map((name) => put({ name, updated_at: loadedAt })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(2);
  });
});

describe("an admin's edit", () => {
  it('changes year and tax type too, but never the owner', async () => {
    const { adminPut, row } = await buildAppWithRecord();
    const body = { year: 2030, tax_type: 'PBB', status: 'lunas', payment_date: '2026-01-31T10:00:00Z', user_id: 'x' };
    const answer = await adminPut(body);
    expect(answer).toMatchObject({ status: 200, body: { message: 'Data pajak berhasil diperbarui' } });
    expect(recordOf(answer)).toMatchObject({
      year: 2030,
      status: 'lunas',
      payment_date: '2026-01-31',
      user_id: row.userId,
    });
  });

  const dateMissing = {
    status: 422,
    body: {
      message: 'Tanggal pembayaran wajib diisi jika status Lunas',
      errors: { payment_date: ['Tanggal pembayaran wajib diisi jika status Lunas'] },
    },
  };

  it('refuses lunas without a payment date', async () => {
    const { adminPut, stored } = await buildAppWithRecord();
    expect(await adminPut({ status: 'lunas' })).toMatchObject(dateMissing);
    expect(await adminPut({ status: 'lunas', payment_date: '2025-02-30' })).toMatchObject(dateMissing);
    expect((await stored()).status).toBe('belum_lunas');
    expect((await adminPut({ status: 'lunas', payment_date: '2025-02-28' })).status).toBe(200);
    // The check uses the whole record, which already has the date.
    expect((await adminPut({ status: 'lunas' })).status).toBe(200);
    expect(await adminPut({ payment_date: null })).toMatchObject(dateMissing);
    expect((await stored()).payment_date).toBe('2025-02-28');
  });

  it('may change the address of a record that a user marked as paid without a date', async () => {
    const { adminPut } = await buildAppWithRecord({ status: 'lunas' });
    expect((await adminPut({ address: 'Jl. Baru 9' })).status).toBe(200);
    expect(await adminPut({ address: 'Jl. Baru 9', status: 'lunas' })).toMatchObject(dateMissing);
  });

  it.each([
    [{ name: '' }, 'name', 'Mohon lengkapi semua field yang wajib diisi'],
    [{ tax_type: '' }, 'tax_type', 'Mohon lengkapi semua field yang wajib diisi'],
    [{ tax_type: 'PKB' }, 'tax_type', 'Jenis pajak tidak valid'],
    [{ year: null }, 'year', 'Mohon lengkapi semua field yang wajib diisi'],
    [{ year: 2019 }, 'year', 'Tahun harus antara 2020 dan 2030'],
    [{ year: 2031 }, 'year', 'Tahun harus antara 2020 dan 2030'],
    [{ year: 2025.5 }, 'year', 'Tahun harus antara 2020 dan 2030'],
    [{ amount: 1e12 }, 'amount', 'Jumlah harus antara 0 dan 999.999.999.999 dengan paling banyak dua desimal'],
  ])('refuses %o', async (body, field, message) => {
    const { adminPut } = await buildAppWithRecord();
    expect(await adminPut(body)).toMatchObject({ status: 422, body: { message, errors: { [field]: [message] } } });
  });
});
