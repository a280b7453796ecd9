import { basename, relative } from 'node:path';
import { isSingleBinary } from './resources.ts';

/** The words that start this program, for lines that suggest the next command. */
export function programName(): string {
  if (isSingleBinary()) return basename(process.execPath);
  return `node ${relative(process.cwd(), process.argv[1] ?? '') || 'main.mjs'}`;
}
