import { execFileSync } from 'node:child_process';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { contentFor, type Program } from './content.ts';
import type { Runtime } from './runtimes.ts';
import { writeSeaBlob } from './sea-blob.ts';
import { signMachO } from './sign-macho.ts';
import { stripElf } from './strip-elf.ts';
import { fileNameOf, type Target } from './targets.ts';
import { unsignPe } from './unsign-pe.ts';

type Inject = (
  file: string,
  resource: string,
  bytes: Buffer,
  options: { sentinelFuse: string; machoSegmentName?: string },
) => Promise<void>;
// It has no types of its own.
const { inject } = createRequire(import.meta.url)('postject') as { inject: Inject };

const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/** Makes the one file for one target, aside, and puts it in its place when it is whole. @returns where it is */
export async function makeExecutable(
  program: Program,
  target: Target,
  runtime: Runtime,
  folder: string,
): Promise<string> {
  const content = contentFor(program, target);
  // Only this system can run that Node to have it compile: so compiled, the program is up in half the time.
  if (target.name === hostName()) content.assets.set('program/main.cache', compile(program.code, runtime));
  const blob = writeSeaBlob(content, runtime.version);
  const file = join(folder, fileNameOf(target));
  const aside = `${file}.new`;
  writeFileSync(aside, prepare(readFileSync(runtime.file), target), { mode: 0o755 });
  const isMac = target.name.startsWith('darwin');
  await inject(aside, 'NODE_SEA_BLOB', blob, {
    sentinelFuse: FUSE,
    ...(isMac ? { machoSegmentName: 'NODE_SEA' } : {}),
  });
  if (isMac) writeFileSync(aside, signMachO(readFileSync(aside), fileNameOf(target)));
  if (isMac && process.platform === 'darwin') execFileSync('codesign', ['--force', '--sign', '-', aside]);
  renameSync(aside, file);
  return file;
}

function prepare(node: Buffer, target: Target): Buffer {
  if (target.name.startsWith('linux')) return stripElf(node);
  return target.name.startsWith('win') ? unsignPe(node) : node;
}

const hostName = (): string => `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

/** What V8 makes of the text, for starter.cjs. It counts only for the very same Node on the very same system. */
function compile(code: Buffer, runtime: Runtime): Buffer {
  const script = `
    const chunks = [];
    process.stdin.on('data', (chunk) => chunks.push(chunk)).on('end', () => {
      const { Script } = require('node:vm');
      const options = { filename: 'main.cjs' };
      process.stdout.write(new Script(Buffer.concat(chunks).toString('latin1'), options).createCachedData());
    });`;
  return execFileSync(runtime.file, ['-e', script], { input: code, maxBuffer: 2 ** 28 });
}
