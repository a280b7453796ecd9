import { describe, expect, it } from 'vitest';
import { ranTexts } from '#server/testing/query-plan.ts';
import type { Office, OfficeHours } from '#shared/api/office/office.ts';
import { buildAdmin, buildTestUser } from '#server/testing/factories.ts';
import { buildTestApp, type TestApp } from '#server/testing/test-app.ts';
import { itOnSqlite } from '#server/testing/on-sqlite.ts';

const URL = '/api/admin/office-hours';

const week = (open: string | null, close: string | null, weekdays = [1, 2, 3, 4, 5]): OfficeHours['days'] =>
  [1, 2, 3, 4, 5, 6, 7].map((weekday) =>
    weekdays.includes(weekday) ? { weekday, open, close } : { weekday, open: null, close: null },
  );
const WORKDAYS: OfficeHours = { days: week('08:00', '15:00'), holidays: [], closed_today: false };

const save = (test: TestApp, token: string, body: unknown) => test.call('PUT', URL, { token, body });

async function readOffice(test: TestApp, token: string): Promise<Office> {
  const answer = await test.call('GET', '/api/office', { token });
  expect(answer.status).toBe(200);
  return answer.body.data;
}

describe('GET and PUT /admin/office-hours', () => {
  it.each(['GET', 'PUT'])(
    '%s answers 401 without a session and 403 to users, before it checks the body',
    async (method) => {
      const test = await buildTestApp();
      const body = method === 'PUT' ? { body: { days: 'x' } } : {};
      expect((await test.call(method, URL, body)).status).toBe(401);
      const answer = await test.call(method, URL, { token: buildTestUser(test).token, ...body });
      expect(answer).toMatchObject({ status: 403, body: { message: 'Anda tidak memiliki akses' } });
    },
  );

  it('show no hours before somebody set them', async () => {
    const test = await buildTestApp();
    const answer = await test.call('GET', URL, { token: buildAdmin(test).token });
    expect(answer.body.data).toEqual({ days: week(null, null), holidays: [], closed_today: false });
  });

  it('stores the hours as a whole, in the order of days and dates', async () => {
    const test = await buildTestApp();
    const { token } = buildAdmin(test);
    const hours = {
      days: WORKDAYS.days.toReversed(),
      holidays: [
        { date: '2026-08-17', name: ' Hari Kemerdekaan ' },
        { date: '2026-06-16', name: '' },
      ],
      closed_today: false,
    };
    const stored = {
      days: WORKDAYS.days,
      holidays: [
        { date: '2026-06-16', name: '' },
        { date: '2026-08-17', name: 'Hari Kemerdekaan' },
      ],
      closed_today: false,
    };
    expect(await save(test, token, hours)).toMatchObject({
      status: 200,
      body: { message: 'Jam layanan berhasil disimpan', data: stored },
    });
    expect((await test.call('GET', URL, { token })).body.data).toEqual(stored);
    expect((await save(test, token, WORKDAYS)).body.data).toEqual(WORKDAYS);
  });

  const withDay = (changed: object) => ({
    ...WORKDAYS,
    days: WORKDAYS.days.map((day) => (day.weekday === 3 ? { ...day, ...changed } : day)),
  });
  it.each([
    [
      'a close before the opening',
      withDay({ open: '15:00', close: '08:00' }),
      'Rabu: jam tutup harus setelah jam buka',
    ],
    ['a close at the opening', withDay({ open: '08:00', close: '08:00' }), 'Rabu: jam tutup harus setelah jam buka'],
    ['half a day', withDay({ open: null }), 'Rabu: isi jam buka dan jam tutup, atau kosongkan keduanya'],
    ['a time that does not exist', withDay({ close: '24:00' }), 'Jam harus berbentuk 08:00'],
    ['a time with a dot', withDay({ open: '08.00' }), 'Jam harus berbentuk 08:00'],
    ['six days', { ...WORKDAYS, days: WORKDAYS.days.slice(1) }, 'Isi ketujuh hari, masing-masing satu kali'],
    ['a day twice', withDay({ weekday: 4 }), 'Isi ketujuh hari, masing-masing satu kali'],
    ['an eighth day', withDay({ weekday: 8 }), undefined],
    [
      'a date that does not exist',
      { ...WORKDAYS, holidays: [{ date: '2026-02-30', name: 'X' }] },
      'Tanggal hari libur tidak valid',
    ],
    [
      'a date twice',
      {
        ...WORKDAYS,
        holidays: [
          { date: '2026-08-17', name: 'A' },
          { date: '2026-08-17', name: 'B' },
        ],
      },
      'Hari libur 2026-08-17 tercantum dua kali',
    ],
    [
      'a long name',
      { ...WORKDAYS, holidays: [{ date: '2026-08-17', name: 'a'.repeat(101) }] },
      'Nama hari libur maksimal 100 karakter',
    ],
    ['no flag', { days: WORKDAYS.days, holidays: [] }, 'Pilihan harus ya atau tidak'],
  ])('refuses %s', async (_name, body, message) => {
    const test = await buildTestApp();
    const { token } = buildAdmin(test);
    const answer = await save(test, token, body);
    expect(answer.status).toBe(422);
    if (message !== undefined) expect(answer.body.message).toBe(message);
    expect((await test.call('GET', URL, { token })).body.data).toMatchObject({ days: week(null, null) });
  });

  it('writes every changed day, holiday and flag to the audit, and nothing when nothing changed', async () => {
    const test = await buildTestApp();
    const admin = buildAdmin(test);
    await save(test, admin.token, { ...WORKDAYS, holidays: [{ date: '2026-08-17', name: 'Kemerdekaan' }] });
    await save(test, admin.token, { ...WORKDAYS, holidays: [{ date: '2026-08-17', name: 'Kemerdekaan' }] });
    const days = WORKDAYS.days.map((day) => (day.weekday === 5 ? { ...day, close: '11:30' } : day));
    await save(test, admin.token, { days, holidays: [{ date: '2026-12-25', name: '' }], closed_today: true });
    const { data } = (await test.call('GET', '/api/admin/audit?action=office.updated', { token: admin.token })).body
      .data as { data: { subject: object; actor: object; changes: object[] }[] };
    expect(data).toHaveLength(2);
    expect(data[0]).toMatchObject({
      subject: { id: 'office', label: 'jam layanan' },
      actor: { name: 'Ibu Ratna' },
      changes: [
        { field: 'closed_today', from: false, to: true },
        { field: 'day:5', from: '08.00–15.00', to: '08.00–11.30' },
        { field: 'holiday:2026-08-17', from: 'Kemerdekaan', to: null },
        { field: 'holiday:2026-12-25', from: null, to: 'libur' },
      ],
    });
    expect(data[1]?.changes).toContainEqual({ field: 'day:1', from: null, to: '08.00–15.00' });
    expect(data[1]?.changes).toContainEqual({ field: 'day:7', from: null, to: 'tutup' });
  });
});

