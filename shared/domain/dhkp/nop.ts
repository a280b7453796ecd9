/** Digits of a whole NOP, of the part that names the village, and of the part below it. */
export const NOP_LENGTH = 18;
export const NOP_PREFIX_LENGTH = 10;
export const NOP_SHORT_LENGTH = NOP_LENGTH - NOP_PREFIX_LENGTH;

/** Spaces (U+00A0 too), dots, hyphens, slashes and quotation marks; people and programs write them between the digits. */
const SEPARATORS = /[\s.\-\u2010-\u2015/"\u201C\u201D]/g;
/** Spreadsheets show it in a cell that was marked as text by hand. */
const LEADING_APOSTROPHE = /^[\s"]*['\u2018\u2019]/;

/** Drops what stands between the digits. Other characters stay, so that they make the number invalid. */
export function cleanNop(text: string): string {
  return text.replace(LEADING_APOSTROPHE, '').replace(SEPARATORS, '');
}

/** Whether the digits are a NOP: 18 digits, of which the first two, the province, are 11 to 99. A NOP has no check digit. */
export function isNop(digits: string): boolean {
  return /^\d{18}$/.test(digits) && Number(digits.slice(0, 2)) >= 11;
}

/** Stands before this digit, counted from 0. */
const SIGN_BEFORE: Readonly<Record<number, string>> = { 2: '.', 4: '.', 7: '.', 10: '.', 13: '-', 17: '.' };

const withSigns = (digits: string, from = 0): string =>
  Array.from(digits, (digit, at) => (at === 0 ? digit : `${SIGN_BEFORE[from + at] ?? ''}${digit}`)).join('');

/** @returns `35.15.180.012.001-0034.0`; digits of another length are returned unchanged */
export function formatNop(digits: string): string {
  return digits.length === NOP_LENGTH && /^\d+$/.test(digits) ? withSigns(digits) : digits;
}

/** @returns what was typed of a NOP, with its signs: `35.15.180` of `3515180`; null when it cannot become one */
export function formatTypedNop(text: string): string | null {
  const digits = cleanNop(text);
  return digits.length <= NOP_LENGTH && /^\d+$/.test(digits) ? withSigns(digits) : null;
}

/** @returns an SPT number as people read it: 18 digits as a NOP, any other one as it was typed */
export function formatSptNumber(text: string): string {
  const digits = cleanNop(text);
  const nop = formatNop(digits);
  return nop === digits ? text : nop;
}

/** @returns the NOP that a text is, such as a typed SPT number, whatever stands between the digits; null when it is none */
export function findNop(text: string): string | null {
  const digits = text.replaceAll(/\D/g, '');
  return isNop(digits) ? digits : null;
}

/** Shorter numbers are found as they were typed alone: they are in many texts. */
const SEARCHED_DIGITS_MIN = 5;
const PART_STARTS = [0, ...Object.keys(SIGN_BEFORE).map(Number)];

/**
 * The other forms in which a stored number may hold what a search names: the digits alone, and with the signs of a NOP, from
 * the beginning of each of its parts.
 */
export function otherNopForms(term: string): string[] {
  const digits = cleanNop(term);
  if (digits.length < SEARCHED_DIGITS_MIN || digits.length > NOP_LENGTH || !/^\d+$/.test(digits)) return [];
  const starts = PART_STARTS.filter((from) => from + digits.length <= NOP_LENGTH);
  const forms = new Set([digits, ...starts.map((from) => withSigns(digits, from))]);
  forms.delete(term);
  return [...forms];
}
