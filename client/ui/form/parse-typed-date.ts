import { parseCalendarDate } from '#shared/domain/dates.ts';

const DAY_FIRST_DATE = /^(\d{1,2})[\s/.-]+(\d{1,2})[\s/.-]+(\d{4})$/;
/** The numeric keyboards of phones have no slash. */
const DAY_FIRST_DIGITS = /^(\d{2})(\d{2})(\d{4})$/;

const DAY_AND_MONTH = /^(\d{1,2})[\s/.-]+(\d{1,2})$/;

/**
 * Parses a typed date, day first: '5/9/2025', '05-09-2025', '05092025', also 'yyyy-mm-dd'. null: no real date.
 * @param yearOfShort the year of a text without one, such as '5/9'; without it such a text is no date
 */
export function parseTypedDate(text: string, yearOfShort?: number): string | null {
  const trimmed = text.trim();
  const short = DAY_AND_MONTH.exec(trimmed);
  if (short && yearOfShort !== undefined) return parseTypedDate(`${trimmed}/${yearOfShort}`);
  const match = DAY_FIRST_DATE.exec(trimmed) ?? DAY_FIRST_DIGITS.exec(trimmed);
  if (!match) return parseCalendarDate(trimmed);
  const [, day = '', month = '', year = ''] = match;
  return parseCalendarDate(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`);
}
