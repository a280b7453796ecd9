import type { TaxRecord } from '#shared/api/tax-records.ts';
import { isOutstanding } from '#shared/domain/arrears.ts';

/** Whether a record is in arrears, by the one rule of contract 4. */
export function isLate(record: TaxRecord, today: string): boolean {
  return isOutstanding({ status: record.status, dueDate: record.due_date, year: record.year }, today);
}
