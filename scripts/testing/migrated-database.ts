import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { migrate } from '#server/db/migrations/migrate.ts';
import { openDatabase } from '#server/db/sqlite/open.ts';
import { diskResources } from '#server/files/resources.ts';

/** Migrates an empty database, of which each test gets a copy: the migrations take longer than many a test. Vitest calls this. */
export function setup({ provide }: TestProject): () => void {
  const { sqlite } = openDatabase(':memory:');
  migrate(sqlite, diskResources({ migrations: 'drizzle' }), () => {});
  const folder = mkdtempSync(join(tmpdir(), 'pbb-migrated-'));
  const file = join(folder, 'empty.db');
  writeFileSync(file, sqlite.serialize());
  sqlite.close();
  provide('migratedDatabase', file);
  return () => rmSync(folder, { recursive: true });
}
