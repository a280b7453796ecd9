import { rupiahToSen } from './rupiah.ts';

const UNITS = [
  '',
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
const THOUSANDS = ['', 'ribu', 'juta', 'miliar'];

/** The words of 0 to 999; no word for 0. */
function wordsBelowThousand(n: number): string[] {
  if (n < 12) return n === 0 ? [] : [UNITS[n] ?? ''];
  if (n < 20) return [UNITS[n - 10] ?? '', 'belas'];
  if (n < 100) return [UNITS[Math.floor(n / 10)] ?? '', 'puluh', ...wordsBelowThousand(n % 10)];
  // 'seratus' and not 'satu ratus'.
  const hundreds = n < 200 ? ['seratus'] : [UNITS[Math.floor(n / 100)] ?? '', 'ratus'];
  return [...hundreds, ...wordsBelowThousand(n % 100)];
}

/** The words of a whole number from 0 to 999,999,999,999. */
function numberWords(n: number): string {
  if (n === 0) return 'nol';
  const words: string[] = [];
  for (let power = THOUSANDS.length - 1; power >= 0; power -= 1) {
    const group = Math.floor(n / 1000 ** power) % 1000;
    if (group === 0) continue;
    // 'seribu' and not 'satu ribu', but 'satu juta'.
    if (power === 1 && group === 1) words.push('seribu');
    else words.push(...wordsBelowThousand(group), THOUSANDS[power] ?? '');
  }
  return words.filter((word) => word !== '').join(' ');
}

/**
 * An amount in rupiah in Indonesian words, as on a receipt: 'satu juta dua ratus lima puluh ribu rupiah'. Sen are named only where
 * there are any.
 * @throws RangeError when `rupiah` is not an amount by `isRupiahAmount`.
 */
export function amountInWords(rupiah: number): string {
  const totalSen = rupiahToSen(rupiah);
  const sen = totalSen % 100;
  const words = `${numberWords((totalSen - sen) / 100)} rupiah`;
  return sen === 0 ? words : `${words} ${numberWords(sen)} sen`;
}
