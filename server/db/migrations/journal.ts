import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Resources } from '#server/files/resources.ts';

const journalSchema = z.object({ entries: z.array(z.object({ tag: z.string(), when: z.number() })) });

/** The version of a database compared with the version of this program. */
export type SchemaComparison = 'empty' | 'older' | 'same' | 'newer';

export type Migration = { tag: string; when: number; hash: string; statements: string[] };

/** A newer version of the program has written the database. */
export class NewerDatabaseError extends Error {
  constructor() {
    super('database dibuat oleh versi PBB Kita yang lebih baru daripada program ini');
  }
}

/** A migration failed and none was applied. The message names the migration; the cause is the error of the database. */
export class MigrationError extends Error {}

/** All migrations by name and time, oldest first: the same on both engines. */
export const readJournal = (resources: Resources): z.infer<typeof journalSchema>['entries'] =>
  journalSchema.parse(JSON.parse(resources.read('migrations/meta/_journal.json').toString('utf8'))).entries;

/** @param path of the file in the resources of the program */
export function readMigration(resources: Resources, entry: { tag: string; when: number }, path: string): Migration {
  const sqlText = resources.read(path).toString('utf8');
  return {
    ...entry,
    hash: createHash('sha256').update(sqlText).digest('hex'),
    statements: sqlText.split('--> statement-breakpoint'),
  };
}

/**
 * @param lastAppliedAt the time of the newest applied migration; 0 without one
 * @returns those that are to be applied
 * @throws NewerDatabaseError when the database has a migration that this program does not know
 */
export function selectPending(bundled: readonly Migration[], lastAppliedAt: number): Migration[] {
  if (lastAppliedAt > (bundled.at(-1)?.when ?? 0)) throw new NewerDatabaseError();
  return bundled.filter(({ when }) => when > lastAppliedAt);
}

/** @param lastAppliedAt the time of the newest applied migration; 0 without one */
export function compareVersions(resources: Resources, lastAppliedAt: number): SchemaComparison {
  if (lastAppliedAt === 0) return 'empty';
  const newest = readJournal(resources).at(-1)?.when ?? 0;
  if (lastAppliedAt === newest) return 'same';
  return lastAppliedAt < newest ? 'older' : 'newer';
}
