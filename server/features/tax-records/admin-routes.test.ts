import { describe, expect, it } from 'vitest';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { VERIFICATION_STATES } from '#shared/domain/tax-records/verification-states.ts';
import { buildAdmin, buildTestUser, buildRecord, type RecordRow } from '#server/testing/factories.ts';
import { naiveChecked, naiveOverdue, naiveSum } from '#server/testing/naive-sums.ts';
import { buildTestApp, type Answer } from '#server/testing/test-app.ts';

const missing = { status: 404, body: { success: false, message: 'Data pajak tidak ditemukan' } };
const complete = { name: 'Siti', address: 'Jl. Mawar 2', spt_number: '32.01-7', amount: 1000 };
const recordOf = (answer: Answer): TaxRecord => answer.body.data;
const rowsOf = (answer: Answer): TaxRecord[] => {
  const page: { data: TaxRecord[] } = answer.body.data;
  return page.data;
};

it.each([
  ['GET', '/api/admin/tax-records'],
  ['GET', '/api/admin/tax-records/x'],
  ['POST', '/api/admin/tax-records'],
  ['POST', '/api/admin/tax-records/bulk'],
  ['PUT', '/api/admin/tax-records/x'],
  ['POST', '/api/admin/tax-records/x/payment-proof'],
  ['DELETE', '/api/admin/tax-records/x'],
])('%s %s answers 401 without a session and 403 to users, before any query or validation', async (method, url) => {
  const test = await buildTestApp();
  const broken = method === 'GET' ? {} : { payload: '{', headers: { 'content-type': 'application/json' } };
  expect(await test.call(method, url, broken)).toMatchObject({
    status: 401,
    body: { message: 'Sesi Anda telah berakhir. Silakan login kembali.' },
  });
  expect(await test.call(method, url, { token: buildTestUser(test).token, ...broken })).toMatchObject({
    status: 403,
    body: { success: false, message: 'Anda tidak memiliki akses' },
  });
});

