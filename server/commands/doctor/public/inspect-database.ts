import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '#server/files/atomic.ts';
import { openForInspection, type ConnectionOrTransaction } from '#server/db/open.ts';
import type { Settings } from '#server/settings.ts';
import type { Finding } from '../finding.ts';

/** Runs checks on the database. One that is missing or cannot be read is reported by its own check. */
export async function* inspectDatabase(
  { dataDir }: Pick<Settings, 'dataDir'>,
  check: (orm: ConnectionOrTransaction) => AsyncGenerator<Finding>,
): AsyncGenerator<Finding> {
  const file = join(dataDir, 'pbb.sqlite');
  if (!existsSync(file)) return;
  let database: ReturnType<typeof openForInspection> | undefined;
  try {
    database = openForInspection(file);
    yield* check(database.orm);
  } catch (error) {
    if (!errorCode(error)?.startsWith('SQLITE_')) throw error;
  } finally {
    database?.sqlite.close();
  }
}
