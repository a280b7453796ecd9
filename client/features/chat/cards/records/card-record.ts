import type { RecordCard } from '#shared/api/tax-records/record-card.ts';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { useSession } from '#client/lib/session/session.ts';

/** The calls to use: those of the user, for own records, or those of the admins. */
export type CardScope = 'own' | 'admin';

/** The fields of a record that a card and the lists beside it show. */
export type CardRecord = NonNullable<RecordCard['now']> & { id: string };

export function toCardRecord(record: TaxRecord): CardRecord {
  const { id, name, address, property_type, spt_number, year, amount, status, due_date, payment_date } = record;
  const fields = { id, name, address, property_type, spt_number, year, amount, status, due_date, payment_date };
  const { amount_source, updated_at, verification } = record;
  return { ...fields, amount_source, updated_at, verification, has_proof: record.payment_proof !== null };
}

/** Which calls the signed-in account may use. */
export const useCardScope = (): CardScope => (useSession()?.user?.is_admin ? 'admin' : 'own');
