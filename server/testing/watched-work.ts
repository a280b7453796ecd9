import Database from 'better-sqlite3';
import { type argon2 } from 'node:crypto';
import type { Mock } from 'vitest';
import { openDatabase } from '#server/db/sqlite/open.ts';
import { openTestDatabase, withDirectAccess } from './open-test-database.ts';
import { buildTestApp, type TestApp } from './test-app.ts';

/** The work of a call, where its time must say nothing: a measured time depends on the load of the computer. */

/** An app that notes every statement without its values. */
export async function buildWatchedApp(): Promise<{ test: TestApp; statements: string[] }> {
  const statements: string[] = [];
  const empty = openTestDatabase();
  const verbose = (text: unknown): void => {
    const plain = String(text)
      .replaceAll(/'[^']*'|-?\d+(\.\d+)?|NULL/g, '?')
      .replaceAll(/\/\*.*?\*\//g, '');
    // The watch of the sessions asks every now and then.
    if (!plain.startsWith('PRAGMA')) statements.push(plain);
  };
  const sqlite = new Database(empty.sqlite.serialize(), { verbose });
  empty.sqlite.close();
  const test = await buildTestApp({ database: withDirectAccess(openDatabase(':memory:', sqlite)) });
  return { test, statements };
}

/** The statements of a call, and the cost of its hashes, since the last reading. @param hashing the watched argon2 */
export function readWork(
  hashing: Mock<typeof argon2>,
  statements: string[],
): { statements: string[]; hashes: unknown[] } {
  const hashes = hashing.mock.calls.map(([algorithm, { memory, passes, parallelism }]) => ({
    algorithm,
    memory,
    passes,
    parallelism,
  }));
  hashing.mockClear();
  return { statements: statements.splice(0), hashes };
}
