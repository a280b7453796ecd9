import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { PROGRAM_FILE, TEST_QUERIES_FILE } from '#server/testing/program/program.ts';
import { inputsFingerprint } from './bootstrap.mjs';
import { bundleServer } from './build.ts';

const stampFile = `${PROGRAM_FILE}.stamp`;

/**
 * Bundles the program and the test queries for the tests that start them, unless their sources are those of the last
 * bundles. Vitest calls this.
 */
export async function setup(): Promise<void> {
  const fingerprint = inputsFingerprint(['server', 'shared']);
  const isCurrent = existsSync(stampFile) && readFileSync(stampFile, 'utf8') === fingerprint;
  if (isCurrent) return;
  await bundleServer({ folder: dirname(PROGRAM_FILE), format: 'es' });
  await bundleServer({ folder: dirname(TEST_QUERIES_FILE), format: 'es' }, 'server/testing/test-query-worker.ts');
  writeFileSync(stampFile, fingerprint);
}