describe('GET /office', () => {
  it('answers 401 without a session', async () => {
    const test = await buildTestApp();
    expect((await test.call('GET', '/api/office')).status).toBe(401);
  });

  it('promises nothing before somebody set hours', async () => {
    const test = await buildTestApp();
    const office = {
      open: true,
      until: null,
      opens_at: null,
      median_ms: null,
      ahead: null,
      user_years: [2025],
      admin_online: false,
      few_waiting: true,
    };
    expect(await readOffice(test, buildTestUser(test).token)).toEqual(office);
    expect(await readOffice(test, buildAdmin(test).token)).toEqual(office);
  });

  it('says until when the office is open, and when it opens next', async () => {
    const test = await buildTestApp();
    const [admin, budi] = [buildAdmin(test), buildTestUser(test)];
    await save(test, admin.token, { ...WORKDAYS, holidays: [{ date: '2026-06-11', name: 'Libur' }] });
    expect(await readOffice(test, budi.token)).toMatchObject({
      open: true,
      until: '2026-06-10T08:00:00.000Z',
      opens_at: null,
    });
    test.clock.set('2026-06-10T08:00:00Z');
    expect(await readOffice(test, budi.token)).toMatchObject({
      open: false,
      until: null,
      opens_at: '2026-06-12T01:00:00.000Z',
    });
  });

  it('says closed for the rest of a day that an admin closed early, until the admin opens it again', async () => {
    const test = await buildTestApp();
    const [admin, budi] = [buildAdmin(test), buildTestUser(test)];
    await save(test, admin.token, { ...WORKDAYS, closed_today: true });
    expect(await readOffice(test, budi.token)).toMatchObject({ open: false, opens_at: '2026-06-11T01:00:00.000Z' });
    await save(test, admin.token, WORKDAYS);
    expect(await readOffice(test, budi.token)).toMatchObject({ open: true });
    await save(test, admin.token, { ...WORKDAYS, closed_today: true });
    test.clock.set('2026-06-11T03:00:00Z');
    expect(await readOffice(test, budi.token)).toMatchObject({ open: true });
    expect((await test.call('GET', URL, { token: admin.token })).body.data).toMatchObject({ closed_today: false });
  });

  it('never opens when no day has hours', async () => {
    const test = await buildTestApp();
    const [admin, budi] = [buildAdmin(test), buildTestUser(test)];
    await save(test, admin.token, { ...WORKDAYS, days: week(null, null) });
    expect(await readOffice(test, budi.token)).toMatchObject({ open: false, until: null, opens_at: null });
  });
});

