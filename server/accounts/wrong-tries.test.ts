import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '#shared/durations.ts';
import { OWN_PASSWORD_TRIES, SECOND_FACTOR_TRIES } from '#shared/domain/users/wrong-tries.ts';
import { createServiceContext } from '#server/service-context.ts';
import { findFractions } from '#server/testing/fractions.ts';
import { buildTestApp, type TestApp } from '#server/testing/test-app.ts';

const RULE = OWN_PASSWORD_TRIES;
const wrong = async (): Promise<null> => null;
const right = async (): Promise<true> => true;
const refusal = { status: 429, headers: { 'retry-after': '900' } };

async function failTimes({ context }: TestApp, times: number, rule: object = RULE): Promise<void> {
  for (let round = 0; round < times; round += 1)
    expect(await context.wrongTries.run('a', rule as typeof RULE, wrong)).toBeNull();
}
const storedKeys = ({ database }: TestApp): unknown[] =>
  database.sqlite.prepare('select key from wrong_tries order by key').pluck().all();

describe('stored wrong tries', () => {
  it('stored wrong tries are refused without a look beyond the limit, right or wrong, and not counted, until the window has room', async () => {
    const test = await buildTestApp();
    await failTimes(test, 5);
    const looked: string[] = [];
    for (const [name, look] of [
      ['wrong', wrong],
      ['right', right],
    ] as const) {
      const attempt = test.context.wrongTries.run<true>('a', RULE, async () => {
        looked.push(name);
        return look();
      });
      await expect(attempt).rejects.toMatchObject(refusal);
    }
    expect(looked).toEqual([]);
    expect(await test.context.wrongTries.run('b', RULE, right)).toBe(true);
    test.clock.advance(15 * MINUTE_MS);
    expect(await test.context.wrongTries.run('a', RULE, right)).toBe(true);
  });

  it('count with the rate limits off, and whatever the clock of the computer says', async () => {
    const settings = { timeZone: 'Asia/Jakarta', corsOrigins: [], trustedProxies: null, rateLimits: false };
    const test = await buildTestApp({ settings });
    await failTimes(test, 5);
    test.clock.jump(400 * 24 * 60 * MINUTE_MS);
    await expect(test.context.wrongTries.run('a', RULE, right)).rejects.toMatchObject(refusal);
  });

  it('survive a restart', async () => {
    const test = await buildTestApp();
    await failTimes(test, 5);
    const { database, clock, context } = test;
    const restarted = createServiceContext({
      ...context,
      ...clock,
      database,
      settings: { timeZone: 'Asia/Jakarta', rateLimits: true },
      namespace: () => null,
      writeQueueObserver: undefined,
    });
    await expect(restarted.wrongTries.run('a', RULE, right)).rejects.toMatchObject(refusal);
  });

  it('of one key are looked at one after the other, so that many at once get no more', async () => {
    const test = await buildTestApp();
    let looks = 0;
    const attempts = Array.from({ length: 20 }, () =>
      test.context.wrongTries.run('a', RULE, async () => {
        looks += 1;
        return null;
      }),
    );
    const settled = await Promise.allSettled(attempts);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    expect(looks).toBe(5);
  });

  it('under a lock start anew after a right one', async () => {
    const test = await buildTestApp();
    await failTimes(test, 4, SECOND_FACTOR_TRIES);
    expect(await test.context.wrongTries.run('a', SECOND_FACTOR_TRIES as typeof RULE, right)).toBe(true);
    await failTimes(test, 4, SECOND_FACTOR_TRIES);
  });

  it('do not count what was not looked at to its end', async () => {
    const test = await buildTestApp();
    const fail = async (): Promise<null> => Promise.reject(new Error('busy'));
    for (let round = 0; round < 6; round += 1)
      await expect(test.context.wrongTries.run('a', RULE, fail)).rejects.toThrow('busy');
    expect(storedKeys(test)).toEqual([]);
  });

  it('stored wrong tries are deleted when they change no answer any more, and are whole milliseconds', async () => {
    let at = 0.5;
    const test = await buildTestApp({ monotonicNow: () => at });
    const { wrongTries } = test.context;
    await wrongTries.run('a', RULE, wrong);
    expect(findFractions(test.database.sqlite)).toEqual([]);
    at += 15 * MINUTE_MS;
    await wrongTries.run('b', RULE, wrong);
    expect(storedKeys(test)).toEqual(['b']);
  });
});

it('continues operating time behind what a restored database has seen', async () => {
  const test = await buildTestApp();
  const { wrongTries, operatingNow } = test.context;
  test.clock.advance(90 * MINUTE_MS);
  await wrongTries.run('a', RULE, wrong);
  const seenMs = operatingNow();
  expect(seenMs).toBeGreaterThanOrEqual(90 * MINUTE_MS);
  // A new data folder has no state file.
  const restored = await buildTestApp({ database: test.database });
  expect(restored.context.operatingNow()).toBe(seenMs);
});
