import type { Sqlite } from '../sqlite/connect.ts';
import { listReferencedFiles } from '../referenced-files.ts';

/** @returns the paths of all files that rows name, in the folder of files: photos, documents, the logo, and copies of own data */
export function listMovedFiles(sqlite: Sqlite): string[] {
  const copies = sqlite.prepare<[], string>("select file from data_exports where state = 'ready' order by 1").pluck();
  return [
    ...listReferencedFiles(sqlite).map((name) => `proofs/${name}`),
    ...copies.all().map((name) => `exports/${name}`),
  ];
}
