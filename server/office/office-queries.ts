import type { ConnectionOrTransaction, Transaction } from '../db/engine.ts';
import { officeHours, officeIdentity } from '../db/schema.ts';

/** Each of the two tables has one row. */
const ROW_ID = 1;

export type OfficeHoursRow = typeof officeHours.$inferSelect;

/** The opening hours of the office; undefined before somebody has set them. */
export async function findOfficeHours(orm: ConnectionOrTransaction): Promise<OfficeHoursRow | undefined> {
  return orm.select().from(officeHours).limit(1).get();
}

export async function saveOfficeHours(tx: Transaction, row: Omit<OfficeHoursRow, 'id'>): Promise<void> {
  await tx
    .insert(officeHours)
    .values({ id: ROW_ID, ...row })
    .onConflictDoUpdate({ target: officeHours.id, set: row })
    .run();
}

export type OfficeIdentityRow = Omit<typeof officeIdentity.$inferSelect, 'id'>;

/** The identity of the office; undefined before somebody set it. */
export async function findOfficeIdentity(orm: ConnectionOrTransaction): Promise<OfficeIdentityRow | undefined> {
  return orm.select().from(officeIdentity).limit(1).get();
}

export async function saveOfficeIdentity(tx: Transaction, row: OfficeIdentityRow): Promise<void> {
  await tx
    .insert(officeIdentity)
    .values({ id: ROW_ID, ...row })
    .onConflictDoUpdate({ target: officeIdentity.id, set: row })
    .run();
}

/** Empty before somebody named the office. */
export const findOfficeName = async (orm: ConnectionOrTransaction): Promise<string> =>
  (await findOfficeIdentity(orm))?.name ?? '';
