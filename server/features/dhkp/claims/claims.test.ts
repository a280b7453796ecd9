import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Claim } from '#shared/api/dhkp/claims.ts';
import { uploadFile } from '#server/testing/chat/attachments.ts';
import { cellsOf, nopOf, objectsFrom } from '#server/testing/dhkp.ts';
import { buildAdmin, buildTestUser, type SignedInUser } from '#server/testing/factories.ts';
import { buildLinkApp } from '#server/testing/linked-objects.ts';
import { ranStatements } from '#server/testing/query-plan.ts';
import { openTab } from '#server/testing/sockets.ts';
import type { Answer, TestApp } from '#server/testing/test-app.ts';
import { itOnSqlite } from '#server/testing/on-sqlite.ts';

const NOP = nopOf(1);
const SENT = { success: true, message: 'Permintaan dikirim ke kantor.', data: null };

async function buildClaimApp(overrides: Parameters<typeof buildLinkApp>[0] = {}) {
  const app = await buildLinkApp(overrides);
  const { asUser, asAdmin, admin } = app;
  const claim = (nop: unknown, others: object = {}, by?: SignedInUser) =>
    asUser('POST', '/tax-records/claims', { nop, ...others }, by);
  const ownClaims = async (by?: SignedInUser) =>
    ((await asUser('GET', '/tax-records/claims', undefined, by)).body.data as { data: { id: string }[] }).data;
  const claims = async (state = 'open'): Promise<Claim[]> =>
    ((await asAdmin('GET', `/admin/claims?state=${state}`)).body.data as { data: Claim[] }).data;
  async function onlyClaim(): Promise<Claim> {
    const [one] = await claims();
    if (!one) throw new Error('no claim');
    return one;
  }
  const approve = ({ id, updated_at }: Claim, assessmentId = '', by = admin) =>
    asUser('POST', `/admin/claims/${id}/approve`, { assessment_id: assessmentId, updated_at }, by);
  const reject = ({ id }: Pick<Claim, 'id'>, reason: string, by = admin) =>
    asUser('POST', `/admin/claims/${id}/reject`, { reason }, by);
  return { ...app, claim, ownClaims, claims, onlyClaim, approve, reject };
}

/** Rows that the connection has changed so far, by triggers too. */
const countWritten = ({ database: { sqlite } }: TestApp): number =>
  Number(sqlite.prepare('select total_changes()').pluck().get());

const open = { timeZone: 'Asia/Jakarta', corsOrigins: [], trustedProxies: null };

