import { yearOf } from '../dates/dates.ts';

/**
 * Whether a record is overdue (R-REC-4): it is not `lunas`, and its due date is before `today`. Without a due date its year
 * has to be before that of `today`. A record that is due today is not overdue. Both dates are 'yyyy-mm-dd'.
 * @throws RangeError when the record has no due date and `today` is not a calendar date.
 */
export function isOverdue(record: { status: string; dueDate: string | null; year: number }, today: string): boolean {
  if (record.status === 'lunas') return false;
  if (record.dueDate !== null) return record.dueDate < today;
  return record.year < yearOf(today);
}
