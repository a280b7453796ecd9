import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { putAside, takeBack } from '#server/db/data-folder/put-aside.ts';
import type { ServiceContext } from '#server/service-context.ts';
import { PARTIAL_SUFFIX } from '#server/http/multipart-form.ts';
import { PROOF_NAME_PATTERN } from './proof-files.ts';
import { listProofFiles } from '../queries.ts';

/**
 * Puts aside the images that a crash left behind: incomplete ones and those that no record refers to. Only names of this
 * program's form are moved. Images that were put aside before come back when a record refers to them: the database may
 * have been an older one then. It must run before the first request, because a running upload looks like a leftover.
 * @returns how many files were put aside, and how many came back
 */
export function putOrphanedProofsAside({ orm, proofsDir, now }: Pick<ServiceContext, 'orm' | 'proofsDir' | 'now'>): {
  putAside: number;
  returned: number;
} {
  const dataDir = dirname(proofsDir);
  const referenced = new Set(listProofFiles(orm));
  const stored = new Set(readdirSync(proofsDir));
  const files = [...stored].filter((name) => isOrphaned(name, referenced)).map((name) => join(proofsDir, name));
  const missing = new Set([...referenced].filter((name) => !stored.has(name)));
  const returned = takeBack(dataDir, missing, proofsDir);
  putAside(dataDir, files, now());
  return { putAside: files.length, returned: returned.length };
}

function isOrphaned(name: string, referenced: ReadonlySet<string>): boolean {
  if (name.endsWith(PARTIAL_SUFFIX)) return PROOF_NAME_PATTERN.test(name.slice(0, -PARTIAL_SUFFIX.length));
  return PROOF_NAME_PATTERN.test(name) && !referenced.has(name);
}
