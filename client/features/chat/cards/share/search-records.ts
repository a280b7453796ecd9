import { recordTitle } from '#client/features/tax-records/display/record-title.ts';
import type { CardRecord } from '../records/card-record.ts';

/** Numbers are typed with spaces, dots or without. */
const foldNumber = (text: string): string => text.toLowerCase().replaceAll(/[\s./-]/g, '');

/** The records in which every word occurs: in title, address, name, year, or number. */
export function searchRecords(records: readonly CardRecord[], search: string): CardRecord[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [...records];
  const number = foldNumber(search);
  return records.filter((record) => {
    const sptNumber = foldNumber(record.spt_number);
    if (number !== '' && sptNumber.includes(number)) return true;
    const text = `${recordTitle(record)} ${record.address} ${record.name} ${record.year}`.toLowerCase();
    return words.every((word) => text.includes(word) || sptNumber.includes(foldNumber(word) || word));
  });
}
