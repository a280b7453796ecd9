import { describe, it } from 'vitest';
import { testServer } from './postgres/test-server.ts';

const definesNothing = Object.assign(() => undefined, { each: () => () => undefined });

/**
 * A test of what only SQLite has: its query plans, pragmas, virtual tables and functions, or its answer within one turn of the
 * event loop. On PostgreSQL nothing is defined, because a skipped test would look as if it waited for somebody.
 */
export const itOnSqlite = testServer === '' ? it : (definesNothing as unknown as typeof it);
/** The same for several tests. */
export const describeOnSqlite = testServer === '' ? describe : (definesNothing as unknown as typeof describe);
