import { describe, it } from 'vitest';
import { testServer } from './postgres/test-server.ts';

const definesNothing = Object.assign(() => undefined, { each: () => () => undefined });

/**
 * A test of what only SQLite has: its query plans, pragmas, virtual tables and functions, or its answer within one turn of the
 * event loop. On PostgreSQL such a test does not exist: a skipped one would look as if it still had to be mended.
 */
export const itOnSqlite = testServer === '' ? it : (definesNothing as unknown as typeof it);
/** The same for several tests. */
export const describeOnSqlite = testServer === '' ? describe : (definesNothing as unknown as typeof describe);
