import { runSync } from './test-server.ts';

const LOCK = 7_212_100;

/**
 * Waits for other workers of the tests that set a setting of the whole server, or need it as it is.
 * @returns lets the next one go on
 */
export function holdServerSettings(): () => void {
  runSync('postgres', `select pg_advisory_lock(${LOCK})`);
  return () => void runSync('postgres', `select pg_advisory_unlock(${LOCK})`);
}
