import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { root, say } from '../toolbox.mjs';
import { readProgram } from './content.ts';
import { makeExecutable } from './executable.ts';
import { requireRuntime } from './runtimes.ts';
import { requireHostTarget, TARGETS, type Target } from './targets.ts';

/** `npm run package [-- host | linux-x64 …] [--gz]`: the whole program as one file for each system. */

const OUT = join(root, 'dist', 'package');
const USAGE = `Pilihan: host, ${TARGETS.map(({ name }) => name).join(', ')}; tanpa pilihan: semuanya. --gz: juga dipadatkan.`;

type Made = { name: string; bytes: number; sha256: string; node: string };

function chosenTargets(words: string[]): Target[] | null {
  const chosen = words.map((word) =>
    word === 'host' ? requireHostTarget() : TARGETS.find(({ name }) => name === word),
  );
  const known = chosen.filter((target) => target !== undefined);
  if (known.length < words.length) return null;
  return known.length > 0 ? TARGETS.filter((target) => known.includes(target)) : TARGETS;
}

async function pack(file: string): Promise<string> {
  const packed = `${file}.gz`;
  await pipeline(createReadStream(file), createGzip({ level: 9 }), createWriteStream(packed));
  return packed;
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

function describe(file: string, node: string): Made {
  const sha256 = createHash('sha256').update(readFileSync(file)).digest('hex');
  return { name: basename(file), bytes: statSync(file).size, sha256, node };
}

async function main(): Promise<number> {
  const words = process.argv.slice(2);
  const targets = chosenTargets(words.filter((word) => !word.startsWith('-')));
  const isPacked = words.includes('--gz');
  if (!targets || words.some((word) => word.startsWith('-') && word !== '--gz')) {
    say(USAGE);
    return 2;
  }
  // Nothing stays there that this run has not made: a file of an older version beside a newer one misleads.
  rmSync(OUT, { recursive: true, force: true });
  mkdirSync(OUT, { recursive: true });
  say('Menyusun server menjadi satu berkas …');
  const program = await readProgram(join(root, '.cache', 'package'));

  const made: Made[] = [];
  const failed: string[] = [];
  for (const target of targets) {
    try {
      const runtime = await requireRuntime(target, () => say(`${target.name}: mengunduh Node (hanya kali ini) …`));
      const file = await makeExecutable(program, target, runtime, OUT);
      const files = [file, ...(isPacked ? [await pack(file)] : [])];
      for (const one of files) {
        made.push(describe(one, runtime.version));
        say(`${target.name}: ${basename(one)}, ${megabytes(statSync(one).size)}, Node ${runtime.version}`);
      }
    } catch (error) {
      failed.push(target.name);
      say(`${target.name}: GAGAL, ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  writeFileSync(join(OUT, 'version.json'), `${JSON.stringify({ version, files: made }, null, 2)}\n`);
  writeFileSync(join(OUT, 'SHA256SUMS'), made.map(({ sha256, name }) => `${sha256}  ${name}\n`).join(''));
  say(failed.length === 0 ? `Selesai: ${OUT}` : `Belum lengkap: ${failed.join(', ')} gagal; yang lain ada di ${OUT}`);
  return failed.length === 0 ? 0 : 1;
}

process.exitCode = await main();
