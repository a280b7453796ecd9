import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '#server/files/atomic.ts';
import { connect } from '#server/db/connect.ts';

/**
 * Whether a server uses the data folder. The check only reads and takes no lock, so it cannot prevent the start of a
 * server.
 */
export function isServerRunning(dataDir: string): boolean {
  const file = join(dataDir, 'server.lock');
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
