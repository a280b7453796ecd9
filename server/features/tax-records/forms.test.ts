import { expect, it } from 'vitest';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { buildAdmin, buildTestUser, buildRecord } from '#server/testing/factories.ts';
import { buildForm, buildImage } from '#server/testing/multipart.ts';
import { buildTestApp, type Answer } from '#server/testing/test-app.ts';

const fields = { name: 'Siti', address: 'Jl. Mawar 2', spt_number: '32', amount: '1500000.50' };
const recordOf = (answer: Answer): TaxRecord => answer.body.data;

async function buildAppWithRecord() {
  const test = await buildTestApp();
  const owner = buildTestUser(test);
  const admin = buildAdmin(test);
  const row = buildRecord(test, owner.id, {
    status: 'lunas',
    paymentDate: '2025-01-02',
    dueDate: '2025-09-30',
    propertyType: 'toko',
    description: 'lama',
    notes: 'lama',
    year: 2024,
  });
  const post = (body: Record<string, string>, bytes?: Buffer) =>
    test.call('POST', '/api/tax-records', { token: owner.token, ...buildForm(body, bytes && { bytes }) });
  const put = (body: Record<string, string>, bytes?: Buffer) =>
    test.call('PUT', `/api/tax-records/${row.id}`, { token: owner.token, ...buildForm(body, bytes && { bytes }) });
  const adminPut = (body: Record<string, string>) =>
    test.call('PUT', `/api/admin/tax-records/${row.id}`, { token: admin.token, ...buildForm(body) });
  return { test, owner, row, post, put, adminPut };
}

it('stores a multipart form like the same fields in JSON', async () => {
  const { post } = await buildAppWithRecord();
  const sent = { ...fields, status: 'lunas', payment_date: '2025-05-06', property_type: 'kantor', year: '2030' };
  const answer = await post(sent, buildImage('gif'));
  expect(answer.status).toBe(201);
  expect(recordOf(answer)).toMatchObject({
    name: 'Siti',
    amount: 1_500_000.5,
    status: 'lunas',
    payment_date: '2025-05-06',
    property_type: 'kantor',
    year: 2025,
    due_date: null,
    description: null,
    payment_proof: expect.stringContaining('/uploads/'),
  });
  const plain = await post({
    ...fields,
    property_type: '',
    description: '',
    due_date: 'besok',
    payment_proof: 'x.png',
  });
  expect(recordOf(plain)).toMatchObject({
    status: 'belum_lunas',
    property_type: null,
    description: null,
    due_date: null,
    payment_proof: null,
  });
});

it.each(['1.500.000', '0x10', '1e3', '1,5', '', ' ', 'abc', 'Infinity', '+5'])(
  'takes "%s" for no number',
  async (amount) => {
    const { post } = await buildAppWithRecord();
    expect(await post({ ...fields, amount })).toMatchObject({ status: 422, body: { message: 'Jumlah wajib diisi' } });
  },
);

it('empties optional fields that a multipart edit leaves out, but neither status nor image', async () => {
  const { put } = await buildAppWithRecord();
  const proof = recordOf(await put(fields, buildImage())).payment_proof;
  expect(proof).not.toBeNull();
  expect(recordOf(await put({ ...fields, notes: 'baru', due_date: '2025-10-01' }))).toMatchObject({
    status: 'lunas',
    payment_proof: proof,
    notes: 'baru',
    due_date: '2025-10-01',
    year: 2024,
    payment_date: null,
    property_type: null,
    description: null,
  });
  expect(recordOf(await put({ ...fields, remove_payment_proof: 'false' })).payment_proof).toBe(proof);
});

it('reports required fields that a multipart edit leaves out', async () => {
  const { put, adminPut } = await buildAppWithRecord();
  const answer = await put({ name: 'Siti' });
  expect(answer.status).toBe(422);
  const text = ['Mohon lengkapi data yang wajib diisi'];
  expect(answer.body.errors).toEqual({ address: text, spt_number: text, amount: text });
  const adminText = ['Mohon lengkapi semua field yang wajib diisi'];
  const adminAnswer = await adminPut({ ...fields, status: 'proses' });
  expect(adminAnswer).toMatchObject({ status: 422, body: { errors: { tax_type: adminText, year: adminText } } });
  const whole = { ...fields, tax_type: 'PBB', year: '2026', status: 'proses' };
  expect(recordOf(await adminPut(whole))).toMatchObject({
    year: 2026,
    status: 'proses',
    payment_date: null,
    notes: null,
  });
});

it('refuses an admin’s form with status lunas and without a payment date', async () => {
  const { adminPut } = await buildAppWithRecord();
  const whole = { ...fields, tax_type: 'PBB', year: '2026', status: 'lunas' };
  expect(await adminPut(whole)).toMatchObject({
    status: 422,
    body: { message: 'Tanggal pembayaran wajib diisi jika status Lunas' },
  });
  expect(recordOf(await adminPut({ ...whole, payment_date: '2026-02-03' })).payment_date).toBe('2026-02-03');
});

it.each(['', '1', 'kemarin', 'null', '2026-06-10'])(
  'refuses an edit form whose updated_at is "%s" with 422 and stores nothing',
  async (updated_at) => {
    const { put, adminPut, row, test } = await buildAppWithRecord();
    for (const edit of [put, adminPut]) {
      const answer = await edit({ ...fields, tax_type: 'PBB', year: '2026', status: 'proses', updated_at });
      expect(answer).toMatchObject({
        status: 422,
        body: { message: 'Waktu perubahan data tidak valid. Muat ulang lalu coba lagi.' },
      });
    }
    const stored = test.database.sqlite.prepare('select name, updated_at from tax_records where id = ?').get(row.id);
    expect(stored).toEqual({ name: row.name, updated_at: row.updatedAt });
  },
);

it('changes nothing for a form without a single part', async () => {
  const { put, row } = await buildAppWithRecord();
  expect(recordOf(await put({}))).toMatchObject({
    name: row.name,
    notes: 'lama',
    due_date: '2025-09-30',
    status: 'lunas',
  });
});

it('refuses a form with too many fields or too much text', async () => {
  const { test, owner, post } = await buildAppWithRecord();
  const tooLarge = { status: 413, body: { success: false, message: 'Data terlalu besar' } };
  const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`x${index}`, '1']));
  expect(await post({ ...fields, ...many })).toMatchObject(tooLarge);
  expect(await post({ ...fields, notes: 'x'.repeat(200_000) })).toMatchObject(tooLarge);
  const json = { token: owner.token, body: { ...fields, notes: 'x'.repeat(1_100_000) } };
  expect(await test.call('POST', '/api/tax-records', json)).toMatchObject(tooLarge);
});

it('ignores unknown fields', async () => {
  const { owner, post } = await buildAppWithRecord();
  const record = recordOf(await post({ ...fields, is_admin: 'true', user_id: 'x', id: 'y', updated_at: 'kemarin' }));
  expect(record).toMatchObject({ name: 'Siti', user_id: owner.id });
  expect(record.id).not.toBe('y');
});
