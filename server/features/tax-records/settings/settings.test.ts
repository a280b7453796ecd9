import * as fc from 'fast-check';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { RecordSettings } from '#shared/api/tax-records/record-settings.ts';
import { withOpenYear } from '#shared/domain/tax-records/open-years.ts';
import { taxRecords } from '#server/db/schema.ts';
import { buildAdmin, buildRecord, buildTestUser, type SignedInUser } from '#server/testing/factories.ts';
import { type Answer, buildTestApp, type TestApp } from '#server/testing/test-app.ts';

const URL = '/api/admin/record-settings';
const DEFAULTS: RecordSettings = { user_years: [2025], rollover: 'automatic' };
const INVALID = 'Tahun pajak tidak valid';

const read = (test: TestApp, { token }: SignedInUser): Promise<Answer> => test.call('GET', URL, { token });
const save = (test: TestApp, { token }: SignedInUser, body: unknown): Promise<Answer> =>
  test.call('PUT', URL, { token, body });

async function buildAppWithPeople() {
  const test = await buildTestApp();
  return { test, ratna: buildAdmin(test, { name: 'Ibu Ratna' }), budi: buildTestUser(test) };
}
const openYears = async (test: TestApp, admin: SignedInUser, user_years: number[]): Promise<void> => {
  expect((await save(test, admin, { user_years })).status).toBe(200);
};
const newRecord = { name: 'Budi', address: 'Jl. Melati 1', spt_number: '32.01', amount: 187_500 };
const create = async (test: TestApp, { token }: SignedInUser, fields: object = {}) => {
  const answer = await test.call('POST', '/api/tax-records', { token, body: { ...newRecord, ...fields } });
  expect(answer.status).toBe(201);
  return answer.body.data as { id: string; year: number };
};

describe('GET and PUT /admin/record-settings', () => {
  it.each(['GET', 'PUT'])('%s answers 401 without a session and 403 to users, whatever is sent', async (method) => {
    const { test, budi } = await buildAppWithPeople();
    const body = method === 'PUT' ? { body: { user_years: 'x' } } : {};
    expect((await test.call(method, URL, body)).status).toBe(401);
    const answer = await test.call(method, URL, { token: budi.token, ...body });
    expect(answer).toMatchObject({ status: 403, body: { message: 'Anda tidak memiliki akses' } });
  });

  it('begins with 2025 alone and automatic copies', async () => {
    const { test, ratna } = await buildAppWithPeople();
    expect(await read(test, ratna)).toMatchObject({ status: 200, body: { data: DEFAULTS } });
    expect((await read(test, ratna)).body.data).toEqual(DEFAULTS);
  });

  it('stores the years newest first, and leaves what is not sent as it is', async () => {
    const { test, ratna } = await buildAppWithPeople();
    const answer = await save(test, ratna, { user_years: [2025, 2027, 2026] });
    expect(answer.body).toEqual({
      success: true,
      message: 'Pengaturan data PBB berhasil disimpan',
      data: { user_years: [2027, 2026, 2025], rollover: 'automatic' },
    });
    await save(test, ratna, { rollover: 'offer' });
    expect((await read(test, ratna)).body.data).toEqual({ user_years: [2027, 2026, 2025], rollover: 'offer' });
    await save(test, ratna, {});
    expect((await read(test, ratna)).body.data).toEqual({ user_years: [2027, 2026, 2025], rollover: 'offer' });
  });

  it.each([
    ['no year', []],
    ['seven years', [2020, 2021, 2022, 2023, 2024, 2025, 2026]],
    ['a year twice', [2025, 2025]],
    ['a year before 2020', [2019]],
    ['the year after next year', [2028]],
    ['a text', ['2025']],
    ['half a year', [2025.5]],
    ['null', null],
    ['a year that is not in a list', 2025],
  ])('refuses %s with 422 and keeps what was stored', async (_what, user_years) => {
    const { test, ratna } = await buildAppWithPeople();
    const answer = await save(test, ratna, { user_years });
    expect(answer).toMatchObject({ status: 422, body: { message: INVALID } });
    expect(Object.keys(answer.body.errors ?? {})[0]).toContain('user_years');
    expect((await read(test, ratna)).body.data).toEqual(DEFAULTS);
  });

  it('takes next year up to 2030', async () => {
    const { test, ratna } = await buildAppWithPeople();
    expect((await save(test, ratna, { user_years: [2027] })).status).toBe(200);
    test.clock.set('2030-06-10T05:00:00.000Z');
    const admin = buildAdmin(test);
    expect((await save(test, admin, { user_years: [2030] })).status).toBe(200);
    expect(await save(test, admin, { user_years: [2031] })).toMatchObject({ status: 422, body: { message: INVALID } });
  });

  it('refuses an unknown way of the new year', async () => {
    const { test, ratna } = await buildAppWithPeople();
    expect(await save(test, ratna, { rollover: 'never' })).toMatchObject({
      status: 422,
      body: { errors: { rollover: ['Pilihan tahun baru tidak valid'] } },
    });
  });

  it('writes what changed to the audit, and nothing when nothing changed', async () => {
    const { test, ratna } = await buildAppWithPeople();
    await save(test, ratna, DEFAULTS);
    await save(test, ratna, { user_years: [2025, 2026], rollover: 'offer' });
    await save(test, ratna, { user_years: [2026, 2025] });
    const { data } = (await test.call('GET', '/api/admin/audit?action=settings.records', { token: ratna.token })).body
      .data as { data: object[] };
    expect(data).toHaveLength(1);
    expect(data[0]).toMatchObject({
      actor: { name: 'Ibu Ratna' },
      subject: { id: 'record-settings', label: 'pengaturan data PBB' },
      changes: [
        { field: 'user_years', from: '2025', to: '2026, 2025' },
        { field: 'rollover', from: 'automatic', to: 'offer' },
      ],
    });
  });

  it('reach users by GET /office', async () => {
    const { test, ratna, budi } = await buildAppWithPeople();
    await openYears(test, ratna, [2026, 2025]);
    expect((await test.call('GET', '/api/office', { token: budi.token })).body.data).toMatchObject({
      user_years: [2026, 2025],
    });
  });
});

