import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, createReadStream, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createGzip } from 'node:zlib';
import { requireHostBinary } from '../package/host-binary.ts';
import { root } from '../bootstrap.mjs';
import { percentiles, printTable, sendRequest } from './measure.ts';

const ROUNDS = 9;
const SETTLE_MS = 3000;
/** Upper limits for the binary on Linux. */
const AIMS = { bytes: 120e6, packedBytes: 45e6, startMs: 300, idleBytes: 110e6 };

/** Measures the single binary in an empty folder: its size, its start-up time and its memory when idle. */
export async function benchPackage(): Promise<void> {
  const binary = await requireHostBinary();
  const folder = mkdtempSync(join(tmpdir(), 'pbb-bench-'));
  const program = join(folder, basename(binary));
  // A copy, as on an installation: how a file was written changes how much of it counts as memory.
  copyFileSync(binary, program);
  const times = { baseline: [] as number[], binary: [] as number[] };
  let idleBytes = 0;
  for (let round = 0; round <= ROUNDS; round += 1) {
    const baseline = await start(process.execPath, [join(root, 'scripts/bench/baselines/baseline-start.ts')], folder);
    const started = await start(program, [], folder);
    // The first start creates the database. The aim is for all later starts.
    if (round > 0) {
      times.baseline.push(baseline.startMs);
      times.binary.push(started.startMs);
    }
    if (round === ROUNDS) {
      await wait(SETTLE_MS);
      idleBytes = await readProcessRssBytes(started.child);
    }
    await Promise.all([stop(baseline.child), stop(started.child)]);
  }
  rmSync(folder, { recursive: true, force: true });

  const row = (name: string, value: number, aim: number, unit: 'MB' | 'ms') => {
    const shown = (amount: number): string => (unit === 'MB' ? (amount / 1e6).toFixed(1) : amount.toFixed(0));
    return [name, `${shown(value)} ${unit}`, `≤ ${shown(aim)} ${unit}`, value <= aim ? 'met' : 'MISSED'];
  };
  printTable(
    `${basename(binary)}; the baseline on node:http starts in ${percentiles(times.baseline).p50.toFixed(0)} ms`,
    ['', 'measured', 'aim', ''],
    [
      row('size', statSync(binary).size, AIMS.bytes, 'MB'),
      row('size packed with gzip -9', await gzippedBytes(binary), AIMS.packedBytes, 'MB'),
      row(`start to the first answer, median of ${ROUNDS}`, percentiles(times.binary).p50, AIMS.startMs, 'ms'),
      row('memory (RSS) when idle', idleBytes, AIMS.idleBytes, 'MB'),
    ],
  );
}

async function start(
  program: string,
  args: string[],
  folder: string,
): Promise<{ child: ChildProcess; startMs: number }> {
  const startedAt = performance.now();
  const child = spawn(program, args, {
    cwd: folder,
    env: { HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const found = /(http:\/\/127[\w.:]+)/.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`${program} ended with ${code}`)));
  });
  await sendRequest(url, { method: 'GET', path: '/healthz' });
  return { child, startMs: performance.now() - startedAt };
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

async function gzippedBytes(file: string): Promise<number> {
  let total = 0;
  const packed = createReadStream(file).pipe(createGzip({ level: 9 }));
  for await (const chunk of packed) total += (chunk as Buffer).length;
  return total;
}

/** Reads the resident set size from /proc on Linux, else from `ps`. */
async function readProcessRssBytes({ pid }: ChildProcess): Promise<number> {
  if (process.platform === 'linux') {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
  }
  let output = '';
  for await (const chunk of spawn('ps', ['-o', 'rss=', '-p', String(pid)]).stdout) output += String(chunk);
  return Number(output) * 1024;
}
