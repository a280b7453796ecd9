import { describe, expect, it } from 'vitest';
import { amountInWords } from './amount-words.ts';

const UNITS = [
  'nol',
  'satu',
  'dua',
  'tiga',
  'empat',
  'lima',
  'enam',
  'tujuh',
  'delapan',
  'sembilan',
  'sepuluh',
  'sebelas',
];
const POWERS: Record<string, number> = { ribu: 1e3, juta: 1e6, miliar: 1e9 };

/** Reads a number in words, word by word, the opposite way of the rule under test. */
function readNumber(text: string): number {
  let total = 0;
  let group = 0;
  let digit = 0;
  for (const word of text.replaceAll('seribu', 'satu ribu').replaceAll('seratus', 'satu ratus').split(' ')) {
    if (word === 'belas') [group, digit] = [group + 10 + digit, 0];
    else if (word === 'puluh') [group, digit] = [group + digit * 10, 0];
    else if (word === 'ratus') [group, digit] = [group + digit * 100, 0];
    else if (word in POWERS) {
      total += (group + digit) * (POWERS[word] ?? 0);
      [group, digit] = [0, 0];
    } else {
      expect(UNITS, text).toContain(word);
      digit = UNITS.indexOf(word);
    }
  }
  return total + group + digit;
}

function readAmount(text: string): number {
  const [, whole = '', sen = 'nol'] = /^(.+) rupiah(?: (.+) sen)?$/.exec(text) ?? [];
  return (readNumber(whole) * 100 + readNumber(sen)) / 100;
}

describe('amountInWords', () => {
  it.each([
    [0, 'nol rupiah'],
    [1, 'satu rupiah'],
    [10, 'sepuluh rupiah'],
    [11, 'sebelas rupiah'],
    [12, 'dua belas rupiah'],
    [20, 'dua puluh rupiah'],
    [21, 'dua puluh satu rupiah'],
    [100, 'seratus rupiah'],
    [111, 'seratus sebelas rupiah'],
    [200, 'dua ratus rupiah'],
    [1000, 'seribu rupiah'],
    [1001, 'seribu satu rupiah'],
    [1100, 'seribu seratus rupiah'],
    [2000, 'dua ribu rupiah'],
    [11_000, 'sebelas ribu rupiah'],
    [21_000, 'dua puluh satu ribu rupiah'],
    [100_000, 'seratus ribu rupiah'],
    [101_000, 'seratus satu ribu rupiah'],
    [1_000_000, 'satu juta rupiah'],
    [1_001_000, 'satu juta seribu rupiah'],
    [1_250_000, 'satu juta dua ratus lima puluh ribu rupiah'],
    [1_000_000_000, 'satu miliar rupiah'],
    [
      999_999_999_999,
      'sembilan ratus sembilan puluh sembilan miliar sembilan ratus sembilan puluh sembilan juta sembilan ratus sembilan puluh sembilan ribu sembilan ratus sembilan puluh sembilan rupiah',
    ],
    [800_000.5, 'delapan ratus ribu rupiah lima puluh sen'],
    [0.01, 'nol rupiah satu sen'],
    [1000.11, 'seribu rupiah sebelas sen'],
  ])('says %d as %j', (rupiah, words) => {
    expect(amountInWords(rupiah)).toBe(words);
  });

  it('says every amount so that it can be read back exactly, with single spaces', () => {
    let seed = 1;
    for (let round = 0; round < 20_000; round += 1) {
      seed = (seed * 48_271) % 2_147_483_647;
      // All orders of magnitude are as frequent.
      const sen = Math.floor(10 ** ((seed / 2_147_483_647) * 13.9));
      const words = amountInWords(sen / 100);
      expect(readAmount(words), words).toBe(sen / 100);
      expect(words).not.toMatch(/ {2}|^ | $|satu (ratus|belas|puluh)|(^|juta |miliar )satu ribu/);
    }
  });

  it.each([-1, Number.NaN, 1e12, 0.001])('throws for %d, which is no amount', (rupiah) => {
    expect(() => amountInWords(rupiah)).toThrow(RangeError);
  });
});
