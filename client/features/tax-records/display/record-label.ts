import type { TaxRecord } from '#shared/api/tax-records.ts';

/** Names a record in the accessible name of a button, because every row has the same buttons. */
export function recordLabel({ name, spt_number, year }: TaxRecord): string {
  return `${name}, ${spt_number}, ${year}`;
}
