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

/** @returns `35.15.180.012.001-0034.0`; digits of another length are returned unchanged */
export function formatNop(digits: string): string {
  const parts = /^(\d{2})(\d{2})(\d{3})(\d{3})(\d{3})(\d{4})(\d)$/.exec(digits);
  if (!parts) return digits;
  const [, province, regency, district, village, block, number, kind] = parts;
  return `${province}.${regency}.${district}.${village}.${block}-${number}.${kind}`;
}

/** @returns the NOP that a text is, such as a typed SPT number, whatever stands between the digits; null when it is none */
export function findNop(text: string): string | null {
  const digits = text.replaceAll(/\D/g, '');
  return isNop(digits) ? digits : null;
}