describe('a request to link an object', () => {
  it('comes into the lists of its user and of admins', async () => {
    const { user, importList, claim, ownClaims, claims } = await buildClaimApp();
    await importList([cellsOf(1)], 2025);
    await importList([cellsOf(1)], 2026);
    expect(await claim('35.15.180.012.001-0001.0', { note: ' Rumah ibu saya ' })).toMatchObject({
      status: 201,
      body: SENT,
    });
    expect(await ownClaims()).toEqual([
      {
        id: expect.any(String),
        _id: expect.any(String),
        nop: NOP,
        state: 'open',
        reason: null,
        created_at: '2026-06-10T05:00:00.000Z',
        createdAt: '2026-06-10T05:00:00.000Z',
        updated_at: '2026-06-10T05:00:00.000Z',
        updatedAt: '2026-06-10T05:00:00.000Z',
      },
    ]);
    expect(await claims()).toMatchObject([
      {
        nop: NOP,
        nop_text: '35.15.180.012.001-0001.0',
        user: { id: user.id, name: 'Budi Santoso', email: user.email },
        note: 'Rumah ibu saya',
        attachment: null,
        state: 'open',
        answered_by: null,
        assessments: [
          { nop: NOP, year: 2026 },
          { nop: NOP, year: 2025 },
        ],
      },
    ]);
    expect(await claims('approved')).toEqual([]);
    expect(await claims('others')).toEqual([]);
  });

  it('answers 200 with the same body and stores nothing while the same NOP waits', async () => {
    const { claim, ownClaims } = await buildClaimApp();
    const first = await claim(NOP);
    const second = await claim(` ${NOP} `, { note: 'lagi' });
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.body).toEqual(first.body);
    expect(await ownClaims()).toHaveLength(1);
  });

  itOnSqlite(
    'costs equal work and gets equal bytes whether the list has the NOP, lacks it, or an account has it',
    async () => {
      const { test, importList, linked, claim } = await buildClaimApp();
      await importList(objectsFrom(10));
      await linked(nopOf(1), buildTestUser(test));
      // The first request makes what later ones find.
      const asked = { first: 5000, listed: 10, unlisted: 5001, ofAnother: 1, own: 6 };
      const claimers = Object.keys(asked).map(() => buildTestUser(test));
      for (const [index, claimer] of claimers.entries()) await linked(nopOf(index + 2), claimer);
      // Work that is done later for several messages together would fall on one of them.
      await test.pushes.settled();
      vi.useFakeTimers({ toFake: ['setTimeout'] });
      onTestFinished(() => void vi.useRealTimers());
      const costs = [];
      for (const [index, number] of Object.values(asked).entries()) {
        const writtenBefore = countWritten(test);
        const answers: Answer[] = [];
        const statements = await ranStatements(test, async () => {
          answers.push(await claim(nopOf(number), {}, claimers[index]));
          await test.pushes.settled();
        });
        const rowsWritten = countWritten(test) - writtenBefore;
        const bytes = answers.map(({ status, headers, raw }) => [status, headers['content-length'], raw.toString()]);
        costs.push({ statements, rowsWritten, bytes });
      }
      const [, listed, ...others] = costs;
      expect(listed).toMatchObject({ rowsWritten: 3, bytes: [[201, '70', JSON.stringify(SENT)]] });
      expect(listed?.statements.length).toBeGreaterThan(5);
      expect(others).toEqual(others.map(() => listed));
    },
  );

  it('refuses a number that has no 18 digits, an admin, and a caller without a session', async () => {
    const { test, admin, claim } = await buildClaimApp();
    for (const nop of ['123', `${NOP}1`, '', null, 35, 'NOP saya']) {
      expect(await claim(nop)).toMatchObject({ status: 422, body: { message: 'NOP harus 18 angka' } });
    }
    expect((await claim(NOP, {}, admin)).status).toBe(403);
    expect((await test.call('POST', '/api/tax-records/claims', { body: { nop: NOP } })).status).toBe(401);
  });

  it('refuses the eleventh open one, and takes another after a withdrawal', async () => {
    const { claim, ownClaims, asUser } = await buildClaimApp();
    for (let number = 1; number <= 10; number += 1) expect((await claim(nopOf(number))).status).toBe(201);
    expect(await claim(nopOf(11))).toMatchObject({
      status: 422,
      body: { message: 'Masih ada 10 permintaan yang belum dijawab' },
    });
    expect((await claim(nopOf(3))).status).toBe(200);
    const [newest] = await ownClaims();
    expect((await asUser('DELETE', `/tax-records/claims/${newest?.id}`)).status).toBe(200);
    expect((await claim(nopOf(11))).status).toBe(201);
  });

  it('counts withdrawn ones for the 20 of a day, unless rate limits are off', async () => {
    for (const rateLimits of [true, false]) {
      const { test, claim, ownClaims, asUser } = await buildClaimApp({ settings: { ...open, rateLimits } });
      for (let number = 1; number <= 20; number += 1) {
        expect((await claim(nopOf(number))).status).toBe(201);
        const [newest] = await ownClaims();
        await asUser('DELETE', `/tax-records/claims/${newest?.id}`);
      }
      expect((await claim(nopOf(21))).status).toBe(rateLimits ? 429 : 201);
      test.clock.advance(24 * 60 * 60 * 1000);
      expect((await claim(nopOf(22))).status).toBe(201);
    }
  });

  it('ends when its user, and nobody else, withdraws it', async () => {
    const { test, claim, onlyClaim, asUser, reject } = await buildClaimApp();
    await claim(NOP);
    const { id } = await onlyClaim();
    const missing = { status: 404, body: { message: 'Permintaan tidak ditemukan' } };
    expect(await asUser('DELETE', `/tax-records/claims/${id}`, undefined, buildTestUser(test))).toMatchObject(missing);
    await reject({ id }, 'Bukan objek Anda');
    expect(await asUser('DELETE', `/tax-records/claims/${id}`)).toMatchObject({
      status: 409,
      body: { message: 'Permintaan ini sudah dijawab Ibu Ratna' },
    });
  });

  it('writes a notice into the conversation and changes nothing about who waits', async () => {
    const { test, user, claim, reject, onlyClaim, asAdmin } = await buildClaimApp();
    const photo = await uploadFile(test, user);
    expect((await claim(NOP, { note: 'Ini SPPT-nya', attachment_id: photo.id })).status).toBe(201);
    const { attachment, id } = await onlyClaim();
    expect(attachment).toMatchObject({ id: photo.id, name: 'bukti.png' });
    await reject({ id }, 'NOP milik orang lain');
    const { body: messages } = await asAdmin('GET', `/messages/conversation/${user.id}`);
    expect(JSON.stringify(messages)).toContain('Permintaan data dari daftar kantor: NOP 35.15.180.012.001-0001.0');
    expect(JSON.stringify(messages)).toContain(
      'Permintaan NOP 35.15.180.012.001-0001.0 ditolak kantor: NOP milik orang lain',
    );
    const waiting = test.database.sqlite.prepare('select unanswered_since from conversations').all();
    expect(waiting.every((row) => Object.values(row as object).every((value) => value === null))).toBe(true);
    expect((await asAdmin('GET', '/admin/claims')).status).toBe(200);
  });

  it('refuses a file that is gone or of somebody else, and stores nothing', async () => {
    const { test, claim, ownClaims } = await buildClaimApp();
    const photo = await uploadFile(test, buildTestUser(test));
    for (const attachmentId of [photo.id, 'unknown']) {
      expect((await claim(NOP, { attachment_id: attachmentId })).status).toBe(404);
    }
    expect(await ownClaims()).toEqual([]);
  });

  it('sends an event to its user and to admins alone', async () => {
    const { test, user, admin, claim, onlyClaim, reject } = await buildClaimApp();
    const [own, office] = [await openTab(test, user), await openTab(test, admin)];
    const stranger = await openTab(test, buildTestUser(test));
    await claim(NOP);
    const { id } = await onlyClaim();
    await reject({ id }, 'Bukan objek Anda');
    for (const tab of [own, office]) {
      expect(await tab.next('claim:changed')).toEqual({ id, user_id: user.id, state: 'open' });
      expect(await tab.next('claim:changed')).toEqual({ id, user_id: user.id, state: 'rejected' });
    }
    expect(stranger.payloadsOf('claim:changed')).toEqual([]);
  });
});

