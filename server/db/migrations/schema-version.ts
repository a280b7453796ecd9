import { z } from 'zod';
import type { Resources } from '#server/files/resources.ts';
import type { Sqlite } from '../open.ts';

/** The version of a database compared with the version of this program. */
export type SchemaComparison = 'empty' | 'older' | 'same' | 'newer';

const journal = z.object({ entries: z.array(z.object({ when: z.number() })) });

/** Only reads. The server migrates the database at its start. */
export function compareSchemaVersion(sqlite: Sqlite, resources: Resources): SchemaComparison {
  const { entries } = journal.parse(JSON.parse(resources.read('migrations/meta/_journal.json').toString('utf8')));
  const programVersion = entries.at(-1)?.when ?? 0;
  const isKnown = sqlite.prepare("select 1 from sqlite_master where name = '__drizzle_migrations'").get() !== undefined;
  if (!isKnown) return 'empty';
  const { at } = sqlite.prepare('select max(created_at) as at from __drizzle_migrations').get() as {
    at: number | null;
  };
  if (at === null) return 'empty';
  if (at === programVersion) return 'same';
  return at < programVersion ? 'older' : 'newer';
}
