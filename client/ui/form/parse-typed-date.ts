import { parseCalendarDate } from '#shared/domain/dates.ts';

const DAY_FIRST_DATE = /^(\d{1,2})[\s/.-]+(\d{1,2})[\s/.-]+(\d{4})$/;
/** The numeric keyboards of phones have no slash. */
const DAY_FIRST_DIGITS = /^(\d{2})(\d{2})(\d{4})$/;

/** Parses a typed date, day first: '5/9/2025', '05-09-2025', '05092025', also 'yyyy-mm-dd'. null: no real date. */
export function parseTypedDate(text: string): string | null {
  const trimmed = text.trim();
  const match = DAY_FIRST_DATE.exec(trimmed) ?? DAY_FIRST_DIGITS.exec(trimmed);
  if (!match) return parseCalendarDate(trimmed);
  const [, day = '', month = '', year = ''] = match;
  return parseCalendarDate(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`);
}
