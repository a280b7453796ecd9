import { yearOf } from './dates.ts';

/**
 * Whether a record is *tunggakan*: not `lunas`, and its due date (a calendar date) is before `today`, or it has none and is of a
 * year before this one. A record due today is not late. Contract 4.
 * @throws RangeError when the record has no due date and `today` is no calendar date.
 */
export function isOverdue(record: { status: string; dueDate: string | null; year: number }, today: string): boolean {
  if (record.status === 'lunas') return false;
  if (record.dueDate !== null) return record.dueDate < today;
  return record.year < yearOf(today);
}
