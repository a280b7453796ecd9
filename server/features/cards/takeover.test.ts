import { describe, expect, it } from 'vitest';
import { activate, askForCard, enter, giveCard, makeCardFor, OTHER_PIN, PIN } from '#server/testing/cards.ts';
import { buildAdmin, buildTestUser, cheapHash } from '#server/testing/factories.ts';
import { buildTestApp } from '#server/testing/test-app.ts';

/** Attempts to take over an account by a card; each fails, or leaves lines that the attacker cannot remove. */

async function buildVillage() {
  const test = await buildTestApp();
  const budi = buildTestUser(test, { name: 'Budi', email: 'budi@contoh.id', passwordHash: cheapHash('rahasia-1') });
  return { test, clerk: buildAdmin(test, { name: 'Joko' }), budi };
}

describe('a malicious clerk who makes a card for an account with an e-mail address', () => {
  it('gets in, and its owner reads of it at the next entry and in the own log, which the clerk cannot clear', async () => {
    const { test, clerk, budi } = await buildVillage();
    const stolen = await giveCard(test, clerk, budi.id);
    const [line] = (await test.call('GET', '/api/auth/notices', { token: stolen.token })).body.data as { id: string }[];
    expect(line).toMatchObject({ kind: 'card.made' });
    await test.call('POST', `/api/auth/notices/${line?.id}/seen`, { token: stolen.token });
    const log = await test.call('GET', '/api/auth/security-log', { token: budi.token });
    expect((log.body.data as { event: string }[]).map(({ event }) => event)).toEqual(['card.activated', 'card.made']);
    const sessions = await test.call('GET', '/api/auth/sessions', { token: budi.token });
    expect((sessions.body.data as { data: { entry: string }[] }).data.map(({ entry }) => entry)).toContain('card');
  });

  it('does not get further than in: neither address, number nor password is taken with the PIN', async () => {
    const { test, clerk, budi } = await buildVillage();
    const { token } = await giveCard(test, clerk, budi.id);
    const fresh = { password: 'rahasia-joko', password_confirmation: 'rahasia-joko' };
    for (const [path, body] of [
      ['user', { email: 'joko@contoh.id', pin: PIN }],
      ['user', { phone: '0812-3456-7890', pin: PIN }],
      ['password', { ...fresh, pin: PIN }],
      ['password', { ...fresh, current_password: PIN }],
    ] as const) {
      const answer = await test.call('PUT', `/api/auth/${path}`, { token, body });
      expect([answer.status, Object.keys(answer.body.errors ?? {})], path).toEqual([422, ['current_password']]);
    }
    const login = { body: { email: 'budi@contoh.id', password: 'rahasia-1' } };
    expect((await test.call('POST', '/api/auth/login', login)).status).toBe(200);
  });

  it('makes none for an administrator', async () => {
    const { test, clerk } = await buildVillage();
    const dewi = buildAdmin(test, { name: 'Dewi' });
    for (const id of [dewi.id, clerk.id]) expect((await askForCard(test, clerk, id)).status).toBe(409);
  });
});

describe('a neighbour who knows the number of the account and the bill', () => {
  it('gets the answer of unknown codes for whatever is not the card', async () => {
    const { test, clerk, budi } = await buildVillage();
    const card = await makeCardFor(test, clerk, budi.id);
    const unknown = await enter(test, { code: 'AAAA-AAAA' });
    for (const code of ['48217735', budi.id, budi.email, '337401000100200010', card.activation])
      expect((await enter(test, { code })).raw).toBe(unknown.raw);
    // Also with the card that was printed and not activated yet.
    expect((await enter(test, card)).raw).toBe(unknown.raw);
    expect((await activate(test, { ...card, activation: '22222-22222' })).raw).toBe(unknown.raw);
  });
});

it('one who has the card of another person and not its PIN opens nothing with the own device token', async () => {
  const { test, clerk, budi } = await buildVillage();
  const [mine, theirs] = [await giveCard(test, clerk, buildTestUser(test).id), await giveCard(test, clerk, budi.id)];
  const answer = await enter(test, { code: theirs.code, pin: OTHER_PIN, device_token: mine.deviceToken });
  expect(answer.status).toBe(401);
});
