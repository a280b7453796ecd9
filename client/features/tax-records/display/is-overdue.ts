import type { TaxRecord } from '#shared/api/tax-records.ts';
import { isOverdue } from '#shared/domain/overdue.ts';

/** Whether a record is in arrears, by the one rule of contract 4. */
export function isRecordOverdue(record: TaxRecord, today: string): boolean {
  return isOverdue({ status: record.status, dueDate: record.due_date, year: record.year }, today);
}
