import type { RecordCard } from '#shared/api/tax-records/record-card.ts';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { toCardRecord } from '../records/card-record.ts';

/** The card of a record that has not changed since the message was sent, unless `before` says otherwise. */
export function buildCard(record: TaxRecord, before: Partial<RecordCard['then']> = {}): RecordCard {
  const { id, has_proof, verification, ...fields } = toCardRecord(record);
  // An object and no function, so `await` takes no notice of it.
  // oxlint-disable-next-line unicorn/no-thenable
  return { id, now: { ...fields, has_proof, verification }, then: { ...fields, ...before } };
}
