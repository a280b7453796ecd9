import { describe, expect, it } from 'vitest';
import type { OwnAccount } from '#shared/api/auth.ts';
import { legalVersions } from '#shared/legal-versions.ts';
import { buildAdmin, buildRecord, buildTestUser } from '#server/testing/factories.ts';
import { buildTestApp, type TestApp } from '#server/testing/test-app.ts';

const TERMS = { document: 'terms', version: legalVersions.terms };
const PRIVACY = { document: 'privacy', version: legalVersions.privacy };

const dueOf = async (test: TestApp, { token }: { token: string }) => {
  const { status, body } = await test.call('GET', '/api/auth/user', { token });
  expect(status).toBe(200);
  return (body.data as OwnAccount).consents_due;
};
const accept = (test: TestApp, { token }: { token: string }, body: unknown) =>
  test.call('POST', '/api/auth/consents', { token, body });
const stored = ({ database }: TestApp) =>
  database.sqlite.prepare('select document, version, at from consents order by document').all();

describe('consents', () => {
  it('a registration stores which texts were accepted, and when', async () => {
    const test = await buildTestApp();
    const password = 'rahasia-1';
    const body = { name: 'Budi', email: 'budi@contoh.id', password, password_confirmation: password };
    const { status, body: answer } = await test.call('POST', '/api/auth/register', { body });
    expect(status).toBe(201);
    const at = test.clock.now();
    expect(stored(test)).toEqual([
      { ...PRIVACY, at },
      { ...TERMS, at },
    ]);
    expect(await dueOf(test, answer.data as { token: string })).toEqual([]);
  });

  it('a registration stores no text that its page has not shown; it is asked for at the next visit', async () => {
    const test = await buildTestApp();
    const password = 'rahasia-1';
    const shown = [TERMS, { ...PRIVACY, version: '2020-01-01' }];
    const body = { name: 'Budi', email: 'b@contoh.id', password, password_confirmation: password, consents: shown };
    const { status, body: answer } = await test.call('POST', '/api/auth/register', { body });
    expect(status).toBe(201);
    expect(stored(test)).toEqual([{ ...TERMS, at: test.clock.now() }]);
    expect(await dueOf(test, answer.data as { token: string })).toEqual([PRIVACY]);
  });

  it('an account without them, as one of before or one that the office made, is asked once, and nothing waits for it', async () => {
    const test = await buildTestApp();
    const budi = buildTestUser(test);
    expect(await dueOf(test, budi)).toEqual([TERMS, PRIVACY]);
    const { id } = buildRecord(test, budi.id);
    const report = { status: 'lunas', payment_date: '2026-06-01' };
    expect((await test.call('PUT', `/api/tax-records/${id}`, { token: budi.token, body: report })).status).toBe(200);
    expect(await accept(test, budi, TERMS)).toMatchObject({ status: 200 });
    expect(await dueOf(test, budi)).toEqual([PRIVACY]);
    const first = stored(test);
    test.clock.advance(1000);
    expect((await accept(test, budi, TERMS)).status).toBe(200);
    expect(stored(test)).toEqual(first);
    await accept(test, budi, PRIVACY);
    expect(await dueOf(test, budi)).toEqual([]);
    const renamed = await test.call('PUT', '/api/auth/user', { token: budi.token, body: { name: 'Budi S.' } });
    expect(renamed.body.data).toMatchObject({ name: 'Budi S.', consents_due: [] });
  });

  it('a text that changed is due again', async () => {
    const test = await buildTestApp();
    const budi = buildTestUser(test);
    await accept(test, budi, TERMS);
    await accept(test, budi, PRIVACY);
    test.database.sqlite.exec("update consents set version = '2020-01-01' where document = 'privacy'");
    expect(await dueOf(test, budi)).toEqual([PRIVACY]);
  });

  it('no admin is asked, and nobody accepts for another account', async () => {
    const test = await buildTestApp();
    const [ratna, budi, wati] = [buildAdmin(test), buildTestUser(test), buildTestUser(test)];
    expect(await dueOf(test, ratna)).toEqual([]);
    await accept(test, budi, TERMS);
    expect(await dueOf(test, wati)).toEqual([TERMS, PRIVACY]);
    expect((await test.call('POST', '/api/auth/consents', { body: TERMS })).status).toBe(401);
  });

  it.each([
    [{ document: 'terms', version: '2020-01-01' }, 'Teks ini sudah diganti. Baca yang baru dulu.'],
    [{ document: 'terms' }, 'Teks ini sudah diganti. Baca yang baru dulu.'],
    [{ document: 'lain', version: TERMS.version }, 'Teks tidak dikenal'],
  ])('refuses %o with 422', async (body, message) => {
    const test = await buildTestApp();
    const budi = buildTestUser(test);
    expect(await accept(test, budi, body)).toMatchObject({ status: 422, body: { message } });
    expect(stored(test)).toEqual([]);
  });
});
