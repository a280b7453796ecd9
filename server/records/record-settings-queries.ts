import type { RecordSettings } from '#shared/api/tax-records/record-settings.ts';
import { USER_RECORD_YEAR } from '#shared/limits.ts';
import type { ConnectionOrTransaction, Transaction } from '../db/engine.ts';
import { recordSettings } from '../db/schema.ts';

/** The table has one row. */
const ROW_ID = 1;

/** The settings that hold before an admin saved any. */
const DEFAULTS: RecordSettings = { user_years: [USER_RECORD_YEAR], rollover: 'automatic' };

export async function readRecordSettings(orm: ConnectionOrTransaction): Promise<RecordSettings> {
  const row = await orm.select().from(recordSettings).limit(1).get();
  return row ? { user_years: row.userYears, rollover: row.rollover } : DEFAULTS;
}

export async function saveRecordSettings(tx: Transaction, settings: RecordSettings, updatedAt: number): Promise<void> {
  const row = { userYears: settings.user_years, rollover: settings.rollover, updatedAt };
  await tx
    .insert(recordSettings)
    .values({ id: ROW_ID, ...row })
    .onConflictDoUpdate({ target: recordSettings.id, set: row })
    .run();
}
