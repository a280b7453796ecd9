import { groupBy } from '#client/lib/group-by.ts';
import type { CardRecord } from '../records/card-record.ts';

/** Shorter numbers would be found in every date and amount. */
const LENGTH_MIN = 6;
const SEPARATOR = /^[\s./-]{0,3}$/;
const MONEY = /rp\.?\s*[\d.,]+/gi;
const DIGITS = /\d(?:[\s./-]{0,3}\d){5}/;

/** Whether a text may hold a number at all: only then the records are loaded. */
export const mayHoldNumber = (text: string): boolean => DIGITS.test(text.replaceAll(MONEY, ' '));

const isWordCharacter = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}]/u.test(character);

/** The letters and digits of a text in lower case, and the index of each in the text. */
function fold(text: string): { folded: string; places: number[] } {
  let folded = '';
  const places: number[] = [];
  for (let place = 0; place < text.length; place += 1) {
    const character = text[place];
    if (!isWordCharacter(character)) continue;
    // Some letters have two characters in lower case; one keeps `folded` and `places` equally long.
    folded += character?.toLowerCase().slice(0, 1) ?? '';
    places.push(place);
  }
  return { folded, places };
}

/** Whether the found characters are one number: no other digits before, between or behind, only separators. */
function isWholeNumber(text: string, places: readonly number[]): boolean {
  const [first = 0] = places;
  const last = places.at(-1) ?? first;
  const isJoined = places.every(
    (place, index) => index === 0 || SEPARATOR.test(text.slice((places[index - 1] ?? 0) + 1, place)),
  );
  const goesOn = (next: string, afterNext: string): boolean =>
    isWordCharacter(next) || (/[./-]/.test(next) && /\d/.test(afterNext));
  return (
    isJoined &&
    !goesOn(text.charAt(first - 1), text.charAt(first - 2)) &&
    !goesOn(text.charAt(last + 1), text.charAt(last + 2))
  );
}

function isNamedIn(text: string, { folded, places }: ReturnType<typeof fold>, number: string): boolean {
  for (let at = folded.indexOf(number); at !== -1; at = folded.indexOf(number, at + 1)) {
    if (isWholeNumber(text, places.slice(at, at + number.length))) return true;
  }
  return false;
}

/** Newest unpaid year first, then the newest: what a question is most likely about. */
function byInterest(a: CardRecord, b: CardRecord): number {
  return Number(a.status === 'lunas') - Number(b.status === 'lunas') || b.year - a.year;
}

/**
 * The records whose SPT numbers a text contains, with any separators, as one list for each number. In it the year that the
 * text names comes first, else the newest unpaid one (R-CARD-15).
 */
export function findNamedRecords(text: string, records: readonly CardRecord[]): CardRecord[][] {
  const folded = fold(text);
  const byNumber = groupBy(records, ({ spt_number }) => fold(spt_number).folded);
  const found: CardRecord[][] = [];
  for (const [number, group] of byNumber) {
    if (number.length < LENGTH_MIN || !isNamedIn(text, folded, number)) continue;
    const isYearNamed = ({ year }: CardRecord): boolean => new RegExp(`(?:^|\\D)${year}(?:\\D|$)`).test(text);
    found.push(group.toSorted((a, b) => Number(isYearNamed(b)) - Number(isYearNamed(a)) || byInterest(a, b)));
  }
  return found;
}
