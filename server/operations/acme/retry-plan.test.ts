import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/durations.ts';
import { AcmeFailure } from './acme-failure.ts';
import type { AcmeState } from './acme-files.ts';
import type { PublicCertificate } from './public-certificate.ts';
import { beginAttempt, dueAtMs, failAttempt, openState, succeed } from './retry-plan.ts';

const NOW = Date.UTC(2026, 10, 20, 8);
const WANTED = { directory: 'https://acme.test/dir', names: ['pbb.desa.id'] };
const fresh = (): AcmeState => openState(null, WANTED);
const failure = (kind: string, retryAfterMs: number | null = null): AcmeFailure =>
  new AcmeFailure(kind, 'x', { retryAfterMs });

const certificate = (days: number, fromMs = NOW): PublicCertificate => ({
  pair: { key: '', cert: '' },
  names: WANTED.names,
  validFromMs: fromMs,
  validUntilMs: fromMs + days * DAY_MS,
});

/** Fails as soon as it may, over restarts. @returns when the directory was asked */
function failFor(ms: number, random: () => number): number[] {
  let state = fresh();
  const asked: number[] = [];
  for (let at = NOW; at < NOW + ms; at = Math.max(at + MINUTE_MS / 4, dueAtMs(state, null, at))) {
    asked.push(at);
    state = openState(failAttempt(beginAttempt(state, at, random), failure('connection'), 'x', at), WANTED);
  }
  return asked;
}

describe('after failures', () => {
  it('waits a minute, then twice as long each time up to twelve hours', () => {
    const asked = failFor(4 * DAY_MS, () => 0);
    const waits = asked.slice(1).map((at, index) => (at - (asked[index] ?? 0)) / MINUTE_MS);
    // The sixth is more than an hour after the first, because of the limit.
    expect(waits.slice(0, 5)).toEqual([1, 2, 4, 8, 45]);
    expect(waits.slice(5, 9)).toEqual([32, 64, 128, 256]);
    expect(new Set(waits.slice(10))).toEqual(new Set([720]));
  });

  it.each([0, 0.5, 1])('asks at most five times in any hour (random %d)', (random) => {
    const asked = failFor(2 * DAY_MS, () => random);
    for (const at of asked) expect(asked.filter((other) => other > at - HOUR_MS && other <= at).length).toBeLessThan(6);
  });

  it('waits as long as the directory asks, and an hour when it only says that there is a limit', () => {
    const begun = beginAttempt(fresh(), NOW, () => 0);
    const waits = [failure('connection', 3 * HOUR_MS), failure('rateLimited'), failure('connection')].map(
      (each) => dueAtMs(failAttempt(begun, each, 'x', NOW), null, NOW) - NOW,
    );
    expect(waits).toEqual([3 * HOUR_MS, HOUR_MS, MINUTE_MS]);
  });

  it('waits too when a crash broke the attempt off', () => {
    expect(
      dueAtMs(
        openState(
          beginAttempt(fresh(), NOW, () => 0),
          WANTED,
        ),
        null,
        NOW,
      ),
    ).toBe(NOW + MINUTE_MS);
  });

  it('does not wait for years when the clock was set back', () => {
    const failed = failAttempt(
      beginAttempt(fresh(), NOW + 1000 * DAY_MS, () => 0),
      failure('connection'),
      'x',
      NOW,
    );
    expect(dueAtMs(failed, null, NOW)).toBeLessThanOrEqual(NOW);
  });
});

describe('with other names or another directory', () => {
  const failed = failAttempt(
    beginAttempt(fresh(), NOW, () => 0),
    failure('rateLimited', 5 * DAY_MS),
    'x',
    NOW,
  );

  it('starts anew', () => {
    for (const wanted of [
      { ...WANTED, names: ['a.desa.id', 'pbb.desa.id'] },
      { ...WANTED, directory: 'https://b.test' },
    ]) {
      const state = openState(failed, wanted);
      expect(dueAtMs(state, null, NOW)).toBeLessThanOrEqual(NOW);
      expect(state).toMatchObject({ failed_attempts: 0, last_error: null });
    }
  });

  it('still counts the attempts of the hour at the same directory', () => {
    let state = fresh();
    for (let count = 0; count < 5; count += 1) {
      state = openState(
        beginAttempt(state, NOW + count, () => 0),
        { ...WANTED, names: [`n${count}.desa.id`] },
      );
    }
    expect(dueAtMs(state, null, NOW + 5)).toBe(NOW + HOUR_MS);
    expect(dueAtMs(openState(state, { ...WANTED, directory: 'https://b.test' }), null, NOW + 5)).toBe(0);
  });
});

describe('the renewal', () => {
  const state = succeed(
    beginAttempt(fresh(), NOW, () => 0),
    certificate(90),
    NOW,
  );

  it('comes when a third of the lifetime is left', () => {
    expect(dueAtMs(state, certificate(90), NOW)).toBe(NOW + 60 * DAY_MS);
    expect(dueAtMs(state, certificate(6), NOW)).toBe(NOW + 4 * DAY_MS);
    expect(dueAtMs(state, certificate(1, NOW - DAY_MS), NOW)).toBeGreaterThan(NOW);
  });

  it('comes at once for a new name and after a change of the directory, not for a name less', () => {
    const due = (wanted: typeof WANTED): number => dueAtMs(openState(state, wanted), certificate(90), NOW);
    expect(due({ ...WANTED, names: [...WANTED.names, 'www.desa.id'] })).toBeLessThanOrEqual(NOW);
    expect(due({ ...WANTED, directory: 'https://b.test' })).toBeLessThanOrEqual(NOW);
    const both = { ...certificate(90), names: [...WANTED.names, 'www.desa.id'] };
    expect(dueAtMs(openState(state, WANTED), both, NOW)).toBe(NOW + 60 * DAY_MS);
  });

  it('keeps a certificate whose state was lost', () => {
    expect(dueAtMs(fresh(), certificate(90), NOW)).toBe(NOW + 60 * DAY_MS);
  });

  it('comes at most every two days with a clock that is months ahead', () => {
    const ahead = NOW + 100 * DAY_MS;
    const renewed = succeed(
      beginAttempt(state, ahead, () => 0),
      certificate(90),
      ahead,
    );
    expect(dueAtMs(renewed, certificate(90), ahead)).toBe(ahead + 2 * DAY_MS);
  });
});
