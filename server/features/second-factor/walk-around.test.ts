import { describe, expect, it } from 'vitest';
import { DAY_MS } from '#shared/durations.ts';
import { activate, askForCard, enter, giveCard, makeCardFor, PIN } from '#server/testing/cards.ts';
import { buildAdmin, buildTestUser, cheapHash, ownPassword } from '#server/testing/factories.ts';
import { askForCode, complete, makeCodeFor } from '#server/testing/recovery.ts';
import { changeUser, storedSessions } from '#server/testing/rows.ts';
import {
  codeOf,
  finish,
  giveFactor,
  login,
  removeFactor,
  ticketOf,
  USER_PASSWORD,
} from '#server/testing/second-factor.ts';
import { openTab } from '#server/testing/sockets.ts';
import { buildTestApp } from '#server/testing/test-app.ts';

/** Attempts to get around a second factor; each fails. */

async function buildOffice() {
  const test = await buildTestApp();
  const budi = buildTestUser(test, { name: 'Budi', email: 'budi@contoh.id', passwordHash: cheapHash(USER_PASSWORD) });
  const [joko, dewi] = [buildAdmin(test, { name: 'Joko' }), buildAdmin(test, { name: 'Dewi' })];
  return { test, joko, dewi, budi };
}

describe('every way in ends in the second step', () => {
  it('the password, a code of the office, the activation of a card and the card', async () => {
    const { test, joko, budi } = await buildOffice();
    const factor = await giveFactor(test, budi);
    const before = storedSessions(test).length;
    const card = await makeCardFor(test, joko, budi.id);
    const tickets = [
      ticketOf(await login(test, budi)),
      ticketOf(await activate(test, card)),
      ticketOf(await enter(test, card)),
    ];
    expect(storedSessions(test)).toHaveLength(before);
    const entries: string[] = [];
    for (const ticket of tickets) {
      test.clock.advance(60_000);
      const answer = await finish(test, ticket, codeOf(test, factor));
      expect(answer).toMatchObject({ status: 200 });
      entries.push(storedSessions(test).at(-1)?.entry ?? '');
    }
    expect(entries).toEqual(['password', 'card', 'card']);
    const { token } = (
      await finish(
        test,
        ticketOf(await complete(test, await makeCodeFor(test, joko, budi.id))),
        factor.spareCodes[0] ?? '',
      )
    ).body.data as { token: string };
    const sessions = await test.call('GET', '/api/auth/sessions', { token });
    expect(sessions.body.data).toMatchObject({ data: [{ entry: 'code', current: true }] });
  });

  it('a code of the office changes the password with the second step only', async () => {
    const { test, joko, budi } = await buildOffice();
    const factor = await giveFactor(test, budi);
    const tab = await openTab(test, budi);
    const code = await makeCodeFor(test, joko, budi.id);
    const ticket = ticketOf(await complete(test, code));
    expect((await complete(test, code)).status).toBe(422);
    expect((await test.call('GET', '/api/auth/user', { token: budi.token })).status).toBe(200);
    expect((await login(test, budi, 'rahasia-baru')).status).toBe(401);
    ticketOf(await login(test, budi));
    expect((await finish(test, ticket, codeOf(test, factor))).status).toBe(200);
    expect(await tab.ended()).toBe('io server disconnect');
    expect((await login(test, budi)).status).toBe(401);
    ticketOf(await login(test, budi, 'rahasia-baru'));
  });

  it.each([
    ['a new password', { passwordHash: cheapHash('rahasia-lain') }],
    ['a deactivation', { isActive: false }],
    ['a new role', { isAdmin: true }],
  ])('a ticket ends with %s', async (_what, change) => {
    const { test, budi } = await buildOffice();
    const factor = await giveFactor(test, budi);
    const ticket = ticketOf(await login(test, budi));
    changeUser(test, budi.id, change);
    changeUser(test, budi.id, { isActive: true });
    expect((await finish(test, ticket, codeOf(test, factor))).status).toBe(422);
  });

  it('the ticket of a card ends with the card', async () => {
    const { test, joko, budi } = await buildOffice();
    const factor = await giveFactor(test, budi);
    const ticket = ticketOf(await activate(test, await makeCardFor(test, joko, budi.id)));
    await test.call('DELETE', `/api/admin/users/${budi.id}/card`, { token: joko.token });
    expect((await finish(test, ticket, codeOf(test, factor))).status).toBe(422);
  });

  it('an old session of before the second factor ends', async () => {
    const { test, budi } = await buildOffice();
    const { token } = (await login(test, budi)).body.data as { token: string };
    await giveFactor(test, budi);
    expect((await test.call('GET', '/api/auth/user', { token })).status).toBe(401);
  });
});

