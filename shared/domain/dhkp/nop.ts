/** @returns the text without spaces, dots, hyphens, slashes, apostrophes and quotation marks */
export function cleanNop(text: string): string {
  return text.replaceAll(/[\s.\-/'"‘’“”]/g, '');
}

/** Whether the digits are those of an object: 18 of them, the first two from 11 to 99. There is no check digit. */
export function isNop(digits: string): boolean {
  return /^\d{18}$/.test(digits) && digits.slice(0, 2) >= '11';
}

/** @returns 18 digits as people read them, `35.15.180.012.001-0034.0`; any other text as it is */
export function formatNop(digits: string): string {
  const parts = /^(\d{2})(\d{2})(\d{3})(\d{3})(\d{3})(\d{4})(\d)$/.exec(digits);
  if (!parts) return digits;
  const [, province, regency, district, village, block, number, kind] = parts;
  return `${province}.${regency}.${district}.${village}.${block}-${number}.${kind}`;
}
