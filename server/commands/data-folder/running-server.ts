import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '#server/files/atomic.ts';
import { connect } from '#server/db/sqlite/connect.ts';
import { LOCK_FILE } from '#server/db/data-folder/data-folder.ts';

/**
 * Whether a server uses the data folder. The check reads the lock file, so a server that starts at that moment has to wait
 * for it, which it does.
 */
export function isServerRunning(dataDir: string): boolean {
  const file = join(dataDir, LOCK_FILE);
  if (!existsSync(file)) return false;
  const lock = connect(file, { readonly: true });
  try {
    lock.pragma('busy_timeout = 0');
    lock.prepare('select count(*) from sqlite_schema').get();
    return false;
  } catch (error) {
    if (errorCode(error)?.startsWith('SQLITE_BUSY')) return true;
    throw error;
  } finally {
    lock.close();
  }
}
