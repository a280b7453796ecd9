import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '#server/context.ts';
import { HALF_WRITTEN, PROOF_NAME } from './proof-files.ts';
import { listProofFiles } from '../queries.ts';

/**
 * Removes images that a crash left behind: half-written ones and those no record refers to. Only names that this program
 * gives are touched. For the start, before the first request: an upload under way looks like a leftover.
 * @returns how many files were removed
 */
export async function sweepProofs({ orm, proofsDir }: Pick<Context, 'orm' | 'proofsDir'>): Promise<number> {
  const referenced = new Set(listProofFiles(orm));
  const leftovers = (await readdir(proofsDir)).filter((name) => isLeftover(name, referenced));
  for (const name of leftovers) await rm(join(proofsDir, name), { force: true });
  return leftovers.length;
}

function isLeftover(name: string, referenced: ReadonlySet<string>): boolean {
  if (name.endsWith(HALF_WRITTEN)) return PROOF_NAME.test(name.slice(0, -HALF_WRITTEN.length));
  return PROOF_NAME.test(name) && !referenced.has(name);
}