describe('one clerk alone, who takes a factor away', () => {
  const removed = 'Kode kedua akun ini baru dihapus kantor. Minta kode atau kartu dari administrator lain.';

  it('comes in neither by a code, nor by a card, nor by a password, made after it', async () => {
    const { test, joko, dewi, budi } = await buildOffice();
    await giveFactor(test, budi);
    expect((await removeFactor(test, joko, budi.id)).status).toBe(200);
    expect((await test.call('GET', '/api/auth/user', { token: budi.token })).status).toBe(401);
    for (const answer of [
      await askForCode(test, joko, budi.id),
      await askForCard(test, joko, budi.id),
      await test.call('PUT', `/api/admin/users/${budi.id}/password`, {
        token: joko.token,
        body: { password: 'rahasia-joko' },
      }),
    ]) {
      expect(answer.status).toBe(409);
      expect(answer.body.message).toMatch(/hanya administrator lain yang dapat membuat kode, kartu, atau password/);
    }
    // The owner still knows the own password, and another admin helps one who does not.
    expect((await login(test, budi)).body.data).toHaveProperty('token');
    expect((await complete(test, await makeCodeFor(test, dewi, budi.id))).status).toBe(200);
    test.clock.advance(DAY_MS);
    expect((await askForCode(test, joko, budi.id)).status).toBe(201);
  });

  it('comes in by nothing that was made before it either', async () => {
    const { test, joko, budi } = await buildOffice();
    await giveCard(test, joko, budi.id);
    const card = await makeCardFor(test, joko, budi.id);
    expect((await activate(test, card)).status).toBe(200);
    await giveFactor(test, budi);
    const code = await makeCodeFor(test, joko, budi.id);
    await removeFactor(test, joko, budi.id);
    expect(await complete(test, code)).toMatchObject({ status: 403, body: { message: removed } });
    expect(await enter(test, { code: card.code, pin: PIN })).toMatchObject({ status: 403, body: { message: removed } });
    test.clock.advance(DAY_MS);
    expect((await enter(test, { code: card.code, pin: PIN })).status).toBe(200);
  });

  it('comes in neither by a password that was set before it, nor by one of a new account', async () => {
    const { test, joko, budi } = await buildOffice();
    const asked = { token: joko.token, body: { password: 'rahasia-joko' } };
    await test.call('PUT', `/api/admin/users/${budi.id}/password`, asked);
    const { token } = (await login(test, budi, 'rahasia-joko')).body.data as { token: string };
    await giveFactor(test, { token }, 'rahasia-joko');
    await removeFactor(test, joko, budi.id);
    expect(await login(test, budi, 'rahasia-joko')).toMatchObject({ status: 403, body: { message: removed } });
    const siti = { name: 'Siti', email: 'siti@contoh.id', password: 'rahasia-joko' };
    const made = await test.call('POST', '/api/admin/users', { token: joko.token, body: siti });
    const session = (await login(test, siti, 'rahasia-joko')).body.data as { token: string };
    await giveFactor(test, session, 'rahasia-joko');
    await removeFactor(test, joko, (made.body.data as { id: string }).id);
    expect((await login(test, siti, 'rahasia-joko')).status).toBe(403);
  });

  it('comes in by no new admin of today', async () => {
    const { test, joko, budi } = await buildOffice();
    const accomplice = buildAdmin(test, { name: 'Kawan', adminSince: test.clock.now() });
    await giveFactor(test, budi);
    const code = await makeCodeFor(test, accomplice, budi.id);
    await removeFactor(test, joko, budi.id);
    expect((await askForCode(test, accomplice, budi.id)).status).toBe(409);
    expect((await complete(test, code)).status).toBe(403);
  });

  it('stands in the own log, and in the line at the next entry', async () => {
    const { test, joko, budi } = await buildOffice();
    await giveFactor(test, budi);
    await removeFactor(test, joko, budi.id);
    const { token } = (await login(test, budi)).body.data as { token: string };
    expect((await test.call('GET', '/api/auth/notices', { token })).body.data).toMatchObject([
      { text: expect.stringMatching(/^Kantor menghapus kode kedua akun Anda, .* \(diperiksa di loket\)/) as string },
    ]);
    const audit = await test.call('GET', '/api/admin/audit?action=user.second_factor', { token: joko.token });
    expect(audit.body.data).toMatchObject({ data: [{ actor: { name: 'Joko' } }, { actor: { name: 'Budi' } }] });
  });
});

describe('the office', () => {
  it('takes a factor away only from somebody at the counter who has one', async () => {
    const { test, joko, dewi, budi } = await buildOffice();
    expect((await removeFactor(test, joko, budi.id)).status).toBe(409);
    await giveFactor(test, budi);
    for (const checked of ['phone', undefined])
      expect((await removeFactor(test, joko, budi.id, { checked })).status).toBe(422);
    expect((await removeFactor(test, joko, 'x')).status).toBe(404);
    expect((await removeFactor(test, joko, joko.id)).status).toBe(409);
    expect((await removeFactor(test, budi, budi.id)).status).toBe(403);
    expect((await removeFactor(test, { ...joko, token: 'x' }, budi.id)).status).toBe(401);
    expect(await test.call('GET', `/api/admin/users/${budi.id}`, { token: dewi.token })).toMatchObject({
      body: { data: { has_second_factor: true } },
    });
  });

  it('takes it from an admin with the password of another, seasoned one, and all others are told', async () => {
    const { test, joko, dewi } = await buildOffice();
    const ratna = buildAdmin(test);
    await giveFactor(test, dewi, 'rahasia-admin');
    expect(await removeFactor(test, joko, dewi.id)).toMatchObject({ body: { errors: { current_password: {} } } });
    changeUser(test, joko.id, { adminSince: test.clock.now() });
    expect((await removeFactor(test, joko, dewi.id, ownPassword)).status).toBe(403);
    changeUser(test, joko.id, { adminSince: 1 });
    expect((await removeFactor(test, joko, dewi.id, ownPassword)).status).toBe(200);
    const notices = await test.call('GET', '/api/admin/notices', { token: ratna.token });
    expect(notices.body.data).toMatchObject([
      { text: expect.stringContaining('Joko menghapus kode kedua admin Dewi') as string },
    ]);
  });
});
