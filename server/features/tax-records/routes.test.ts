import { describe, expect, it } from 'vitest';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { buildAdmin, buildTestUser, buildRecord } from '#server/testing/factories.ts';
import { buildTestApp, type Answer } from '#server/testing/test-app.ts';

const complete = { name: 'Siti', address: 'Jl. Mawar 2', spt_number: ' 32.01-7 ', amount: 1_500_000.5 };
const missing = { status: 404, body: { success: false, message: 'Data PBB tidak ditemukan' } };
const recordOf = (answer: Answer): TaxRecord => answer.body.data;
const idsOf = (answer: Answer): string[] => {
  const page: { data: TaxRecord[] } = answer.body.data;
  return page.data.map(({ id }) => id);
};

it.each([
  ['GET', '/api/tax-records'],
  ['GET', '/api/tax-records/outstanding'],
  ['GET', '/api/tax-records/year/2025'],
  ['GET', '/api/tax-records/x'],
  ['POST', '/api/tax-records'],
  ['PUT', '/api/tax-records/x'],
  ['POST', '/api/tax-records/x/payment-proof'],
  ['DELETE', '/api/tax-records/x'],
])('%s %s answers 401 without a session, before any query', async (method, url) => {
  const test = await buildTestApp();
  const payload = method === 'GET' ? {} : { payload: '{', headers: { 'content-type': 'application/json' } };
  const answer = await test.call(method, url, payload);
  expect(answer).toMatchObject({
    status: 401,
    body: { success: false, message: 'Sesi Anda telah berakhir. Silakan login kembali.' },
  });
});

describe('lists', () => {
  it('lists only own records, newest first, and of equal times the later id first', async () => {
    const test = await buildTestApp();
    const [owner, other] = [buildTestUser(test), buildTestUser(test)];
    const at = test.clock.now();
    const oldest = buildRecord(test, owner.id, { createdAt: at - 1000 });
    const twins = [buildRecord(test, owner.id), buildRecord(test, owner.id)].toSorted((a, b) => (a.id < b.id ? 1 : -1));
    buildRecord(test, other.id);
    const answer = await test.call('GET', '/api/tax-records', { token: owner.token });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      success: true,
      message: 'Daftar data PBB',
      data: { total: 3, per_page: 1000, current_page: 1, last_page: 1 },
    });
    expect(idsOf(answer)).toEqual([...twins.map(({ id }) => id), oldest.id]);
  });

  it('pages, and treats a limit or page that is not a positive integer as absent', async () => {
    const test = await buildTestApp();
    const { id, token } = buildTestUser(test);
    const rows = [1, 2, 3].map((second) => buildRecord(test, id, { createdAt: second }));
    const newest = rows.map((row) => row.id).toReversed();
    const second = await test.call('GET', '/api/tax-records?limit=2&page=2', { token });
    expect(second.body.data).toMatchObject({ total: 3, per_page: 2, current_page: 2, last_page: 2 });
    expect(idsOf(second)).toEqual(newest.slice(2));
    expect(idsOf(await test.call('GET', '/api/tax-records?limit=0&page=-1', { token }))).toEqual(newest);
    expect(idsOf(await test.call('GET', '/api/tax-records?limit=x&page=1.5', { token }))).toEqual(newest);
    for (const path of ['', '/outstanding', '/year/2025']) {
      const url = `/api/tax-records${path}?limit=1000&page=${'9'.repeat(30)}`;
      expect((await test.call('GET', url, { token })).body.data, url).toMatchObject({ data: [] });
    }
    const beyond = await test.call('GET', '/api/tax-records?page=99&limit=5000', { token });
    expect(beyond.body.data).toMatchObject({ data: [], per_page: 1000, current_page: 99, last_page: 1 });
  });

  it('lists overdue records by the date in the server’s time zone', async () => {
    const test = await buildTestApp();
    const { id, token } = buildTestUser(test);
    const overdue = buildRecord(test, id, { dueDate: '2026-06-09', status: 'proses' });
    const undatedOfLastYear = buildRecord(test, id, { year: 2025 });
    buildRecord(test, id, { dueDate: '2026-06-09', status: 'lunas' });
    buildRecord(test, id, { dueDate: '2026-06-10', year: 2020 });
    buildRecord(test, id, { year: 2026 });
    buildRecord(test, buildTestUser(test).id, { dueDate: '2020-01-01' });
    const fetchOverdue = async () => (await test.call('GET', '/api/tax-records/outstanding', { token })).body;
    expect(await fetchOverdue()).toMatchObject({ message: 'Daftar tunggakan PBB', data: { total: 2 } });
    expect(idsOf(await test.call('GET', '/api/tax-records/outstanding', { token })).toSorted()).toEqual(
      [overdue.id, undatedOfLastYear.id].toSorted(),
    );
    // It is still the 10th in UTC but already the 11th in Jakarta: a record due on the 10th is overdue.
    test.clock.set('2026-06-10T17:00:00.000Z');
    expect(await fetchOverdue()).toMatchObject({ data: { total: 3 } });
  });

  it('lists the own records of one year', async () => {
    const test = await buildTestApp();
    const { id, token } = buildTestUser(test);
    const wanted = buildRecord(test, id, { year: 2024 });
    buildRecord(test, id, { year: 2025 });
    buildRecord(test, buildTestUser(test).id, { year: 2024 });
    const answer = await test.call('GET', '/api/tax-records/year/2024', { token });
    expect(answer.body).toMatchObject({ message: 'Daftar data PBB tahun 2024', data: { total: 1 } });
    expect(idsOf(answer)).toEqual([wanted.id]);
    expect(await test.call('GET', '/api/tax-records/year/semua', { token })).toMatchObject({
      status: 422,
      body: {
        message: 'Tahun harus antara 2020 dan 2030',
        errors: { year: ['Tahun harus antara 2020 dan 2030'] },
      },
    });
  });
});

