import type { ConnectionOrTransaction } from './db/open.ts';
import { officeIdentity } from './db/schema.ts';

export type OfficeIdentityRow = Omit<typeof officeIdentity.$inferSelect, 'id'>;

/** What the office says about itself; undefined before somebody set it. */
export function findOfficeIdentity(orm: ConnectionOrTransaction): OfficeIdentityRow | undefined {
  return orm.select().from(officeIdentity).limit(1).get();
}

/** Empty before somebody named the office. */
export const findOfficeName = (orm: ConnectionOrTransaction): string => findOfficeIdentity(orm)?.name ?? '';
