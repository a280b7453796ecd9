import { parseCalendarDate } from '#shared/domain/dates/dates.ts';

const DAY_FIRST_DATE = /^(\d{1,2})[\s/.-]+(\d{1,2})[\s/.-]+(\d{4})$/;
/** The numeric keyboards of phones have no slash. */
const DAY_FIRST_DIGITS = /^(\d{2})(\d{2})(\d{4})$/;

/** May go on: '5/9/20' becomes '5/9/2025'. */
const SHORT_YEAR = /^(\d{1,2}[\s/.-]+\d{1,2}[\s/.-]+)(\d{2})$/;
const DAY_AND_MONTH = /^(\d{1,2})[\s/.-]+(\d{1,2})$/;

/**
 * Parses a typed date, day first: '5/9/2025', '05-09-2025', '05092025', also 'yyyy-mm-dd'. null: no real date.
 * @param yearOfShort given when the typing has ended: the year of a text without one, such as '5/9'; then '5/9/25' is a date, too
 */
export function parseTypedDate(text: string, yearOfShort?: number): string | null {
  const trimmed = text.trim();
  if (yearOfShort !== undefined) {
    if (DAY_AND_MONTH.test(trimmed)) return parseTypedDate(`${trimmed}/${yearOfShort}`);
    const [, dayAndMonth, shortYear] = SHORT_YEAR.exec(trimmed) ?? [];
    if (shortYear !== undefined) return parseTypedDate(`${dayAndMonth}20${shortYear}`);
  }
  const match = DAY_FIRST_DATE.exec(trimmed) ?? DAY_FIRST_DIGITS.exec(trimmed);
  if (!match) return parseCalendarDate(trimmed);
  const [, day = '', month = '', year = ''] = match;
  return parseCalendarDate(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`);
}
