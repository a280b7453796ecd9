import { argon2 } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import { hashPassword } from '#server/accounts/passwords.ts';
import { findAccountsOf } from '#server/accounts/recovery-queries.ts';
import { buildAdmin, buildTestUser, cheapHash } from '#server/testing/factories.ts';
import { queryPlans } from '#server/testing/query-plan.ts';
import { complete, makeCodeFor } from '#server/testing/recovery.ts';
import { changeUser } from '#server/testing/rows.ts';
import { buildWatchedApp, readWork as readWatchedWork } from '#server/testing/watched-work.ts';

vi.mock(import('node:crypto'), async (importOriginal) => {
  const crypto = await importOriginal();
  return { ...crypto, argon2: vi.fn(crypto.argon2) };
});

const readWork = (statements: string[]) => readWatchedWork(vi.mocked(argon2), statements);

it('answers a request for a known and an unknown identifier with the same bytes after the same work', async () => {
  const { test, statements } = await buildWatchedApp();
  const known = buildTestUser(test, { email: 'ada@contoh.id', phone: '+6281234567890', phoneSince: 0 });
  buildTestUser(test, { email: 'mati@contoh.id', isActive: false });
  const moved = buildTestUser(test, { email: 'lama@contoh.id', passwordHash: cheapHash('rahasia-1') });
  const body = { email: 'pindah@contoh.id', current_password: 'rahasia-1' };
  expect((await test.call('PUT', '/api/auth/user', { token: moved.token, body })).status).toBe(200);
  const ask = async (identifier: string) => {
    readWork(statements);
    const answer = await test.call('POST', '/api/auth/recovery', { body: { identifier } });
    return { status: answer.status, bytes: answer.raw.toString(), work: readWork(statements) };
  };
  // The first of each kind inserts its row, the next ones find it.
  for (const identifier of [known.email, 'lama@contoh.id', 'tidak-ada@contoh.id']) await ask(identifier);
  const answers: unknown[] = [];
  const identifiers = ['ada@contoh.id', 'lama@contoh.id', 'tidak-ada@contoh.id', 'mati@contoh.id', '???', 'K7M2-9QXA'];
  for (const identifier of identifiers) answers.push(await ask(identifier));
  const [first] = answers;
  expect(first).toMatchObject({ status: 200, work: { hashes: [] } });
  expect(answers).toEqual(answers.map(() => first));
  const phones = [await ask('081234567890'), await ask('081200000000')];
  expect(phones[1]).toEqual(phones[0]);
});

it('checks one hash of the same cost for every code, and does the same work for one that is wrong, ended or unknown', async () => {
  const { test, statements } = await buildWatchedApp();
  const ratna = buildAdmin(test, { passwordHash: await hashPassword('rahasia-admin') });
  const codes: string[] = [];
  for (let round = 0; round < 2; round += 1) codes.push(await makeCodeFor(test, ratna, buildTestUser(test).id));
  const ended = buildTestUser(test);
  const endedCode = await makeCodeFor(test, ratna, ended.id);
  changeUser(test, ended.id, { isActive: false });
  // Its beginning is that of an open one, and the rest is not.
  const near = `${codes[0]?.slice(0, 2)}22-2222`;
  const attempt = async (code: string, address: string) => {
    await complete(test, 'AAAA-AAAA', address);
    readWork(statements);
    const answer = await complete(test, code, address);
    return { answer, work: readWork(statements) };
  };
  const unknown = await attempt('2222-2222', '10.0.3.1');
  expect(unknown.answer.status).toBe(422);
  expect(unknown.work.hashes).toHaveLength(1);
  expect(await attempt(near, '10.0.3.2')).toEqual(unknown);
  expect(await attempt(endedCode, '10.0.3.3')).toEqual(unknown);
  expect(await attempt('', '10.0.3.4')).toEqual(unknown);
});

it('finds the accounts of an identifier without reading a whole table', async () => {
  const { test } = await buildWatchedApp();
  const plans = await queryPlans(test, async (orm) => {
    for (const kind of ['email', 'phone'] as const) await findAccountsOf(orm, { kind, value: 'x' }, 0, 'x');
  });
  expect(plans).toHaveLength(2);
  for (const plan of plans) expect(plan).not.toContain('SCAN');
});
