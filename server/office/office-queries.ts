import type { ConnectionOrTransaction, Transaction } from '../db/open.ts';
import { officeHours, officeIdentity } from '../db/schema.ts';

/** Each of the two tables has one row. */
const ROW_ID = 1;

export type OfficeHoursRow = typeof officeHours.$inferSelect;

/** The opening hours of the office; undefined before somebody has set them. */
export function findOfficeHours(orm: ConnectionOrTransaction): OfficeHoursRow | undefined {
  return orm.select().from(officeHours).limit(1).get();
}

export function saveOfficeHours(tx: Transaction, row: Omit<OfficeHoursRow, 'id'>): void {
  tx.insert(officeHours)
    .values({ id: ROW_ID, ...row })
    .onConflictDoUpdate({ target: officeHours.id, set: row })
    .run();
}

export type OfficeIdentityRow = Omit<typeof officeIdentity.$inferSelect, 'id'>;

/** The identity of the office; undefined before somebody set it. */
export function findOfficeIdentity(orm: ConnectionOrTransaction): OfficeIdentityRow | undefined {
  return orm.select().from(officeIdentity).limit(1).get();
}

export function saveOfficeIdentity(tx: Transaction, row: OfficeIdentityRow): void {
  tx.insert(officeIdentity)
    .values({ id: ROW_ID, ...row })
    .onConflictDoUpdate({ target: officeIdentity.id, set: row })
    .run();
}

/** Empty before somebody named the office. */
export const findOfficeName = (orm: ConnectionOrTransaction): string => findOfficeIdentity(orm)?.name ?? '';
