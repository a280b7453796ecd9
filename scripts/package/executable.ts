import { execFileSync } from 'node:child_process';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createSeaContent, type BundledProgram } from './sea-content.ts';
import type { NodeRuntime } from './runtimes.ts';
import { writeSeaBlob } from './sea-blob.ts';
import { signMachO } from './sign-macho.ts';
import { stripElf } from './strip-elf.ts';
import { fileNameOf, type BinaryTarget } from './targets.ts';
import { unsignPe } from './unsign-pe.ts';
import { withoutCompiler } from './without-compiler.ts';

type Inject = (
  file: string,
  resource: string,
  bytes: Buffer,
  options: { sentinelFuse: string; machoSegmentName?: string },
) => Promise<void>;
// postject ships no types.
const { inject } = createRequire(import.meta.url)('postject') as { inject: Inject };

const SENTINEL_FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/** Creates the executable of one target in a temporary file and renames it when it is complete. @returns its path */
export async function createExecutable(
  program: BundledProgram,
  target: BinaryTarget,
  runtime: NodeRuntime,
  folder: string,
): Promise<string> {
  const content = createSeaContent(program, target, runtime);
  // V8's code cache halves the start-up time, but only the target's own Node can make it.
  // So only the binary for this system gets one.
  if (target.name === hostTargetName())
    content.assets.set('program/main.cache', createCodeCache(program.code, runtime));
  const blob = writeSeaBlob(content, runtime.version);
  const file = join(folder, fileNameOf(target));
  const temporaryFile = `${file}.new`;
  writeFileSync(temporaryFile, prepareNodeBinary(readFileSync(runtime.file), target), { mode: 0o755 });
  const isMac = target.name.startsWith('darwin');
  await inject(temporaryFile, 'NODE_SEA_BLOB', blob, {
    sentinelFuse: SENTINEL_FUSE,
    ...(isMac ? { machoSegmentName: 'NODE_SEA' } : {}),
  });
  if (isMac) writeFileSync(temporaryFile, signMachO(readFileSync(temporaryFile), fileNameOf(target)));
  if (isMac && process.platform === 'darwin') execFileSync('codesign', ['--force', '--sign', '-', temporaryFile]);
  renameSync(temporaryFile, file);
  return file;
}

function prepareNodeBinary(original: Buffer, target: BinaryTarget): Buffer {
  const node = withoutCompiler(original);
  if (target.name.startsWith('linux')) return stripElf(node);
  return target.name.startsWith('win') ? unsignPe(node) : node;
}

const hostTargetName = (): string => `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

/** Creates V8's code cache for starter.cjs. V8 accepts it only in the same Node version on the same system. */
function createCodeCache(code: Buffer, runtime: NodeRuntime): Buffer {
  const script = `
    const chunks = [];
    process.stdin.on('data', (chunk) => chunks.push(chunk)).on('end', () => {
      const { Script } = require('node:vm');
      const options = { filename: 'main.cjs' };
      process.stdout.write(new Script(Buffer.concat(chunks).toString('latin1'), options).createCachedData());
    });`;
  return execFileSync(runtime.file, ['-e', script], { input: code, maxBuffer: 2 ** 28 });
}