describe('the year of a user’s new record', () => {
  it.each([undefined, 2026, 2024, '2026', null, 'x', 2025.5, [2026], 1e300])(
    'becomes 2025 with the default settings when %j is sent',
    async (year) => {
      const { test, budi } = await buildAppWithPeople();
      expect((await create(test, budi, { year })).year).toBe(2025);
    },
  );

  it.each([
    [2026, 2026],
    [2025, 2025],
    [2024, 2026],
    [undefined, 2026],
    ['2025', 2026],
  ])('with 2025 and 2026 open: %j becomes %d', async (year, stored) => {
    const { test, ratna, budi } = await buildAppWithPeople();
    await openYears(test, ratna, [2025, 2026]);
    expect((await create(test, budi, { year })).year).toBe(stored);
  });

  it('follows a form with an image, too', async () => {
    const { test, ratna, budi } = await buildAppWithPeople();
    await openYears(test, ratna, [2025, 2026]);
    const fields = Object.entries({ ...newRecord, year: 2025 });
    const parts = fields.map(
      ([name, value]) => `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    );
    const answer = await test.call('POST', '/api/tax-records', {
      token: budi.token,
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      payload: `${parts.join('')}--b--\r\n`,
    });
    expect(answer).toMatchObject({ status: 201, body: { data: { year: 2025 } } });
  });
});

describe('the year of a user’s record after an edit', () => {
  const edit = async (test: TestApp, { token }: SignedInUser, id: string, body: unknown) =>
    (await test.call('PUT', `/api/tax-records/${id}`, { token, body })).body.data['year'] as number;

  it('stays with one open year, whatever is sent', async () => {
    const { test, ratna, budi } = await buildAppWithPeople();
    const { id } = buildRecord(test, budi.id, { year: 2023 });
    expect(await edit(test, budi, id, { year: 2025 })).toBe(2023);
    await openYears(test, ratna, [2026]);
    expect(await edit(test, budi, id, { year: 2026, name: 'Siti' })).toBe(2023);
  });

  it('follows a sent year that is open with several, and stays otherwise', async () => {
    const { test, ratna, budi } = await buildAppWithPeople();
    const { id } = buildRecord(test, budi.id, { year: 2023 });
    await openYears(test, ratna, [2025, 2026]);
    for (const year of [2024, '2026', null, 'x', undefined, 2023]) {
      expect(await edit(test, budi, id, { year, address: `Jl. ${String(year)}` })).toBe(2023);
    }
    expect(await edit(test, budi, id, { year: 2026 })).toBe(2026);
  });

  it('may become any year for an admin, as before', async () => {
    const { test, ratna, budi } = await buildAppWithPeople();
    const { id } = buildRecord(test, budi.id);
    const answer = await test.call('PUT', `/api/admin/tax-records/${id}`, { token: ratna.token, body: { year: 2021 } });
    expect(answer).toMatchObject({ status: 200, body: { data: { year: 2021 } } });
    expect(test.database.direct.select().from(taxRecords).where(eq(taxRecords.id, id)).get()?.year).toBe(2021);
  });
});

it('opens one more year, in whose favour the oldest of six is closed', () => {
  expect(withOpenYear([2025], 2026)).toEqual([2026, 2025]);
  expect(withOpenYear([2026, 2025], 2026)).toEqual([2026, 2025]);
  expect(withOpenYear([2025, 2024, 2023, 2022, 2021, 2020], 2026)).toEqual([2026, 2025, 2024, 2023, 2022, 2021]);
  const years = fc.uniqueArray(fc.integer({ min: 2020, max: 2030 }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(years, fc.integer({ min: 2020, max: 2030 }), (open, year) => {
      const after = withOpenYear(open, year);
      expect(after).toContain(year);
      expect(after.length).toBe(Math.min(6, new Set([...open, year]).size));
      expect(after).toEqual(after.toSorted((a, b) => b - a));
    }),
  );
});