describe('one record', () => {
  it('shows both spellings of ids and times, its owner, and an amount in rupiah', async () => {
    const test = await buildTestApp();
    const owner = buildTestUser(test);
    const row = buildRecord(test, owner.id, { amountSen: 12_345_678_901_299, propertyType: 'toko' });
    const answer = await test.call('GET', `/api/tax-records/${row.id}`, { token: owner.token });
    const at = new Date(row.createdAt).toISOString();
    expect(answer.body).toEqual({
      success: true,
      message: 'Data PBB',
      data: {
        id: row.id,
        _id: row.id,
        user_id: owner.id,
        name: 'Budi Santoso',
        address: 'Jl. Melati 1',
        tax_type: 'PBB',
        property_type: 'toko',
        spt_number: row.sptNumber,
        year: 2025,
        amount: 123_456_789_012.99,
        amount_source: 'typed',
        assessment: null,
        description: null,
        status: 'belum_lunas',
        due_date: null,
        payment_date: null,
        notes: null,
        payment_proof: null,
        user: { id: owner.id, _id: owner.id, name: owner.name, email: owner.email, has_email: true },
        verification: { state: 'none', at: null, by_name: null, reason: null },
        created_at: at,
        createdAt: at,
        updated_at: at,
        updatedAt: at,
      },
    });
  });

  it("answers the same 404 for another user's record as for a missing one, also to admins", async () => {
    const test = await buildTestApp();
    const row = buildRecord(test, buildTestUser(test).id);
    for (const { token } of [buildTestUser(test), buildAdmin(test)]) {
      for (const id of [row.id, 'x', 'x'.repeat(300)]) {
        const url = `/api/tax-records/${id}`;
        expect(await test.call('GET', url, { token })).toMatchObject(missing);
        expect(await test.call('PUT', url, { token, body: { name: 'Lain' } })).toMatchObject(missing);
        expect(await test.call('DELETE', url, { token })).toMatchObject(missing);
      }
    }
    const stored = await test.call('GET', `/api/admin/tax-records/${row.id}`, { token: buildAdmin(test).token });
    expect(recordOf(stored)).toMatchObject({ name: 'Budi Santoso', updated_at: new Date(row.updatedAt).toISOString() });
  });
});