describe('GET /admin/tax-records', () => {
  async function buildAppWithUsers() {
    const test = await buildTestApp();
    const { token } = buildAdmin(test);
    const [andi, wati] = [buildTestUser(test, { name: 'Andi' }), buildTestUser(test, { name: 'Wati Ningsih' })];
    const list = async (query = '') => test.call('GET', `/api/admin/tax-records${query}`, { token });
    const names = async (query = '') => rowsOf(await list(query)).map(({ name }) => name);
    return { test, andi, wati, list, names };
  }

  it('lists the records of all users, newest first, fifty per page', async () => {
    const { test, andi, wati, list } = await buildAppWithUsers();
    for (let index = 0; index < 51; index += 1) {
      buildRecord(test, (index % 2 ? andi : wati).id, { name: `N${index}`, createdAt: index });
    }
    const answer = await list();
    expect(answer).toMatchObject({
      status: 200,
      body: { message: 'Daftar data pajak', data: { total: 51, per_page: 50, current_page: 1, last_page: 2 } },
    });
    expect(rowsOf(answer)).toHaveLength(50);
    expect(rowsOf(answer)[0]).toMatchObject({ name: 'N50', user: { id: wati.id, name: 'Wati Ningsih' } });
    expect(rowsOf(await list('?page=2'))).toMatchObject([{ name: 'N0' }]);
    expect((await list('?limit=9999')).body.data).toMatchObject({ per_page: 1000, last_page: 1 });
    expect((await list('?page=999999999999999&limit=1000')).body.data).toMatchObject({ data: [], total: 51 });
    expect((await list('?page=3')).body.data).toMatchObject({ data: [], total: 51, current_page: 3, last_page: 2 });
  });

  it('applies filters alone and together and ignores empty ones', async () => {
    const { test, andi, wati, names } = await buildAppWithUsers();
    buildRecord(test, andi.id, { name: 'a', createdAt: 1, status: 'lunas', propertyType: 'toko', year: 2024 });
    buildRecord(test, andi.id, { name: 'b', createdAt: 2, status: 'proses', year: 2024 });
    buildRecord(test, wati.id, { name: 'c', createdAt: 3, status: 'lunas', propertyType: 'toko', year: 2025 });
    expect(await names('?status=lunas')).toEqual(['c', 'a']);
    expect(await names('?property_type=toko&year=2024')).toEqual(['a']);
    expect(await names(`?user_id=${andi.id}`)).toEqual(['b', 'a']);
    expect(await names(`?user_id=${andi.id}&status=lunas&property_type=toko&year=2024`)).toEqual(['a']);
    expect(await names(`?user_id=${andi.id}&year=2025`)).toEqual([]);
    expect(await names('?status=&property_type=&year=&user_id=&sort=apa&search=%20')).toEqual(['c', 'b', 'a']);
  });

  it.each([
    `search=${'a'.repeat(201)}`,
    'search=a&search=b',
    'status=apa',
    'status=lunas&status=proses',
    'property_type=rumah',
    'year=dua',
    'year=-2024',
    'year=2024.0',
    'year=99999999999999999999',
    'user_id=siapa',
    `user_id=${'u'.repeat(101)}`,
    'user_id=a&user_id=b',
    'outstanding=ya',
    'unpaid=2',
    'proof=ada',
    'due_from=2026-02-30',
    'due_to=besok',
    'payment_from=2026-1-1',
    'payment_to=2026-01-01T00:00:00Z',
    'verification=apa',
    'verification=apa,itu',
    'verification=,',
    'verification=Pending',
    'verification=none&verification=pending',
    'verification=none&status=apa',
    // Also together with a filter that matches.
    'status=lunas&property_type=rumah',
  ])('answers a filter that no row can match with nothing and never with everything: %s', async (query) => {
    const { test, andi, list } = await buildAppWithUsers();
    buildRecord(test, andi.id, { name: 'a', status: 'lunas', propertyType: 'toko', year: 2024 });
    const answer = await list(`?${query}`);
    expect(answer).toMatchObject({ status: 200, body: { success: true, data: { data: [], total: 0, last_page: 1 } } });
  });

  it('filters by what is overdue or unpaid and by ranges of dates, both ends included', async () => {
    const { test, andi, wati, names } = await buildAppWithUsers();
    // Today is 10 June 2026.
    const rows = [
      { name: 'a', status: 'belum_lunas', dueDate: '2026-06-09', year: 2026 },
      { name: 'b', status: 'proses', dueDate: '2026-06-10', year: 2026 },
      { name: 'c', status: 'proses', dueDate: null, year: 2025 },
      { name: 'd', status: 'lunas', dueDate: '2026-06-09', paymentDate: '2026-06-01', year: 2026 },
      { name: 'e', status: 'lunas', dueDate: null, paymentDate: '2026-05-31', year: 2025 },
    ] as const;
    for (const [index, row] of rows.entries()) {
      buildRecord(test, (index % 2 ? andi : wati).id, { createdAt: index, ...row });
    }
    expect(await names('?outstanding=1')).toEqual(['c', 'a']);
    expect(await names(`?outstanding=1&user_id=${andi.id}`)).toEqual([]);
    expect(await names('?outstanding=1&year=2025')).toEqual(['c']);
    expect(await names('?unpaid=1')).toEqual(['c', 'b', 'a']);
    expect(await names('?outstanding=0&unpaid=0')).toEqual(['e', 'd', 'c', 'b', 'a']);
    expect(await names('?due_from=2026-06-09&due_to=2026-06-09')).toEqual(['d', 'a']);
    expect(await names('?due_from=2026-06-10')).toEqual(['b']);
    expect(await names('?payment_from=2026-06-01')).toEqual(['d']);
    expect(await names('?payment_to=2026-06-01&due_to=')).toEqual(['e', 'd']);
  });

  it('filters by one or several states of the check, and by what is matched but not paid', async () => {
    const { test, andi, wati, list, names } = await buildAppWithUsers();
    const states = ['none', 'pending', 'matched', 'rejected', 'outdated', 'matched'] as const;
    for (const [index, checkState] of states.entries()) {
      const status = index % 2 ? 'proses' : 'lunas';
      const fields = { createdAt: index, name: `${checkState} ${status}`, checkState, status } as const;
      buildRecord(test, (index % 2 ? andi : wati).id, { ...fields, amountSen: 10 ** index });
    }
    expect(await names('?verification=pending')).toEqual(['pending proses']);
    expect(await names('?verification=none')).toEqual(['none lunas']);
    expect(await names('?verification=matched')).toEqual(['matched proses', 'matched lunas']);
    expect(await names('?verification=matched_unpaid')).toEqual(['matched proses']);
    expect(await names('?verification=matched,matched_unpaid')).toEqual(['matched proses', 'matched lunas']);
    const several = '?verification=rejected, outdated,matched_unpaid,apa,rejected';
    expect(await names(several)).toEqual(['matched proses', 'outdated lunas', 'rejected proses']);
    expect((await list(`${several}&limit=1`)).body.data).toMatchObject({ total: 3, total_amount: 1110 });
    expect(await names(`${several}&status=lunas`)).toEqual(['outdated lunas']);
    expect(await names(`${several}&user_id=${andi.id}&sort=amount`)).toEqual(['rejected proses', 'matched proses']);
    expect(await names('?verification=pending&search=matched')).toEqual([]);
    expect(await names('?verification=')).toHaveLength(6);
  });

  it('says of the sum what the office knows of its paid part, and which unpaid part is an estimate', async () => {
    const { test, andi, wati, list } = await buildAppWithUsers();
    const rows = VERIFICATION_STATES.flatMap((checkState, index) =>
      (['lunas', 'proses', 'belum_lunas'] as const).flatMap((status) =>
        (['estimate', 'typed'] as const).map((amountSource) =>
          buildRecord(test, (index % 2 ? andi : wati).id, {
            checkState,
            status,
            amountSource,
            amountSen: 99_999_999_999_900 - index,
            year: status === 'lunas' ? 2024 : 2026,
            paymentDate: status === 'lunas' ? '2026-06-01' : null,
            dueDate: index < 2 ? '2026-06-09' : null,
          }),
        ),
      ),
    );
    const sumsOf = (some: RecordRow[]) => ({
      total: some.length,
      total_amount: naiveSum(some).amount,
      checked: naiveChecked(some),
      estimated: naiveOverdue(some.filter(({ status }) => status !== 'lunas')).estimated,
    });
    const where: [string, (row: RecordRow) => boolean][] = [
      ['', () => true],
      ['status=lunas', ({ status }) => status === 'lunas'],
      ['unpaid=1', ({ status }) => status !== 'lunas'],
      ['outstanding=1', ({ status, dueDate }) => status !== 'lunas' && dueDate !== null],
      ['year=2024', ({ year }) => year === 2024],
      ['payment_from=2026-06-01', ({ status }) => status === 'lunas'],
      ['due_to=2026-06-30', ({ dueDate }) => dueDate !== null],
      ['verification=matched', ({ checkState }) => checkState === 'matched'],
      ['verification=matched,pending', ({ checkState }) => ['matched', 'pending'].includes(checkState)],
      [`user_id=${andi.id}`, ({ userId }) => userId === andi.id],
      ['search=wati', ({ userId }) => userId === wati.id],
      ['status=apa', () => false],
    ];
    for (const [query, matches] of where) {
      expect((await list(`?limit=1&${query}`)).body.data, query).toMatchObject(sumsOf(rows.filter(matches)));
    }
  });

  it('filters by whether a payment proof is there', async () => {
    const { test, andi, wati, list, names } = await buildAppWithUsers();
    const bukti = { proofFile: 'a.jpg', proofType: 'image/jpeg' } as const;
    buildRecord(test, andi.id, { createdAt: 1, name: 'a', status: 'proses', amountSen: 100, ...bukti });
    buildRecord(test, wati.id, { createdAt: 2, name: 'b', status: 'proses', amountSen: 200 });
    buildRecord(test, wati.id, { createdAt: 3, name: 'c', status: 'lunas', amountSen: 400 });
    expect(await names('?proof=1')).toEqual(['a']);
    expect(await names('?proof=0')).toEqual(['c', 'b']);
    expect(await names(`?proof=0&status=proses&user_id=${wati.id}`)).toEqual(['b']);
    expect(await names('?proof=')).toEqual(['c', 'b', 'a']);
    expect((await list('?proof=0')).body.data).toMatchObject({ total: 2, total_amount: 6 });
  });

  it('sums exactly what matches, over all pages', async () => {
    const { test, andi, wati, list } = await buildAppWithUsers();
    const largest = 99_999_999_999_900;
    for (let index = 0; index < 9; index += 1) {
      buildRecord(test, (index % 2 ? andi : wati).id, { amountSen: largest, status: 'lunas' });
    }
    buildRecord(test, andi.id, { amountSen: 101, name: 'Sisa', status: 'proses' });
    expect((await list('?limit=1')).body.data).toMatchObject({ total: 10, total_amount: 8_999_999_999_992.01 });
    expect((await list('?status=proses')).body.data).toMatchObject({ total: 1, total_amount: 1.01 });
    expect((await list('?search=sisa')).body.data).toMatchObject({ total: 1, total_amount: 1.01 });
    expect((await list(`?user_id=${wati.id}&page=2`)).body.data).toMatchObject({
      data: [],
      total_amount: 4_999_999_999_995,
    });
    expect((await list('?status=apa')).body.data).toMatchObject({ total: 0, total_amount: 0 });
  });

  it('answers a page past the end with an empty page, however large its number is', async () => {
    const { test, andi, list } = await buildAppWithUsers();
    buildRecord(test, andi.id);
    for (const page of ['1000000000000000', '9007199254740993', '9'.repeat(400)]) {
      expect(await list(`?limit=1000&page=${page}`)).toMatchObject({
        status: 200,
        body: { data: { data: [], total: 1, last_page: 1 } },
      });
    }
  });

  it.each([
    ['budi', ['Budi Santoso']],
    ['MELATI', ['Lain', 'Budi Santoso']],
    ['wati nING', ['Lain']],
    ['32.01', ['Lain']],
    ['100%', ['Diskon 100% Jaya']],
    ['%', ['Diskon 100% Jaya']],
    ['_', ['Garis_Bawah']],
    ['s_b', ['Garis_Bawah']],
    ['\\', ['Miring\\Kiri']],
    ["'", ["O'Neil"]],
    ['josé', ['JOSÉ']],
    ['É*', []],
    ['tidak ada', []],
  ])('finds %s in names, addresses, SPT numbers and names of owners', async (search, found) => {
    const { test, andi, wati, list, names } = await buildAppWithUsers();
    const plain = { address: 'Jl. Kenanga' };
    buildRecord(test, andi.id, { name: 'Budi Santoso', createdAt: 1 });
    buildRecord(test, wati.id, { name: 'Lain', createdAt: 2, sptNumber: 'x32.01.7' });
    for (const [index, name] of ['Diskon 100% Jaya', 'Garis_Bawah', 'Miring\\Kiri', "O'Neil", 'JOSÉ'].entries()) {
      buildRecord(test, andi.id, { name, ...plain, createdAt: 10 + index });
    }
    const query = `?search=${encodeURIComponent(search)}`;
    expect(await names(query)).toEqual(found);
    expect((await list(query)).body.data).toMatchObject({ total: found.length });
  });

  it.each([
    ['created_at', 'a b c d'],
    ['-created_at', 'd c b a'],
    ['amount', 'b a d c'],
    ['-amount', 'c d a b'],
    ['year', 'd b c a'],
    ['-year', 'a c b d'],
    ['name', 'a b c d'],
    ['-name', 'd c b a'],
    // Records without a due date come last in both directions.
    ['due_date', 'c b a d'],
    ['-due_date', 'b c d a'],
  ])('sorts by %s and keeps records with equal values in a fixed order', async (sort, expected) => {
    const { test, andi, names } = await buildAppWithUsers();
    const id = (letter: string) => `00000000-0000-7000-8000-00000000000${letter}`;
    const rows = [
      { id: id('1'), name: 'a', amountSen: 300, year: 2026, dueDate: null, createdAt: 1 },
      { id: id('2'), name: 'B', amountSen: 200, year: 2025, dueDate: '2026-03-01', createdAt: 2 },
      { id: id('4'), name: 'c', amountSen: 900, year: 2025, dueDate: '2026-01-01', createdAt: 2 },
      { id: id('5'), name: 'D', amountSen: 300, year: 2024, dueDate: null, createdAt: 4 },
    ];
    for (const row of rows.toReversed()) buildRecord(test, andi.id, row);
    const inOrder = expected.split(' ');
    expect((await names(`?sort=${sort}`)).map((name) => name.toLowerCase())).toEqual(inOrder);
    const pages = await Promise.all([1, 2, 3, 4].map((page) => names(`?sort=${sort}&limit=1&page=${page}`)));
    expect(pages.flat().map((name) => name.toLowerCase())).toEqual(inOrder);
  });
});

