import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/durations.ts';
import {
  afterRightTry,
  afterWrongTry,
  CARD_TRIES,
  forgottenAt,
  NO_TRIES,
  OWN_PASSWORD_TRIES,
  SECOND_FACTOR_TRIES,
  stateOf,
  type Tries,
} from './wrong-tries.ts';

const START = 1_000_000;

const wrong = (tries: Tries, at: number, rule = CARD_TRIES): Tries => afterWrongTry(tries, rule, at);
const wrongTimes = (count: number, at = START, from: Tries = NO_TRIES): Tries =>
  Array.from({ length: count }).reduce<Tries>((tries) => wrong(tries, at), from);

describe('a lock', () => {
  it('falls with the fifth wrong try in 15 minutes, and holds for 15', () => {
    expect(stateOf(wrongTimes(4), CARD_TRIES, START)).toEqual({ kind: 'open' });
    const locked = wrongTimes(5);
    expect(stateOf(locked, CARD_TRIES, START)).toEqual({ kind: 'locked', forMs: 15 * MINUTE_MS });
    expect(stateOf(locked, CARD_TRIES, START + 15 * MINUTE_MS)).toEqual({ kind: 'open' });
  });

  it('does not fall while each fifth try comes after more than 15 minutes', () => {
    let tries = NO_TRIES;
    for (let at = START; at < START + 60 * MINUTE_MS; at += 4 * MINUTE_MS) {
      tries = wrong(tries, at);
      expect(stateOf(tries, CARD_TRIES, at).kind).toBe('open');
    }
  });

  it('doubles with each further wrong try, up to a day', () => {
    let [tries, at] = [wrongTimes(4), START];
    tries = wrong(tries, at, SECOND_FACTOR_TRIES);
    for (const minutes of [30, 60, 120, 240, 480, 960, 1440, 1440]) {
      at = tries.lockedUntil;
      tries = wrong(tries, at, SECOND_FACTOR_TRIES);
      expect((tries.lockedUntil - at) / MINUTE_MS).toBe(minutes);
    }
  });

  it('a lock is forgotten with a right try', () => {
    const tries = afterRightTry(wrongTimes(5));
    expect(stateOf(wrongTimes(4, START, tries), CARD_TRIES, START)).toEqual({ kind: 'open' });
  });
});

describe('a card', () => {
  it('a card is closed by the twentieth wrong try, and right ones between do not help', () => {
    let tries = NO_TRIES;
    for (let count = 1; count <= 19; count += 1) tries = afterRightTry(wrong(tries, START + count));
    expect(stateOf(tries, CARD_TRIES, START + 20)).toEqual({ kind: 'open' });
    const closed = wrong(tries, START + 20);
    expect(stateOf(closed, CARD_TRIES, START + 20)).toEqual({ kind: 'closed' });
    expect(stateOf(closed, CARD_TRIES, START + 1000 * DAY_MS)).toEqual({ kind: 'closed' });
  });

  it('forgets one wrong try in 24 hours', () => {
    const tries = wrongTimes(19);
    const days = (count: number): number => START + count * DAY_MS;
    expect(stateOf(wrong(tries, days(1) - 1), CARD_TRIES, days(1)).kind).toBe('closed');
    expect(stateOf(wrong(wrong(tries, days(2)), days(2)), CARD_TRIES, days(3)).kind).not.toBe('closed');
  });

  it.each([
    ['alone', false],
    ['beside a holder who enters daily', true],
  ])('gives one who guesses for a year, %s, less than one chance in a thousand', (_case, holderEnters) => {
    let tries = NO_TRIES;
    let guesses = 0;
    for (let hour = 0; hour < 365 * 24; hour += 1) {
      const at = START + hour * HOUR_MS;
      if (holderEnters && hour % 24 === 8 && stateOf(tries, CARD_TRIES, at).kind === 'open')
        tries = afterRightTry(tries);
      // One who wants to go on guessing stops before the card is closed.
      while (stateOf(tries, CARD_TRIES, at).kind === 'open') {
        const next = wrong(tries, at);
        if (stateOf(next, CARD_TRIES, at).kind === 'closed') break;
        tries = next;
        guesses += 1;
      }
    }
    expect(guesses).toBeGreaterThan(300);
    expect(guesses / 997_800).toBeLessThan(0.001);
  });
});

it('never closes a second factor, however many wrong codes it gets', () => {
  let tries = NO_TRIES;
  for (let day = 0; day < 1000; day += 1) tries = afterWrongTry(tries, SECOND_FACTOR_TRIES, START + day * DAY_MS);
  expect(stateOf(tries, SECOND_FACTOR_TRIES, START + 1001 * DAY_MS)).toEqual({ kind: 'open' });
});

it('lets the next try in when the oldest wrong one has left a window without locks', () => {
  const at = (minutes: number): number => START + minutes * MINUTE_MS;
  let tries = NO_TRIES;
  for (const minutes of [0, 1, 2, 3, 14]) tries = wrong(tries, at(minutes), OWN_PASSWORD_TRIES);
  expect(stateOf(tries, OWN_PASSWORD_TRIES, at(14))).toEqual({ kind: 'locked', forMs: MINUTE_MS });
  expect(stateOf(tries, OWN_PASSWORD_TRIES, at(15))).toEqual({ kind: 'open' });
  expect(stateOf(wrong(tries, at(15), OWN_PASSWORD_TRIES), OWN_PASSWORD_TRIES, at(15)).kind).toBe('locked');
  expect(forgottenAt(tries, OWN_PASSWORD_TRIES)).toBe(at(29));
  expect(forgottenAt(tries, CARD_TRIES)).toBeNull();
});
