import type { ConnectionOrTransaction } from '../db/open.ts';
import { officeHours, officeIdentity } from '../db/schema.ts';

export type OfficeHoursRow = typeof officeHours.$inferSelect;

/** The opening hours of the office; undefined before somebody has set them. */
export function findOfficeHours(orm: ConnectionOrTransaction): OfficeHoursRow | undefined {
  return orm.select().from(officeHours).limit(1).get();
}

export type OfficeIdentityRow = Omit<typeof officeIdentity.$inferSelect, 'id'>;

/** The identity of the office; undefined before somebody set it. */
export function findOfficeIdentity(orm: ConnectionOrTransaction): OfficeIdentityRow | undefined {
  return orm.select().from(officeIdentity).limit(1).get();
}

/** Empty before somebody named the office. */
export const findOfficeName = (orm: ConnectionOrTransaction): string => findOfficeIdentity(orm)?.name ?? '';
