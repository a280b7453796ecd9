import { describe, expect, it } from 'vitest';
import { DAY_MS, MINUTE_MS } from '#shared/durations.ts';
import { buildAdmin, buildSession, buildTestUser, cheapHash } from '#server/testing/factories.ts';
import {
  codeOf,
  confirmFactor,
  finish,
  giveFactor,
  login,
  startFactor,
  ticketOf,
  USER_PASSWORD,
  wrongCodeOf,
} from '#server/testing/second-factor.ts';
import { openTab } from '#server/testing/sockets.ts';
import { buildTestApp, type TestApp } from '#server/testing/test-app.ts';

const own = { current_password: USER_PASSWORD };
const wrong = { status: 422, body: { errors: { code: ['Kode salah'] } } };

async function buildVillage() {
  const test = await buildTestApp();
  const budi = buildTestUser(test, { name: 'Budi', email: 'budi@contoh.id', passwordHash: cheapHash(USER_PASSWORD) });
  return { test, budi };
}

const eventsOf = async (test: TestApp, { token }: { token: string }): Promise<string[]> =>
  ((await test.call('GET', '/api/auth/security-log', { token })).body.data as { event: string }[]).map(
    ({ event }) => event,
  );

describe('the set-up', () => {
  it('needs the own password, and counts once a first code is right', async () => {
    const { test, budi } = await buildVillage();
    expect(await startFactor(test, budi, {})).toMatchObject({
      status: 422,
      body: { errors: { current_password: {} } },
    });
    expect(await startFactor(test, budi, { current_password: 'salah' })).toMatchObject({
      status: 422,
      body: { errors: { current_password: ['Password salah'] } },
    });
    expect((await startFactor(test, { token: 'x' }, own)).status).toBe(401);
    expect(await confirmFactor(test, budi, '123456')).toMatchObject({ status: 409 });
    const started = await startFactor(test, budi, own);
    const data = started.body.data as { secret: string; otpauth_url: string };
    expect(data.secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(data.otpauth_url).toContain(`secret=${data.secret}`);
    expect(data.otpauth_url).toMatch(/^otpauth:\/\/totp\/PBB%20Kita:budi%40contoh\.id/);
    expect(await confirmFactor(test, budi, wrongCodeOf(test, data))).toMatchObject(wrong);
    // It asks for nothing yet.
    expect((await login(test, budi)).body.data).toHaveProperty('token');
    const confirmed = await confirmFactor(test, budi, codeOf(test, data));
    const { recovery_codes: codes } = confirmed.body.data as { recovery_codes: string[] };
    expect(new Set(codes.map((code) => code.replace('-', '').slice(0, 2))).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[2-9A-Y]{5}-[2-9A-Y]{5}$/);
    expect(await test.call('GET', '/api/auth/user', { token: budi.token })).toMatchObject({
      body: { data: { has_second_factor: true, recovery_codes_left: 10, must_set_up_second_factor: false } },
    });
    expect(await startFactor(test, budi, own)).toMatchObject({ status: 409 });
    expect(await confirmFactor(test, budi, codeOf(test, data))).toMatchObject({ status: 409 });
    expect(await eventsOf(test, budi)).toEqual(['second_factor.on']);
  });

  it('ends all other sessions and their tabs, and starts anew after an hour', async () => {
    const { test, budi } = await buildVillage();
    const data = (await startFactor(test, budi, own)).body.data as { secret: string };
    test.clock.advance(60 * MINUTE_MS);
    expect(await confirmFactor(test, budi, codeOf(test, data))).toMatchObject({ status: 409 });
    const other = buildSession(test, budi.id);
    const tab = await openTab(test, other);
    await giveFactor(test, budi);
    expect(await tab.ended()).toBe('io server disconnect');
    expect((await test.call('GET', '/api/auth/user', { token: other.token })).status).toBe(401);
    expect((await test.call('GET', '/api/auth/user', { token: budi.token })).status).toBe(200);
  });
});

describe('the second step', () => {
  it('opens the session with a code of the app, also of the step before and after, and each code once', async () => {
    const { test, budi } = await buildVillage();
    const factor = await giveFactor(test, budi);
    for (const steps of [-1, 0, 1]) {
      const answer = await finish(test, ticketOf(await login(test, budi)), codeOf(test, factor, steps));
      expect(answer).toMatchObject({ status: 200, body: { data: { user: { name: 'Budi' } } } });
      const { token } = answer.body.data as { token: string };
      expect((await test.call('GET', '/api/auth/user', { token })).status).toBe(200);
    }
    const ticket = ticketOf(await login(test, budi));
    for (const steps of [-2, 0, 1, 2])
      expect(await finish(test, ticket, codeOf(test, factor, steps))).toMatchObject(wrong);
  });

  it('takes a spare code once, in any spelling, and writes it into the own log', async () => {
    const { test, budi } = await buildVillage();
    const { spareCodes } = await giveFactor(test, budi);
    const [first = ''] = spareCodes;
    const typed = first.toLowerCase().replace('-', ' ');
    const { token } = (await finish(test, ticketOf(await login(test, budi)), typed)).body.data as { token: string };
    expect(await eventsOf(test, { token })).toEqual(['second_factor.code_used', 'second_factor.on']);
    expect(await test.call('GET', '/api/auth/user', { token })).toMatchObject({
      body: { data: { recovery_codes_left: 9 } },
    });
    expect(await finish(test, ticketOf(await login(test, budi)), first)).toMatchObject(wrong);
  });

  it('takes a ticket once, for five minutes, and of five wrong codes', async () => {
    const { test, budi } = await buildVillage();
    const factor = await giveFactor(test, budi);
    const used = ticketOf(await login(test, budi));
    expect((await finish(test, used, codeOf(test, factor))).status).toBe(200);
    test.clock.advance(MINUTE_MS);
    expect(await finish(test, used, codeOf(test, factor))).toMatchObject(wrong);
    const old = ticketOf(await login(test, budi));
    test.clock.advance(5 * MINUTE_MS);
    expect(await finish(test, old, codeOf(test, factor))).toMatchObject(wrong);
    for (const ticket of ['', 'x', 'x'.repeat(101)])
      expect((await finish(test, ticket, codeOf(test, factor))).status).toBe(422);
    const tried = ticketOf(await login(test, budi));
    for (let round = 0; round < 5; round += 1)
      expect(await finish(test, tried, wrongCodeOf(test, factor))).toMatchObject(wrong);
    test.clock.advance(4 * MINUTE_MS);
    expect(await finish(test, tried, codeOf(test, factor))).toMatchObject(wrong);
  });

  it('locks the account over all tickets after five wrong codes, twice as long each time, and says the same to right ones', async () => {
    const { test, budi } = await buildVillage();
    const factor = await giveFactor(test, budi);
    const tickets: string[] = [];
    for (let round = 0; round < 6; round += 1) tickets.push(ticketOf(await login(test, budi)));
    for (const ticket of tickets.slice(1))
      expect(await finish(test, ticket, wrongCodeOf(test, factor))).toMatchObject(wrong);
    const right = await finish(test, tickets[0] ?? '', codeOf(test, factor));
    const alsoWrong = await finish(test, tickets[0] ?? '', wrongCodeOf(test, factor));
    expect(right).toMatchObject({
      status: 429,
      body: { message: 'Terlalu banyak percobaan. Coba lagi dalam 900 detik.' },
    });
    expect(right.raw).toEqual(alsoWrong.raw);
    test.clock.advance(15 * MINUTE_MS);
    expect(await finish(test, ticketOf(await login(test, budi)), wrongCodeOf(test, factor))).toMatchObject(wrong);
    const locked = await finish(test, ticketOf(await login(test, budi)), codeOf(test, factor));
    expect(locked.body.message).toContain('1800 detik');
    test.clock.advance(30 * MINUTE_MS);
    expect((await finish(test, ticketOf(await login(test, budi)), codeOf(test, factor))).status).toBe(200);
  });

  it('lets one of 50 callers in with one ticket and one code', async () => {
    const { test, budi } = await buildVillage();
    const factor = await giveFactor(test, budi);
    const ticket = ticketOf(await login(test, budi));
    const code = codeOf(test, factor);
    const answers = await Promise.all(Array.from({ length: 50 }, () => finish(test, ticket, code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    // The others found the ticket gone, which is no wrong code of the account.
    expect((await finish(test, ticketOf(await login(test, budi)), codeOf(test, factor, 1))).status).toBe(200);
  });

  it('makes a known browser of the one that finished, and none before', async () => {
    const { test, budi } = await buildVillage();
    const factor = await giveFactor(test, budi);
    const answer = await finish(test, ticketOf(await login(test, budi)), codeOf(test, factor));
    expect(answer.body.data).toHaveProperty('device_token');
  });
});

describe('the end', () => {
  it('needs the own password and a code', async () => {
    const { test, budi } = await buildVillage();
    const end = (body: object) => test.call('DELETE', '/api/auth/second-factor', { token: budi.token, body });
    expect(await end({ ...own, code: '123456' })).toMatchObject({ status: 409 });
    const factor = await giveFactor(test, budi);
    expect(await end({ code: codeOf(test, factor) })).toMatchObject({ body: { errors: { current_password: {} } } });
    expect(await end(own)).toMatchObject({ status: 422, body: { errors: { code: ['Isi kode'] } } });
    expect(await end({ ...own, code: wrongCodeOf(test, factor) })).toMatchObject(wrong);
    expect((await end({ ...own, code: codeOf(test, factor) })).status).toBe(200);
    expect((await login(test, budi)).body.data).toHaveProperty('token');
    expect(await eventsOf(test, budi)).toEqual(['second_factor.off', 'second_factor.on']);
    const left = test.database.sqlite.prepare(
      'select (select count(*) from spare_codes) + (select count(*) from login_tickets)',
    );
    expect(left.pluck().get()).toBe(0);
  });

  it('of an admin is told to the others', async () => {
    const test = await buildTestApp();
    const [ratna, dewi] = [buildAdmin(test), buildAdmin(test, { name: 'Dewi' })];
    const factor = await giveFactor(test, ratna, 'rahasia-admin');
    const body = { current_password: 'rahasia-admin', code: codeOf(test, factor) };
    await test.call('DELETE', '/api/auth/second-factor', { token: ratna.token, body });
    const notices = await test.call('GET', '/api/admin/notices', { token: dewi.token });
    expect(notices.body.data).toMatchObject([
      { kind: 'user.second_factor', text: expect.stringContaining('menghapus kode kedua admin Ibu Ratna') as string },
    ]);
  });
});

it('a clock that is set opens nothing again: a used code stays used', async () => {
  const { test, budi } = await buildVillage();
  const factor = await giveFactor(test, budi);
  const code = codeOf(test, factor);
  expect((await finish(test, ticketOf(await login(test, budi)), code)).status).toBe(200);
  test.clock.jump(-DAY_MS);
  test.clock.jump(DAY_MS);
  expect(await finish(test, ticketOf(await login(test, budi)), code)).toMatchObject(wrong);
});

it('a secret that another computer sealed asks for a spare code', async () => {
  const { test, budi } = await buildVillage();
  const { secret, spareCodes } = await giveFactor(test, budi);
  test.database.sqlite.exec(`update second_factors set secret = '${Buffer.alloc(60, 3).toString('base64url')}'`);
  expect(await finish(test, ticketOf(await login(test, budi)), codeOf(test, { secret }))).toMatchObject(wrong);
  expect((await finish(test, ticketOf(await login(test, budi)), spareCodes[3] ?? '')).status).toBe(200);
});
