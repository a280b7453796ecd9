import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServiceContext } from '#server/service-context.ts';
import { PARTIAL_SUFFIX, PROOF_NAME_PATTERN } from './proof-files.ts';
import { listProofFiles } from '../queries.ts';

/**
 * Removes images that a crash left behind: incomplete ones and those that no record refers to. Only names of this
 * program's form are removed. It must run before the first request, because a running upload looks like a leftover.
 * @returns how many files were removed
 */
export async function removeOrphanedProofs({
  orm,
  proofsDir,
}: Pick<ServiceContext, 'orm' | 'proofsDir'>): Promise<number> {
  const referenced = new Set(listProofFiles(orm));
  const orphaned = (await readdir(proofsDir)).filter((name) => isOrphaned(name, referenced));
  for (const name of orphaned) await rm(join(proofsDir, name), { force: true });
  return orphaned.length;
}

function isOrphaned(name: string, referenced: ReadonlySet<string>): boolean {
  if (name.endsWith(PARTIAL_SUFFIX)) return PROOF_NAME_PATTERN.test(name.slice(0, -PARTIAL_SUFFIX.length));
  return PROOF_NAME_PATTERN.test(name) && !referenced.has(name);
}
