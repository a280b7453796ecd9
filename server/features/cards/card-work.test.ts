import { argon2 } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import { activate, enter, giveCard, makeCardFor, OTHER_PIN, PIN } from '#server/testing/cards.ts';
import { buildAdmin, buildTestUser } from '#server/testing/factories.ts';
import { changeUser } from '#server/testing/rows.ts';
import { buildWatchedApp, readWork } from '#server/testing/watched-work.ts';

vi.mock(import('node:crypto'), async (importOriginal) => {
  const crypto = await importOriginal();
  return { ...crypto, argon2: vi.fn(crypto.argon2) };
});

it('answers a wrong PIN, an unknown code, a card without a PIN and one that ended with the same bytes after the same work', async () => {
  const { test, statements } = await buildWatchedApp();
  const ratna = buildAdmin(test);
  const users = [buildTestUser(test), buildTestUser(test), buildTestUser(test), buildTestUser(test)];
  const [known, ended, inactive, fresh] = [
    await giveCard(test, ratna, users[0]?.id ?? ''),
    await giveCard(test, ratna, users[1]?.id ?? ''),
    await giveCard(test, ratna, users[2]?.id ?? ''),
    await makeCardFor(test, ratna, users[3]?.id ?? ''),
  ];
  await makeCardFor(test, ratna, users[1]?.id ?? '');
  changeUser(test, users[2]?.id ?? '', { isActive: false });
  const attempt = async (code: string, pin: string, address: string) => {
    // The first of an address and of a code inserts its row, the next ones find it.
    await enter(test, { code, pin: OTHER_PIN }, address);
    readWork(vi.mocked(argon2), statements);
    const { status, raw } = await enter(test, { code, pin }, address);
    return { status, raw, work: readWork(vi.mocked(argon2), statements) };
  };
  const unknown = await attempt('AAAA-AAAA', PIN, '10.0.3.1');
  expect(unknown).toMatchObject({ status: 401, work: { hashes: [{ memory: 19_456 }] } });
  expect(await attempt(known.code, OTHER_PIN, '10.0.3.2')).toEqual(unknown);
  expect(await attempt(ended.code, PIN, '10.0.3.3')).toEqual(unknown);
  expect(await attempt(inactive.code, OTHER_PIN, '10.0.3.4')).toEqual(unknown);
  expect(await attempt(fresh.code, PIN, '10.0.3.5')).toEqual(unknown);
});

it('answers a wrong activation of a known card, a used one and an unknown code with the same bytes after the same work', async () => {
  const { test, statements } = await buildWatchedApp();
  const ratna = buildAdmin(test);
  const [fresh, used] = [
    await makeCardFor(test, ratna, buildTestUser(test).id),
    await giveCard(test, ratna, buildTestUser(test).id),
  ];
  const wrong = { code: 'AAAA-AAAA', activation: '22222-22222' };
  const attempt = async (card: { code: string; activation: string }, address: string) => {
    await activate(test, wrong, { address });
    readWork(vi.mocked(argon2), statements);
    const { status, raw } = await activate(test, card, { address });
    return { status, raw, work: readWork(vi.mocked(argon2), statements) };
  };
  const unknown = await attempt(wrong, '10.0.3.1');
  expect(unknown).toMatchObject({ status: 401, work: { hashes: [{ memory: 19_456 }] } });
  expect(await attempt({ ...fresh, activation: wrong.activation }, '10.0.3.2')).toEqual(unknown);
  expect(await attempt(used, '10.0.3.3')).toEqual(unknown);
});
