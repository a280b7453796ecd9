import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { QuickReply } from '#shared/api/quick-replies.ts';
import { RECORD_STATUSES } from '#shared/domain/tax-records/record-values.ts';
import { buildAdmin, buildRecord, buildTestUser, type SignedInUser, type UserRow } from '#server/testing/factories.ts';
import { buildTestApp } from '#server/testing/test-app.ts';

type Filled = { text: string; missing: string[] };

async function buildAppWithUser(user: Partial<UserRow> = {}) {
  const test = await buildTestApp();
  const admin = buildAdmin(test);
  const budi = buildTestUser(test, { name: 'Budi Santoso', ...user });
  let count = 0;
  async function fill(content: string, target: SignedInUser = budi): Promise<Filled> {
    count += 1;
    const { token } = admin;
    const body = { shortcut: `r${count}`, title: 'Judul', content };
    const created = await test.call('POST', '/api/admin/quick-replies', { token, body });
    const { id } = created.body.data as QuickReply;
    const url = `/api/admin/quick-replies/${id}/fill`;
    const answer = await test.call('POST', url, { token, body: { user_id: target.id } });
    expect(answer.status).toBe(200);
    return answer.body.data;
  }
  return { test, admin, budi, fill };
}

describe('a filled quick reply', () => {
  it('contains the names of the user and of the admin who asks', async () => {
    const { fill } = await buildAppWithUser();
    expect(await fill('Halo {nama_depan} ({nama}), saya {admin}.')).toEqual({
      text: 'Halo Budi (Budi Santoso), saya Ibu Ratna.',
      missing: [],
    });
  });

  it('never exceeds the length of a message: a value that does not fit stays a variable and is missing', async () => {
    const { test, budi, fill } = await buildAppWithUser({ name: '😀'.repeat(200) });
    for (let index = 0; index < 40; index += 1)
      buildRecord(test, budi.id, { dueDate: '2026-01-31', sptNumber: `A-${index}` });
    const many = '{daftar_tunggakan}'.repeat(105);
    expect(await fill(many)).toEqual({ text: many, missing: ['daftar_tunggakan'] });
    expect(await fill('{daftar_tunggakan} untuk {admin}')).toEqual({
      text: '{daftar_tunggakan} untuk Ibu Ratna',
      missing: ['daftar_tunggakan'],
    });
    // A character of two units counts once, as in a message.
    const { text, missing } = await fill('{nama}.'.repeat(12));
    expect([Array.from(text).length, missing]).toEqual([9 * 201 + 3 * 7, ['nama']]);
  });

  it('contains what is overdue on this day in the time zone of the server, by the one rule', async () => {
    const { test, budi, fill } = await buildAppWithUser();
    // 2026-06-10 in Jakarta.
    const due = (dueDate: string | null, more: object = {}) =>
      buildRecord(test, budi.id, { year: 2026, dueDate, amountSen: 100_000_00, ...more });
    due('2026-06-09', { sptNumber: 'A-1', amountSen: 750_000_00 });
    due('2026-06-10', { sptNumber: 'A-2' });
    due('2026-09-30', { sptNumber: 'A-3' });
    due('2026-01-01', { sptNumber: 'A-4', status: 'lunas', paymentDate: '2026-01-01' });
    due(null, { sptNumber: 'A-5\nbaris', year: 2024, status: 'proses', amountSen: 500_000_00 });
    due(null, { sptNumber: 'A-6' });
    buildRecord(test, buildTestUser(test).id, { year: 2020, sptNumber: 'ORANG-LAIN' });
    expect(await fill('{jumlah_tunggakan}\n{daftar_tunggakan}\n{jatuh_tempo_terdekat}')).toEqual({
      text: [
        'Rp 1.250.000',
        '- PBB 2024, No. SPT A-5 baris: Rp 500.000',
        '- PBB 2026, No. SPT A-1: Rp 750.000, jatuh tempo 9 Juni 2026',
        '10 Juni 2026',
      ].join('\n'),
      missing: [],
    });
    test.clock.set('2026-06-10T17:00:00.000Z');
    expect((await fill('{jumlah_tunggakan} {jatuh_tempo_terdekat}')).text).toBe('Rp 1.350.000 30 September 2026');
  });

  it('lists what has no due date before the rest of its year', async () => {
    const { test, budi, fill } = await buildAppWithUser();
    for (const [sptNumber, dueDate] of [
      ['A-1', '2024-09-30'],
      ['A-2', null],
    ] as const)
      buildRecord(test, budi.id, { year: 2024, sptNumber, dueDate, amountSen: 100_000_00 });
    expect((await fill('{daftar_tunggakan}')).text).toBe(
      '- PBB 2024, No. SPT A-2: Rp 100.000\n- PBB 2024, No. SPT A-1: Rp 100.000, jatuh tempo 30 September 2024',
    );
  });

  it('says which amounts are estimates', async () => {
    const { test, budi, fill } = await buildAppWithUser();
    const overdue = { year: 2026, dueDate: '2026-06-09' };
    buildRecord(test, budi.id, { ...overdue, sptNumber: 'A-1', amountSen: 750_000_00 });
    buildRecord(test, budi.id, {
      ...overdue,
      sptNumber: '351518001200100340',
      amountSen: 110_000_00,
      amountSource: 'estimate',
    });
    expect((await fill('{jumlah_tunggakan}\n{daftar_tunggakan}')).text).toBe(
      [
        'Rp 860.000, termasuk perkiraan Rp 110.000 (1 data)',
        '- PBB 2026, No. SPT 35.15.180.012.001-0034.0: Rp 110.000 Perkiraan (naik 10 %), jatuh tempo 9 Juni 2026',
        '- PBB 2026, No. SPT A-1: Rp 750.000, jatuh tempo 9 Juni 2026',
      ].join('\n'),
    );
  });

  it('keeps what has no value and every prompt in the text, and names each once', async () => {
    const { fill } = await buildAppWithUser();
    const template =
      '{jumlah_tunggakan} {daftar_tunggakan} {jatuh_tempo_terdekat} {jam_layanan} {?nomor NOP} {?nomor NOP}';
    expect(await fill(template)).toEqual({
      text: 'Rp 0 {daftar_tunggakan} {jatuh_tempo_terdekat} {jam_layanan} {?nomor NOP} {?nomor NOP}',
      missing: ['daftar_tunggakan', 'jatuh_tempo_terdekat', 'jam_layanan', 'nomor NOP'],
    });
  });

  it('contains the opening hours once they are set', async () => {
    const { test, fill } = await buildAppWithUser();
    const days = [1, 2, 3, 4, 5, 6, 7].map((weekday) =>
      weekday < 6 ? { weekday, open: '08:00', close: '15:00' } : { weekday, open: null, close: null },
    );
    test.database.sqlite
      .prepare("insert into office_hours (id, days, holidays, updated_at) values (1, ?, '[]', 0)")
      .run(JSON.stringify(days));
    expect(await fill('{jam_layanan}')).toEqual({ text: 'Senin–Jumat 08.00–15.00, Sabtu–Minggu tutup', missing: [] });
  });

  it('never reads braces in a name', async () => {
    const { fill } = await buildAppWithUser({ name: '{admin} {?x}' });
    expect(await fill('{nama}')).toEqual({ text: '{admin} {?x}', missing: [] });
  });

  it('agrees with the statistics of the user for any records', async () => {
    const { test, admin, fill } = await buildAppWithUser();
    const record = fc.record({
      year: fc.integer({ min: 2020, max: 2030 }),
      status: fc.constantFrom(...RECORD_STATUSES),
      dueDate: fc.option(fc.constantFrom('2024-03-01', '2026-06-09', '2026-06-10', '2026-06-11', '2027-01-01')),
      amountSen: fc.integer({ min: 0, max: 99_999_999_999_900 }).map((sen) => sen - (sen % 100)),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(record, { maxLength: 15 }), async (records) => {
        const user = buildTestUser(test);
        for (const each of records) buildRecord(test, user.id, each);
        const url = `/api/admin/users/${user.id}/statistics`;
        const statistics = (await test.call('GET', url, { token: admin.token })).body.data as {
          outstanding_amount: number;
          outstanding_records: number;
        };
        const { text, missing } = await fill('{jumlah_tunggakan}\n{daftar_tunggakan}', user);
        const [sum = '', ...lines] = text.split('\n');
        expect(Number(sum.replaceAll(/\D/g, ''))).toBe(statistics.outstanding_amount);
        expect(missing.length === 0 ? lines.length : 0).toBe(statistics.outstanding_records);
      }),
      { numRuns: 40 },
    );
  });
});

describe('a fill for somebody who has no conversation', () => {
  it('answers 404 for an unknown user, 403 for an admin, 422 without one', async () => {
    const { test, admin } = await buildAppWithUser();
    const { token } = admin;
    const body = { shortcut: 'a', title: 'a', content: '{nama}' };
    const { id } = (await test.call('POST', '/api/admin/quick-replies', { token, body })).body.data as QuickReply;
    const fillFor = async (fillBody: unknown) =>
      (await test.call('POST', `/api/admin/quick-replies/${id}/fill`, { token, body: fillBody })).status;
    expect(await fillFor({ user_id: 'x' })).toBe(404);
    expect(await fillFor({ user_id: admin.id })).toBe(403);
    expect(await fillFor({})).toBe(422);
  });
});
