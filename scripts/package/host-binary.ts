import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt, inputsFingerprint, root } from '../toolbox.mjs';
import { readProgram } from './content.ts';
import { makeExecutable } from './executable.ts';
import { requireRuntime } from './runtimes.ts';
import { fileNameOf, requireHostTarget } from './targets.ts';

/** This system's single binary for tests and measurements: made when anything that goes into it has changed. */
export async function requireHostBinary(): Promise<string> {
  const target = requireHostTarget();
  const folder = join(root, '.cache', 'package', 'host');
  const file = join(folder, fileNameOf(target));
  const madeOf = `${file}.inputs`;
  const inputs = fingerprint();
  if (existsSync(file) && existsSync(madeOf) && readFileSync(madeOf, 'utf8') === inputs) return file;
  ensureBuilt();
  mkdirSync(folder, { recursive: true });
  const program = await readProgram(join(root, '.cache', 'package', 'host'));
  await makeExecutable(program, target, await requireRuntime(target, () => undefined), folder);
  writeFileSync(madeOf, inputs);
  return file;
}

function fingerprint(): string {
  const hash = createHash('sha256').update(inputsFingerprint()).update(process.versions.node);
  for (const name of readdirSync(import.meta.dirname).toSorted()) {
    if (/(?<!\.test|\.package)\.c?[jt]s$/.test(name)) hash.update(readFileSync(join(import.meta.dirname, name)));
  }
  const guide = join(root, 'docs', 'operations.md');
  if (existsSync(guide)) hash.update(readFileSync(guide));
  return hash.digest('hex');
}
