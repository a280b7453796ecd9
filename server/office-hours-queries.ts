import type { ConnectionOrTransaction } from './db/open.ts';
import { officeHours } from './db/schema.ts';

export type OfficeHoursRow = typeof officeHours.$inferSelect;

/** The opening hours of the office; undefined before somebody has set them. */
export function findOfficeHours(orm: ConnectionOrTransaction): OfficeHoursRow | undefined {
  return orm.select().from(officeHours).limit(1).get();
}
