import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { PROGRAM_FILE } from '#server/testing/program/program.ts';
import { inputsFingerprint } from './bootstrap.mjs';
import { bundleServer } from './build.ts';

const stampFile = `${PROGRAM_FILE}.stamp`;

/** Bundles the program for the tests that start it, unless its sources are those of the last bundle. Vitest calls this. */
export async function setup(): Promise<void> {
  const fingerprint = inputsFingerprint(['server', 'shared']);
  const isCurrent = existsSync(stampFile) && readFileSync(stampFile, 'utf8') === fingerprint;
  if (isCurrent) return;
  await bundleServer({ folder: dirname(PROGRAM_FILE), format: 'es' });
  writeFileSync(stampFile, fingerprint);
}
