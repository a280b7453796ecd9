import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { root, printLine } from '../bootstrap.mjs';
import { bundleProgram, noticesWithNode } from './sea-content.ts';
import { createExecutable } from './executable.ts';
import { requireRuntime, type NodeRuntime } from './runtimes.ts';
import { requireHostTarget, TARGETS, type BinaryTarget } from './targets.ts';
import { tryTarget } from './try/try-target.ts';

/**
 * `npm run package [-- host | linux-x64 …] [--gz]` builds the single binary of each target.
 * `npm run package -- --try win-x64` builds one and runs all smoke cases against it, on this system or under Wine.
 */

const OUTPUT_DIR = join(root, 'dist', 'package');
const TARGET_NAMES = TARGETS.map(({ name }) => name).join(', ');
const USAGE =
  `Pilihan: host, ${TARGET_NAMES}; tanpa pilihan: semuanya. --gz: juga dipadatkan. ` +
  '--try TARGET: menyusun lalu mencoba satu program (win-x64: dengan Wine).';

type PackagedFile = { name: string; bytes: number; sha256: string; node: string };

function chosenTargets(names: string[]): BinaryTarget[] | null {
  const chosen = names.map((word) =>
    word === 'host' ? requireHostTarget() : TARGETS.find(({ name }) => name === word),
  );
  const known = chosen.filter((target) => target !== undefined);
  if (known.length < names.length) return null;
  return known.length > 0 ? TARGETS.filter((target) => known.includes(target)) : TARGETS;
}

async function gzipFile(file: string): Promise<string> {
  const packed = `${file}.gz`;
  await pipeline(createReadStream(file), createGzip({ level: 9 }), createWriteStream(packed));
  return packed;
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

function describeFile(file: string, node: string): PackagedFile {
  const sha256 = createHash('sha256').update(readFileSync(file)).digest('hex');
  return { name: basename(file), bytes: statSync(file).size, sha256, node };
}

async function tryOne(names: string[]): Promise<number> {
  const [target, ...others] = (names.length > 0 ? chosenTargets(names) : null) ?? [];
  if (target && others.length === 0) return tryTarget(target);
  printLine(USAGE);
  return 2;
}

async function main(): Promise<number> {
  const args = process.argv.slice(2);
  if (args[0] === '--try') return tryOne(args.slice(1));
  const targets = chosenTargets(args.filter((word) => !word.startsWith('-')));
  const isPacked = args.includes('--gz');
  if (!targets || args.some((word) => word.startsWith('-') && word !== '--gz')) {
    printLine(USAGE);
    return 2;
  }
  // Files of different versions next to each other would mislead, so the folder is emptied first.
  rmSync(OUTPUT_DIR, { recursive: true, force: true });
  mkdirSync(OUTPUT_DIR, { recursive: true });
  printLine('Menyusun server menjadi satu berkas …');
  const program = await bundleProgram(join(root, '.cache', 'package'));

  const packagedFiles: PackagedFile[] = [];
  const runtimes: NodeRuntime[] = [];
  const failed: string[] = [];
  for (const target of targets) {
    try {
      const runtime = await requireRuntime(target, () =>
        printLine(`${target.name}: mengunduh Node (hanya kali ini) …`),
      );
      const file = await createExecutable(program, target, runtime, OUTPUT_DIR);
      runtimes.push(runtime);
      const files = [file, ...(isPacked ? [await gzipFile(file)] : [])];
      for (const outputFile of files) {
        packagedFiles.push(describeFile(outputFile, runtime.version));
        printLine(
          `${target.name}: ${basename(outputFile)}, ${megabytes(statSync(outputFile).size)}, Node ${runtime.version}`,
        );
      }
    } catch (error) {
      failed.push(target.name);
      printLine(`${target.name}: GAGAL, ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  // Also inside each program (`help lisensi`), because many offices copy that alone.
  writeFileSync(join(OUTPUT_DIR, 'LICENSES.txt'), noticesWithNode(program.notices, runtimes));
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  writeFileSync(join(OUTPUT_DIR, 'version.json'), `${JSON.stringify({ version, files: packagedFiles }, null, 2)}\n`);
  writeFileSync(
    join(OUTPUT_DIR, 'SHA256SUMS'),
    packagedFiles.map(({ sha256, name }) => `${sha256}  ${name}\n`).join(''),
  );
  printLine(
    failed.length === 0
      ? `Selesai: ${OUTPUT_DIR}`
      : `Belum lengkap: ${failed.join(', ')} gagal; yang lain ada di ${OUTPUT_DIR}`,
  );
  return failed.length === 0 ? 0 : 1;
}

process.exitCode = await main();