describe('the answer of the office', () => {
  it('links the object when a request is approved', async () => {
    const { user, importList, assessmentOf, claim, onlyClaim, approve, ownClaims, recordsOf, asAdmin } =
      await buildClaimApp();
    await importList([cellsOf(1)]);
    await claim(NOP);
    const { id } = await assessmentOf(NOP);
    const one = await onlyClaim();
    const { body } = await approve(one, id);
    expect(body.data).toMatchObject({
      state: 'approved',
      answered_by: 'Ibu Ratna',
      assessments: [{ account: { id: user.id } }],
    });
    expect(await ownClaims()).toMatchObject([{ state: 'approved', reason: null }]);
    expect(await recordsOf()).toMatchObject([{ amount: 45_001, assessment: { id } }]);
    expect(await approve(one, id)).toMatchObject({
      status: 409,
      body: { message: 'Permintaan ini sudah dijawab Ibu Ratna' },
    });
    const { data } = (await asAdmin('GET', `/admin/dhkp/${id}`)).body as { data: { claims: unknown[] } };
    expect(data.claims).toMatchObject([{ user: { id: user.id }, state: 'approved', answered_by: 'Ibu Ratna' }]);
    const audit = JSON.stringify((await asAdmin('GET', '/admin/audit')).body);
    expect(audit).toContain('claim.approved');
    expect(audit).toContain('dhkp.linked');
  });

  it('lets one of 50 approvals at once win', async () => {
    const { test, importList, assessmentOf, claim, onlyClaim, approve } = await buildClaimApp();
    await importList([cellsOf(1)]);
    await claim(NOP);
    const { id } = await assessmentOf(NOP);
    const one = await onlyClaim();
    const admins = Array.from({ length: 50 }, () => buildAdmin(test));
    const answers = await Promise.all(admins.map((by) => approve(one, id, by)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(49);
    expect(test.database.sqlite.prepare('select 1 from tax_records').all()).toHaveLength(1);
  });

  it('lets one of 50 approvals and links at once win, and makes one record in all', async () => {
    const { test, importList, assessmentOf, claim, claims, approve, link } = await buildClaimApp();
    await importList([cellsOf(1)]);
    const { id } = await assessmentOf(NOP);
    const users = Array.from({ length: 25 }, () => buildTestUser(test));
    for (const user of users) await claim(NOP, {}, user);
    const waiting = await claims();
    expect(waiting).toHaveLength(25);
    const calls = [
      ...waiting.map(async (one) => ({ owner: one.user.id, answer: await approve(one, id) })),
      ...users.map(async (owner) => ({ owner: owner.id, answer: await link(id, owner) })),
    ];
    const answered = (await Promise.all(calls)).filter(({ answer }) => answer.status === 200);
    // The request of an account that was linked before it may be approved too.
    const owners = new Set(answered.map(({ owner }) => owner));
    expect(owners.size).toBe(1);
    expect(test.database.sqlite.prepare('select user_id from tax_records').pluck().all()).toEqual([...owners]);
    expect(test.database.sqlite.prepare('select user_id from objects').pluck().all()).toEqual([...owners]);
  });

  it('needs the object of the request, a request that is as it was read, and an object without another account', async () => {
    const { test, importList, assessmentOf, claim, onlyClaim, approve, linked } = await buildClaimApp();
    await importList([cellsOf(1), cellsOf(2)]);
    await claim(NOP);
    const one = await onlyClaim();
    expect((await approve(one, 'unknown')).status).toBe(404);
    expect(await approve(one, (await assessmentOf(nopOf(2))).id)).toMatchObject({
      status: 422,
      body: { message: 'Objek itu tidak sesuai dengan NOP permintaan' },
    });
    const { id } = await assessmentOf(NOP);
    expect((await approve({ ...one, updated_at: '2026-01-01T00:00:00.000Z' }, id)).status).toBe(409);
    await linked(NOP, buildTestUser(test, { name: 'Siti Aminah' }));
    expect(await approve(one, id)).toMatchObject({
      status: 409,
      body: { message: 'Objek ini sudah terhubung dengan Siti Aminah' },
    });
    expect(await onlyClaim()).toMatchObject({ state: 'open' });
  });

  it('approves a request for an object that the account has already', async () => {
    const { importList, assessmentOf, claim, onlyClaim, approve, linked, recordsOf } = await buildClaimApp();
    await importList([cellsOf(1)]);
    await claim(NOP);
    await linked(NOP);
    expect((await approve(await onlyClaim(), (await assessmentOf(NOP)).id)).status).toBe(200);
    expect(await recordsOf()).toHaveLength(1);
  });

  it('needs a reason of 3 to 500 characters to reject, and is for admins alone', async () => {
    const { test, user, claim, onlyClaim, approve, reject } = await buildClaimApp();
    await claim(NOP);
    const one = await onlyClaim();
    for (const reason of ['', ' ab ', 'a'.repeat(501)]) {
      expect(await reject(one, reason)).toMatchObject({
        status: 422,
        body: { message: 'Alasan harus 3 sampai 500 karakter' },
      });
    }
    expect((await reject(one, 'Bukan', user)).status).toBe(403);
    expect((await approve(one, 'x', user)).status).toBe(403);
    expect((await test.call('GET', '/api/admin/claims', { token: user.token })).status).toBe(403);
    expect((await test.call('GET', '/api/admin/claims')).status).toBe(401);
    expect((await reject({ id: 'unknown' }, 'Bukan')).status).toBe(404);
  });
});
