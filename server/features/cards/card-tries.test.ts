import { describe, expect, it, vi } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/durations.ts';
import { UNKNOWN_CARDS_MAX } from '#shared/limits.ts';
import { activate, enter, giveCard, makeCardFor, OTHER_PIN, PIN } from '#server/testing/cards.ts';
import { buildAdmin, buildTestUser } from '#server/testing/factories.ts';
import { storedSessions } from '#server/testing/rows.ts';
import { buildTestApp, type TestApp } from '#server/testing/test-app.ts';

// Many hashes at their real cost take minutes on a slow computer; here their number and order matter.
vi.mock(import('node:crypto'), async (importOriginal) => {
  const crypto = await importOriginal();
  const cheap: typeof crypto.argon2 = (algorithm, parameters, done) =>
    crypto.argon2(algorithm, { ...parameters, memory: 8, passes: 1 }, done);
  return { ...crypto, argon2: cheap };
});

const OFF = { timeZone: 'Asia/Jakarta', corsOrigins: [], trustedProxies: null, rateLimits: false };

async function buildCard() {
  const test = await buildTestApp({ settings: OFF });
  const [ratna, user] = [buildAdmin(test), buildTestUser(test, { name: 'Mbah Karto' })];
  return { test, ratna, user, card: await giveCard(test, ratna, user.id) };
}

const guess = (test: TestApp, code: string, address = '10.0.0.1') => enter(test, { code, pin: OTHER_PIN }, address);

/** Twenty wrong PINs, never five within 15 minutes. */
async function block(test: TestApp, code: string): Promise<void> {
  for (let round = 0; round < 5; round += 1) {
    for (let wrong = 0; wrong < 4; wrong += 1) expect((await guess(test, code)).status).toBe(401);
    test.clock.advance(15 * MINUTE_MS);
  }
}
const storedKeys = (test: TestApp): string[] =>
  test.database.sqlite.prepare('select key from wrong_tries order by key').pluck().all() as string[];

describe('wrong PINs', () => {
  it('lock the card after five in 15 minutes, with the rate limits off too, whether the next PIN is right or wrong', async () => {
    const { test, card } = await buildCard();
    for (let round = 0; round < 5; round += 1) await enter(test, { code: card.code, pin: OTHER_PIN });
    for (const pin of [PIN, OTHER_PIN]) {
      const answer = await enter(test, { code: card.code, pin });
      expect(answer).toMatchObject({
        status: 429,
        body: { message: 'Terlalu banyak percobaan. Coba lagi dalam 15 menit.' },
      });
    }
    test.clock.advance(15 * MINUTE_MS);
    await enter(test, { code: card.code, pin: OTHER_PIN });
    expect((await enter(test, card)).body.message).toBe('Terlalu banyak percobaan. Coba lagi dalam 30 menit.');
    test.clock.advance(30 * MINUTE_MS);
    expect((await enter(test, card)).status).toBe(200);
  });

  it('block the card after twenty, which its holder and the office see, until a new card is made', async () => {
    const { test, ratna, user, card } = await buildCard();
    for (let round = 0; round < 4; round += 1) {
      for (let wrong = 0; wrong < 4; wrong += 1) await enter(test, { code: card.code, pin: OTHER_PIN });
      // A right PIN lifts the lock, not the count towards twenty.
      expect((await enter(test, card)).status).toBe(200);
    }
    for (let wrong = 0; wrong < 4; wrong += 1) await enter(test, { code: card.code, pin: OTHER_PIN });
    expect(await enter(test, card)).toMatchObject({
      status: 403,
      body: { message: 'Kartu ini diblokir. Hubungi kantor.' },
    });
    const state = async () => (await test.call('GET', `/api/admin/users/${user.id}`, { token: ratna.token })).body.data;
    expect(await state()).toMatchObject({ card: { is_blocked: true } });
    const log = await test.call('GET', '/api/auth/security-log', { token: user.token });
    expect((log.body.data as object[])[0]).toMatchObject({ event: 'card.blocked', by_name: 'PBB Kita' });
    const lines = await test.call('GET', '/api/auth/notices', { token: user.token });
    expect(lines.raw.toString()).toContain('Kartu akun Anda diblokir, 10 Jun 2026 12.00: terlalu banyak PIN salah.');
    const next = await giveCard(test, ratna, user.id);
    expect((await enter(test, next)).status).toBe(200);
    expect(await state()).toMatchObject({ card: { is_blocked: false } });
  });

  it('of others neither lock nor block the browser that has entered with this card; its own ones do', async () => {
    const { test, card } = await buildCard();
    await block(test, card.code);
    expect((await enter(test, card)).status).toBe(403);
    const known = { code: card.code, device_token: card.deviceToken };
    const entered = await enter(test, known);
    expect(entered.status).toBe(200);
    for (let round = 0; round < 5; round += 1) await enter(test, { ...known, pin: OTHER_PIN });
    expect((await enter(test, { ...known, device_token: entered.body.data.device_token })).status).toBe(429);
  });

  it('gain nothing from the browser of another card, or from that of an earlier card', async () => {
    const { test, ratna, user, card } = await buildCard();
    const other = await giveCard(test, ratna, buildTestUser(test).id);
    const next = await giveCard(test, ratna, user.id);
    for (const device_token of [other.deviceToken, card.deviceToken, 'x.y'])
      for (let round = 0; round < 2; round += 1) await enter(test, { code: next.code, pin: OTHER_PIN, device_token });
    expect((await enter(test, next)).status).toBe(429);
  });

  it('give one who guesses for a year beside a holder who enters daily less than one chance in a thousand', async () => {
    const { test, card } = await buildCard();
    let guesses = 0;
    // One who wants to go on stays below five in 15 minutes and below twenty in all; later days are as the last one here.
    for (let day = 0; day < 16; day += 1) {
      for (let round = 0; round < (day < 6 ? 4 : 1); round += 1) {
        expect((await guess(test, card.code)).status).toBe(401);
        guesses += 1;
      }
      expect((await enter(test, card)).status).toBe(200);
      test.clock.advance(DAY_MS);
    }
    const ofYear = guesses + 365 - 16;
    expect(ofYear).toBe(383);
    expect(ofYear / 997_800).toBeLessThan(0.001);
    // Two on one day are one too many.
    await guess(test, card.code);
    await guess(test, card.code);
    expect((await enter(test, card)).status).toBe(403);
  });

  it('of one address are a hundred in 15 minutes, over all cards, and leave a known browser alone', async () => {
    const { test, card } = await buildCard();
    for (let round = 0; round < 100; round += 1) {
      const made = `K7M2${String(round).padStart(4, '0').replaceAll(/[015]/g, 'A')}${round}`;
      expect((await enter(test, { code: made, pin: OTHER_PIN })).status).toBe(401);
    }
    expect((await enter(test, card)).body.message).toBe('Terlalu banyak percobaan. Coba lagi dalam 15 menit.');
    expect((await activate(test, card)).status).toBe(429);
    expect((await enter(test, { code: card.code, device_token: card.deviceToken })).status).toBe(200);
    expect((await enter(test, card, '10.0.0.9')).status).toBe(200);
  });
});