describe('POST /admin/tax-records', () => {
  it('creates a record of the chosen user for the current year in the server’s time zone', async () => {
    const test = await buildTestApp();
    const [admin, owner] = [buildAdmin(test), buildTestUser(test)];
    test.clock.set('2026-12-31T17:30:00.000Z');
    // A new session, because the others are half a year old by now.
    const { token } = buildAdmin(test);
    const answer = await test.call('POST', '/api/admin/tax-records', {
      token,
      body: { ...complete, user_id: owner.id },
    });
    expect(answer).toMatchObject({ status: 201, body: { message: 'Data pajak berhasil ditambahkan' } });
    expect(recordOf(answer)).toMatchObject({
      user_id: owner.id,
      user: { id: owner.id, name: owner.name, email: owner.email },
      year: 2027,
      tax_type: 'PBB',
      status: 'belum_lunas',
      amount: 1000,
    });
    const chosen = { ...complete, user_id: admin.id, year: 2020, status: 'lunas', payment_date: '2020-02-29' };
    const own = await test.call('POST', '/api/admin/tax-records', { token, body: chosen });
    expect(recordOf(own)).toMatchObject({ user_id: admin.id, year: 2020, payment_date: '2020-02-29' });
  });

  it.each([
    [{ user_id: undefined }, 'user_id', 'Pilih user terlebih dahulu'],
    [{ user_id: '' }, 'user_id', 'Pilih user terlebih dahulu'],
    [{ user_id: 'siapa' }, 'user_id', 'Pilih user terlebih dahulu'],
    [{ name: '' }, 'name', 'Mohon lengkapi semua field wajib'],
    [{ amount: 'x' }, 'amount', 'Mohon lengkapi semua field wajib'],
    [{ year: 2031 }, 'year', 'Tahun harus antara 2020 dan 2030'],
  ])('refuses %o', async (change, field, message) => {
    const test = await buildTestApp();
    const { token } = buildAdmin(test);
    const body = { ...complete, user_id: buildTestUser(test).id, ...change };
    expect(await test.call('POST', '/api/admin/tax-records', { token, body })).toMatchObject({
      status: 422,
      body: { success: false, message, errors: { [field]: [message] } },
    });
    expect(rowsOf(await test.call('GET', '/api/admin/tax-records', { token }))).toEqual([]);
  });

  it('refuses a current year outside 2020 to 2030 with 422', async () => {
    const test = await buildTestApp();
    const owner = buildTestUser(test);
    test.clock.set('2031-01-01T00:00:00.000Z');
    const { token } = buildAdmin(test);
    const create = (body: object) => test.call('POST', '/api/admin/tax-records', { token, body });
    expect(await create({ ...complete, user_id: owner.id })).toMatchObject({
      status: 422,
      body: { message: 'Tahun harus antara 2020 dan 2030' },
    });
    expect((await create({ ...complete, user_id: owner.id, year: 2030 })).status).toBe(201);
  });
});

it('reads and deletes any record and answers 404 for a missing one', async () => {
  const test = await buildTestApp();
  const { token } = buildAdmin(test);
  const owner = buildTestUser(test);
  const row = buildRecord(test, owner.id);
  const url = `/api/admin/tax-records/${row.id}`;
  const read = await test.call('GET', url, { token });
  expect(read).toMatchObject({ status: 200, body: { message: 'Data pajak', data: { id: row.id, user_id: owner.id } } });
  expect(await test.call('DELETE', url, { token })).toMatchObject({
    status: 200,
    body: { success: true, message: 'Data pajak berhasil dihapus', data: {} },
  });
  for (const method of ['GET', 'DELETE']) expect(await test.call(method, url, { token })).toMatchObject(missing);
  expect(await test.call('PUT', url, { token, body: { name: 'x' } })).toMatchObject(missing);
  const own = await test.call('GET', `/api/tax-records/${row.id}`, { token: owner.token });
  expect(own).toMatchObject({ status: 404, body: { message: 'Data PBB tidak ditemukan' } });
});
