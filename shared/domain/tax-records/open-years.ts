import { OPEN_YEARS_MAX, YEAR_MAX, YEAR_MIN } from '#shared/limits.ts';
import { yearOf } from '../dates/dates.ts';

/** The first and the last year that an admin may open for users on a day: 2020 to next year (R-YEAR-12). */
export function openYearBounds(today: string): { first: number; last: number } {
  return { first: YEAR_MIN, last: Math.min(YEAR_MAX, yearOf(today) + 1) };
}

/** The year of a user's new record: the sent one if it is open, else the newest open one (R-REC-5). */
export function yearOfNewRecord(openYears: readonly number[], sentYear: number | undefined): number {
  return sentYear !== undefined && openYears.includes(sentYear) ? sentYear : Math.max(...openYears);
}

/** The year of a user's record after an edit: with several open years a sent one that is open, else its own (R-REC-6). */
export function yearAfterEdit(openYears: readonly number[], sentYear: number | undefined, ownYear: number): number {
  return openYears.length > 1 && sentYear !== undefined && openYears.includes(sentYear) ? sentYear : ownYear;
}

/** The open years with one more. Of as many as may be open, the oldest one makes room. */
export function withOpenYear(openYears: readonly number[], year: number): number[] {
  const others = openYears.filter((open) => open !== year).toSorted((a, b) => b - a);
  return [year, ...others.slice(0, OPEN_YEARS_MAX - 1)].toSorted((a, b) => b - a);
}