describe('unknown codes', () => {
  it('meet the same locks and blocks as known ones', async () => {
    const { test, ratna, card } = await buildCard();
    const unknown = 'AAAA-AAAA';
    const tryBoth = async () => {
      const answers = [await guess(test, card.code), await guess(test, unknown)].map(({ status, raw }) => ({
        status,
        raw,
      }));
      expect(answers[1]).toEqual(answers[0]);
      return answers[0]?.status;
    };
    for (let wrong = 0; wrong < 5; wrong += 1) expect(await tryBoth()).toBe(401);
    expect(await tryBoth()).toBe(429);
    test.clock.advance(15 * MINUTE_MS);
    const statuses = [];
    for (let wrong = 0; wrong < 3; wrong += 1) {
      statuses.push(await tryBoth(), await tryBoth());
      test.clock.advance(HOUR_MS * 8);
    }
    expect(statuses).toEqual([401, 429, 401, 429, 401, 429]);
    // Never five within 15 minutes.
    const other = await giveCard(test, ratna, buildTestUser(test).id);
    await block(test, other.code);
    await block(test, 'CCCC-CCCC');
    const blocked = [await guess(test, other.code), await guess(test, 'CCCC-CCCC')].map(({ status, raw }) => ({
      status,
      raw,
    }));
    expect(blocked[1]).toEqual(blocked[0]);
    expect(blocked[0]?.status).toBe(403);
  });

  it('leave the database beyond a number, the oldest first, and never at the cost of a known card', async () => {
    const { test, card } = await buildCard();
    await enter(test, { code: card.code, pin: OTHER_PIN });
    const insert = test.database.sqlite.prepare('insert into wrong_tries (key, tries, at) values (?, ?, ?)');
    const tries = JSON.stringify({ wrongAt: [1], lockedUntil: 0, lockMs: 0, total: 1, totalAt: 1 });
    for (let index = 0; index < UNKNOWN_CARDS_MAX; index += 1) insert.run(`unknown-card x${index}`, tries, index);
    // All of them are older than the next one.
    test.clock.advance(HOUR_MS);
    await enter(test, { code: 'AAAA-AAAA', pin: OTHER_PIN });
    const keys = storedKeys(test);
    expect(keys.filter((key) => key.startsWith('unknown-card'))).toHaveLength(UNKNOWN_CARDS_MAX);
    expect(keys).not.toContain('unknown-card x0');
    expect(keys.filter((key) => key.startsWith('card '))).toHaveLength(1);
  });
});

it('entries of a card end after 60 in an hour, because each is a line that stays', async () => {
  const test = await buildTestApp();
  const card = await giveCard(test, buildAdmin(test), buildTestUser(test).id);
  const known = { code: card.code, device_token: card.deviceToken };
  for (let round = 0; round < 60; round += 1) expect((await enter(test, known)).status).toBe(200);
  expect((await enter(test, known)).status).toBe(429);
});

it('forgets all counts of a card with the card', async () => {
  const { test, ratna, user, card } = await buildCard();
  await enter(test, { code: card.code, pin: OTHER_PIN });
  await enter(test, { code: card.code, pin: OTHER_PIN, device_token: card.deviceToken });
  expect(storedKeys(test).filter((key) => key.startsWith('card '))).toHaveLength(2);
  await makeCardFor(test, ratna, user.id);
  expect(storedKeys(test).filter((key) => key.startsWith('card '))).toEqual([]);
});

it('an activation works once: of 50 callers one gets in', async () => {
  const test = await buildTestApp();
  const [ratna, user] = [buildAdmin(test), buildTestUser(test)];
  const card = await makeCardFor(test, ratna, user.id);
  const callers = Array.from({ length: 50 }, (_, index) => activate(test, card, { address: `10.4.0.${index}` }));
  const statuses = (await Promise.all(callers)).map(({ status }) => status);
  expect(statuses.toSorted((a, b) => a - b)).toEqual([200, ...Array<number>(49).fill(401)]);
  expect(storedSessions(test).filter(({ entry }) => entry === 'card')).toHaveLength(1);
});
