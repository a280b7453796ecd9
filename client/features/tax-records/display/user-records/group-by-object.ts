import type { TaxRecord } from '#shared/api/tax-records.ts';
import { isRecordOverdue } from '../due-date.tsx';

/** A tax object with its records, newest year first. */
export type ObjectRecords = { sptNumber: string; address: string; records: TaxRecord[]; overdueCount: number };

/** The SPT number identifies an object from year to year; people type it with different spaces and letters. */
const objectKey = ({ spt_number }: TaxRecord): string => spt_number.replace(/\s+/g, '').toLowerCase();

/** Groups records by their object: objects with overdue records first, then by address. @param date 'yyyy-mm-dd' */
export function groupByObject(records: readonly TaxRecord[], date: string): ObjectRecords[] {
  const newestFirst = records.toSorted((a, b) => b.year - a.year || b.created_at.localeCompare(a.created_at));
  const groups = Map.groupBy(newestFirst, objectKey);
  return [...groups.values()]
    .flatMap((group) => {
      const [newest] = group;
      if (!newest) return [];
      const overdueCount = group.filter((record) => isRecordOverdue(record, date)).length;
      return [{ sptNumber: newest.spt_number, address: newest.address, records: group, overdueCount }];
    })
    .toSorted((a, b) => Number(b.overdueCount > 0) - Number(a.overdueCount > 0) || a.address.localeCompare(b.address));
}