describe('GET /office/public', () => {
  const PUBLIC = '/api/office/public';
  const read = (test: TestApp, address?: string) =>
    test.call('GET', PUBLIC, address === undefined ? {} : { headers: { 'x-forwarded-for': address } });

  it('answers everybody without a session, and promises nothing before somebody set hours', async () => {
    const test = await buildTestApp();
    const answer = await read(test);
    expect(answer).toMatchObject({ status: 200, headers: { 'cache-control': 'public, max-age=60' } });
    expect(answer.body.data).toEqual({ open: true, until: null, opens_at: null, days: null });
  });

  it('shows the week and the state of the office, and neither names of holidays nor people', async () => {
    const test = await buildTestApp();
    const admin = buildAdmin(test);
    await save(test, admin.token, { ...WORKDAYS, holidays: [{ date: '2026-06-11', name: 'Hajatan Bu Sri' }] });
    const open = await read(test);
    expect(open.body.data).toEqual({
      open: true,
      until: '2026-06-10T08:00:00.000Z',
      opens_at: null,
      days: WORKDAYS.days,
    });
    await save(test, admin.token, {
      ...WORKDAYS,
      holidays: [{ date: '2026-06-11', name: 'Hajatan Bu Sri' }],
      closed_today: true,
    });
    const closed = await read(test);
    expect(closed.body.data).toMatchObject({ open: false, until: null, opens_at: '2026-06-12T01:00:00.000Z' });
    for (const { raw } of [open, closed]) expect(raw.toString()).not.toMatch(/Hajatan|Ratna/);
  });

  itOnSqlite('computes its answer anew every 15 seconds, and answers one address 60 times a minute', async () => {
    const test = await buildTestApp();
    await save(test, buildAdmin(test).token, WORKDAYS);
    const texts = await ranTexts(test, async () => {
      for (let attempt = 0; attempt < 60; attempt += 1) expect((await read(test)).status).toBe(200);
    });
    expect(texts.filter((text) => text.includes('office_hours'))).toHaveLength(1);
    const refused = await read(test);
    expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '60' } });
    expect(refused.body.message).toBe('Terlalu banyak percobaan. Coba lagi dalam 60 detik.');
    test.clock.advance(60_000);
    expect((await read(test)).status).toBe(200);
    test.clock.set('2026-06-10T08:00:00Z');
    expect((await read(test)).body.data).toMatchObject({ open: false });
  });

  it('still answers another address', async () => {
    const test = await buildTestApp({
      settings: { timeZone: 'Asia/Jakarta', corsOrigins: [], trustedProxies: [], rateLimits: true },
    });
    for (let attempt = 0; attempt < 61; attempt += 1) await read(test, '203.0.113.7');
    expect((await read(test, '203.0.113.7')).status).toBe(429);
    expect((await read(test, '203.0.113.8')).status).toBe(200);
  });
});
