import type { UseFormReturnType } from '@mantine/form';
import { useEffect, useRef } from 'react';
import { today } from '#client/lib/format.ts';
import { yearOf } from '#shared/domain/dates/dates.ts';
import { USER_RECORD_YEAR } from '#shared/limits.ts';
import type { RecordFormValues } from './record-form-values.ts';

/** The years of a user's form until the open years are known. */
export const YEARS_AT_FIRST: readonly number[] = [USER_RECORD_YEAR];

/** The year of a new record: this one if it is open, else the newest open one. */
export function suggestedYear(openYears: readonly number[]): number {
  const thisYear = yearOf(today());
  return openYears.includes(thisYear) ? thisYear : Math.max(...openYears);
}

/** The years that an edit can choose, newest first: with several open ones those and the record's own, else its own. */
export function yearsOfEdit(openYears: readonly number[], ownYear: number): number[] {
  if (openYears.length < 2) return [ownYear];
  return [...new Set([...openYears, ownYear])].toSorted((a, b) => b - a);
}

/** Gives a new record a year that is open, also when the open years change, unless the person chose an open one. */
export function useOpenYear(form: UseFormReturnType<RecordFormValues>, openYears: readonly number[] | undefined): void {
  const suggested = useRef(form.getInitialValues().year);
  useEffect(() => {
    if (!openYears) return;
    const { year } = form.getValues();
    if (year !== suggested.current && openYears.includes(Number(year))) return;
    suggested.current = suggestedYear(openYears);
    if (year === suggested.current) return;
    // The user did not type it, so leaving the page loses nothing.
    form.setInitialValues({ ...form.getInitialValues(), year: suggested.current });
    form.setFieldValue('year', suggested.current);
    // Only when the years change; the form is a new object at each key press.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [openYears]);
}
