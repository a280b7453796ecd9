import { readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { putAside, takeBack } from '#server/db/data-folder/put-aside.ts';
import type { ServiceContext } from '#server/service-context.ts';
import { DAY_MS } from '#shared/durations.ts';
import { PARTIAL_SUFFIX } from '#server/http/bodies/multipart-form.ts';
import { UPLOAD_NAME_PATTERN } from './upload-names.ts';
import { listUploadNames } from './upload-queries.ts';

/**
 * Puts aside the files that a crash left behind: incomplete ones and those that the database does not name. Only names of
 * this program's form are moved. Files that were put aside before come back when the database names them: it may have been
 * an older one then. It must run before the first request, because a running upload looks like a leftover.
 * @param options.isShared other processes may just be writing into the folder, so only files of yesterday are moved
 * @returns how many files were put aside, and how many came back
 */
export async function putOrphanedFilesAside(
  { orm, proofsDir, now }: Pick<ServiceContext, 'orm' | 'proofsDir' | 'now'>,
  { isShared = false } = {},
): Promise<{
  putAside: number;
  returned: number;
}> {
  const dataDir = dirname(proofsDir);
  const referenced = new Set(await listUploadNames(orm));
  const stored = new Set(readdirSync(proofsDir));
  const orphaned = [...stored].filter((name) => isOrphaned(name, referenced)).map((name) => join(proofsDir, name));
  const files = isShared ? orphaned.filter((file) => isOlderThan(file, now() - DAY_MS)) : orphaned;
  const missing = new Set([...referenced].filter((name) => !stored.has(name)));
  const returned = takeBack(dataDir, missing, proofsDir);
  putAside(dataDir, files, now());
  return { putAside: files.length, returned: returned.length };
}

const isOlderThan = (file: string, instantMs: number): boolean =>
  (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) < instantMs;

function isOrphaned(name: string, referenced: ReadonlySet<string>): boolean {
  if (name.endsWith(PARTIAL_SUFFIX)) return UPLOAD_NAME_PATTERN.test(name.slice(0, -PARTIAL_SUFFIX.length));
  return UPLOAD_NAME_PATTERN.test(name) && !referenced.has(name);
}
