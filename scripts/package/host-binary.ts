import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt, inputsFingerprint, root } from '../bootstrap.mjs';
import { bundleProgram } from './sea-content.ts';
import { createExecutable } from './executable.ts';
import { requireRuntime } from './runtimes.ts';
import { fileNameOf, requireHostTarget, type BinaryTarget } from './targets.ts';

/** Returns this system's single binary for tests and benchmarks. Builds it again when one of its inputs has changed. */
export const requireHostBinary = (): Promise<string> => requireBinary(requireHostTarget());

/** Builds it before test files that need it run side by side, each of which would build it in the same folder. Vitest calls this. */
export const setup = async (): Promise<void> => void (await requireHostBinary());

/** Returns the single binary of a target. Builds it again when one of its inputs has changed. */
export async function requireBinary(target: BinaryTarget): Promise<string> {
  const folder = join(root, '.cache', 'package', target === requireHostTarget() ? 'host' : target.name);
  const file = join(folder, fileNameOf(target));
  const fingerprintFile = `${file}.inputs`;
  const currentFingerprint = binaryFingerprint();
  if (existsSync(file) && existsSync(fingerprintFile) && readFileSync(fingerprintFile, 'utf8') === currentFingerprint)
    return file;
  ensureBuilt();
  mkdirSync(folder, { recursive: true });
  const program = await bundleProgram(folder);
  await createExecutable(program, target, await requireRuntime(target, () => undefined), folder);
  writeFileSync(fingerprintFile, currentFingerprint);
  return file;
}

function binaryFingerprint(): string {
  const hash = createHash('sha256').update(inputsFingerprint()).update(process.versions.node);
  for (const name of readdirSync(import.meta.dirname).toSorted()) {
    if (/(?<!\.test|\.package)\.c?[jt]s$/.test(name)) hash.update(readFileSync(join(import.meta.dirname, name)));
  }
  const guide = join(root, 'docs', 'operations.md');
  if (existsSync(guide)) hash.update(readFileSync(guide));
  return hash.digest('hex');
}
