import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { BackupsData } from '#shared/api/system.ts';
import { copyFolderIn } from '#server/operations/running-copy/copy-state.ts';
import { root } from '../../bootstrap.mjs';
import { type HttpCall, sendRequest } from '../requests.ts';
import { percentiles, type Result } from '../results.ts';
import {
  type CopyUsage,
  type MeasuredServer,
  readCopyUsage,
  readMaxLoopDelayMs,
  startServer,
} from '../server-process.ts';
import type { RegencyCopy } from './regency-copy.ts';

const SCRIPT = 'dist/server/main.mjs';
const MEASURE_MS = 60_000;
const MESSAGES_A_SECOND = 200;
const TICK_MS = 25;
/** Often enough that a log which is emptied meanwhile hides little of its growth. */
const LOG_LOOK_EVERY_MS = 10;
/** docs/requirements.md R-SYS-35 */
const AIMS = { loadCpuPercent: 3, idleCpuPercent: 0.2, bytesRatio: 1.5, restoreSeconds: 60 };

type Measured = { server: MeasuredServer; data: RegencyCopy };

async function readCopy({ server, data }: Measured) {
  const token = data.admins[0]?.token ?? '';
  const answer = await sendRequest(server.url, { method: 'GET', path: '/api/admin/backups', token });
  return (JSON.parse(answer) as { data: BackupsData }).data.status.running_copy;
}

async function waitUntilCopied(measured: Measured, afterMs = 0): Promise<void> {
  for (;;) {
    const copy = await readCopy(measured);
    if (copy?.state === 'stopped') throw new Error(copy.message ?? 'the running copy is stopped');
    if (copy?.state === 'ok' && copy.at !== null && Date.parse(copy.at) > afterMs) return;
    await pause(500);
  }
}

/** @returns what the thread of the copy used and wrote while something was done, with its share of a core */
async function measureThread(
  server: MeasuredServer,
  act: () => Promise<void>,
): Promise<CopyUsage & { percent: number }> {
  const before = await readCopyUsage(server);
  const startedAt = performance.now();
  await act();
  const after = await readCopyUsage(server);
  const cpuMicroseconds = after.cpuMicroseconds - before.cpuMicroseconds;
  return {
    cpuMicroseconds,
    percent: cpuMicroseconds / 10 / (performance.now() - startedAt),
    databaseBytes: after.databaseBytes - before.databaseBytes,
    otherBytes: after.otherBytes - before.otherBytes,
  };
}

/** Counts the bytes by which the write-ahead log grows. @returns a function that ends the count */
function countLogBytes(databaseFile: string): () => number {
  const readSize = (): number => statSync(`${databaseFile}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  let [size, bytes] = [readSize(), 0];
  const look = (): void => {
    const now = readSize();
    bytes += now >= size ? now - size : now;
    size = now;
  };
  const timer = setInterval(look, LOG_LOOK_EVERY_MS);
  return () => {
    clearInterval(timer);
    look();
    return bytes;
  };
}

/** Sends messages at an even rate, whether the answers come or not. @returns their number and the time of each */
async function sendEvenly(url: string, nextMessage: () => HttpCall): Promise<number[]> {
  const times: number[] = [];
  const sent: Promise<void>[] = [];
  const startedAt = performance.now();
  for (;;) {
    const passedMs = performance.now() - startedAt;
    if (passedMs >= MEASURE_MS) break;
    while (sent.length < (passedMs / 1000) * MESSAGES_A_SECOND) {
      const from = performance.now();
      sent.push(sendRequest(url, nextMessage()).then(() => void times.push(performance.now() - from)));
    }
    await pause(TICK_MS);
  }
  await Promise.all(sent);
  return times;
}

/** Restores the copy with the program, as on a new computer. @returns the seconds */
async function restore(folder: string): Promise<number> {
  const target = mkdtempSync(join(tmpdir(), 'pbb-bench-restored-'));
  try {
    const startedAt = performance.now();
    const child = spawn(process.execPath, [join(root, SCRIPT), 'restore', folder, '--ya'], {
      env: { ...process.env, DATA_DIR: join(target, 'data') },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) throw new Error(`the restore ended with ${code}`);
    return (performance.now() - startedAt) / 1000;
  } finally {
    rmSync(target, { recursive: true, force: true });
  }
}

/** Measures the cost of the running copy, idle and beside messages, and the time of its restore. */
export async function measureRunningCopy(
  data: RegencyCopy,
  nextMessage: () => HttpCall,
  settings: Record<string, string>,
): Promise<Result[]> {
  const secondDir = `${data.dataDir}-second`;
  mkdirSync(secondDir);
  try {
    const startedAt = performance.now();
    const server = await startServer(SCRIPT, { ...settings, DATA_DIR: data.dataDir, BACKUP_SECOND_DIR: secondDir });
    const measured = { server, data };
    const rows: Result[] = [];
    try {
      await waitUntilCopied(measured);
      rows.push({ name: 'first running copy, s', measured: (performance.now() - startedAt) / 1000 });
      const idle = await measureThread(server, () => pause(MEASURE_MS));
      await readMaxLoopDelayMs(server);
      const endCount = countLogBytes(data.databaseFile);
      let times: number[] = [];
      const load = await measureThread(server, async () => {
        times = await sendEvenly(server.url, nextMessage);
        await waitUntilCopied(measured, Date.now());
      });
      const logBytes = endCount();
      const pauseMs = await readMaxLoopDelayMs(server);
      const { loadCpuPercent, idleCpuPercent, bytesRatio } = AIMS;
      rows.push(
        { name: 'its thread, idle, % of a core', measured: idle.percent, aim: { max: idleCpuPercent } },
        {
          name: 'its thread, 200 messages a second, % of a core',
          measured: load.percent,
          aim: { max: loadCpuPercent },
        },
        { name: 'message beside it, p99', measured: percentiles(times).p99, pauseMs },
        {
          name: 'written to its folder, MB, beside MB of log',
          measured: load.otherBytes / 1e6,
          baseline: logBytes / 1e6,
          aim: { ratioMax: bytesRatio },
        },
        {
          name: 'the same with its own checkpoints',
          measured: (load.otherBytes + load.databaseBytes) / 1e6,
          baseline: logBytes / 1e6,
        },
      );
    } finally {
      await server.stop();
    }
    const seconds = await restore(copyFolderIn(secondDir));
    return [...rows, { name: 'restore of it, s', measured: seconds, aim: { max: AIMS.restoreSeconds } }];
  } finally {
    rmSync(secondDir, { recursive: true, force: true });
  }
}