describe('create', () => {
  it('creates an own record for 2025 with tax type PBB, whatever else is sent', async () => {
    const test = await buildTestApp();
    const [owner, other] = [buildTestUser(test), buildTestUser(test)];
    const body = {
      ...complete,
      id: 'x',
      user_id: other.id,
      year: 2030,
      tax_type: 'PKB',
      payment_proof: 'a.png',
      created_at: '2000-01-01',
      due_date: '2025-02-30',
      payment_date: '2025-03-01',
    };
    const answer = await test.call('POST', '/api/tax-records', { token: owner.token, body });
    expect(answer).toMatchObject({ status: 201, body: { message: 'Data PBB berhasil ditambahkan!' } });
    const record = recordOf(answer);
    expect(record).toMatchObject({
      user_id: owner.id,
      spt_number: '32.01-7',
      amount: 1_500_000.5,
      year: 2025,
      tax_type: 'PBB',
      status: 'belum_lunas',
      due_date: null,
      payment_date: null,
      payment_proof: null,
      created_at: new Date(test.clock.now()).toISOString(),
    });
    expect(record.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(idsOf(await test.call('GET', '/api/tax-records', { token: owner.token }))).toEqual([record.id]);
    expect(idsOf(await test.call('GET', '/api/tax-records', { token: other.token }))).toEqual([]);
  });

  it('stores a payment date only with the status lunas', async () => {
    const test = await buildTestApp();
    const { token } = buildTestUser(test);
    const create = async (status: string) =>
      recordOf(
        await test.call('POST', '/api/tax-records', {
          token,
          body: { ...complete, status, payment_date: '2025-03-01' },
        }),
      );
    expect((await create('lunas')).payment_date).toBe('2025-03-01');
    expect((await create('proses')).payment_date).toBeNull();
  });

  it('reports missing fields with the texts of the form', async () => {
    const test = await buildTestApp();
    const { token } = buildTestUser(test);
    const answer = await test.call('POST', '/api/tax-records', {
      token,
      body: { name: ' ', spt_number: null, amount: '1000', status: 'x', property_type: 'y' },
    });
    expect(answer.status).toBe(422);
    expect(answer.body).toEqual({
      success: false,
      message: 'Nama wajib diisi',
      errors: {
        name: ['Nama wajib diisi'],
        address: ['Alamat wajib diisi'],
        spt_number: ['Nomor SPT wajib diisi'],
        amount: ['Jumlah wajib diisi'],
        status: ['Status tidak valid'],
        property_type: ['Jenis properti tidak valid'],
      },
    });
    const negative = await test.call('POST', '/api/tax-records', { token, body: { ...complete, amount: -1 } });
    expect(negative.body.message).toBe('Jumlah harus antara 0 dan 999.999.999.999 dengan paling banyak dua desimal');
    expect(idsOf(await test.call('GET', '/api/tax-records', { token }))).toEqual([]);
  });
});

it('deletes permanently and accepts any content type without a body', async () => {
  const test = await buildTestApp();
  const { id, token } = buildTestUser(test);
  const first = buildRecord(test, id);
  const copy = buildRecord(test, id, { year: 2026, predecessorId: first.id });
  const kept = buildRecord(test, id, { year: 2027, predecessorId: copy.id });
  for (const row of [first, copy]) {
    const headers = { 'content-type': 'application/json' };
    const answer = await test.call('DELETE', `/api/tax-records/${row.id}`, { token, headers });
    expect(answer).toMatchObject({ status: 200, body: { message: 'Data PBB berhasil dihapus', data: {} } });
    expect(await test.call('DELETE', `/api/tax-records/${row.id}`, { token })).toMatchObject(missing);
  }
  expect(idsOf(await test.call('GET', '/api/tax-records', { token }))).toEqual([kept.id]);
});
