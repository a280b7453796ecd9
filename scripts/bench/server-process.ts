import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { root } from '../bootstrap.mjs';
import { RUNTIME_FLAGS } from '../runtime-flags.mjs';

export type MeasuredServer = { url: string; startMs: number; child: ChildProcess; stop: () => Promise<void> };

const START_TIMEOUT_MS = 60_000;

/** @returns a port for a server that will start several times at the same address */
export async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

/** Starts the server or a baseline and waits for the output line with its address. @param folder of another checkout */
export function startServer(
  script: string,
  environment: Record<string, string>,
  folder = root,
): Promise<MeasuredServer> {
  return launchServer(script, environment, folder).ready;
}

/** Starts the server or a baseline. @returns its process at once, so that it can be killed before it is ready */
export function launchServer(
  script: string,
  environment: Record<string, string>,
  folder = root,
): { child: ChildProcess; ready: Promise<MeasuredServer> } {
  const startedAt = performance.now();
  // A baseline runs as a plain program would.
  const flags = script.startsWith('dist/') ? RUNTIME_FLAGS : [];
  const child = spawn(
    process.execPath,
    [...flags, '--import', join(root, 'scripts/bench/event-loop-monitor.mjs'), join(folder, script)],
    {
      cwd: folder,
      env: { ...process.env, HOST: '127.0.0.1', PORT: '0', RATE_LIMITS: 'off', LOG_LEVEL: 'error', ...environment },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    },
  );
  const ready = new Promise<MeasuredServer>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${script} did not start`)), START_TIMEOUT_MS);
    let output = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const url = /(http:\/\/[\w.:]+)/.exec(output)?.[1];
      if (url === undefined) return;
      clearTimeout(timer);
      resolve({ url, startMs: performance.now() - startedAt, child, stop: () => stop(child) });
    });
    child.once('exit', (code, signal) => {
      clearTimeout(timer);
      reject(new Error(`${script} ended with ${code ?? signal}`));
    });
  });
  return { child, ready };
}

function stop(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}

function queryProcess<A>(
  { child }: MeasuredServer,
  query: 'loop-delay' | 'longest-turn' | 'memory' | 'usage' | 'copy-usage',
): Promise<A> {
  return new Promise((resolve) => {
    child.once('message', (answer: A) => resolve(answer));
    child.send(query);
  });
}

/** Reads the maximum event loop delay since the last call. @returns milliseconds */
export async function readMaxLoopDelayMs(server: MeasuredServer): Promise<number> {
  return (await queryProcess<{ maxDelayMs: number }>(server, 'loop-delay')).maxDelayMs;
}

/**
 * Reads the most processor time that the thread of the event loop used between two looks since the last call. The first call
 * begins to look.
 */
export async function readLongestTurnMs(server: MeasuredServer): Promise<number> {
  return (await queryProcess<{ longestTurnMs: number }>(server, 'longest-turn')).longestTurnMs;
}

/** Reads the resident set size of the server's process after a full garbage collection. */
export async function readRssBytes(server: MeasuredServer): Promise<number> {
  return (await queryProcess<{ rssBytes: number }>(server, 'memory')).rssBytes;
}

/** `cpuMicroseconds`: of all threads since the start; `loopActiveMs`: how long the event loop was busy since then. */
export type Usage = { cpuMicroseconds: number; rssBytes: number; loopActiveMs: number };

/** Reads the processor time used since the start, and the resident set size as it is. */
export function readUsage(server: MeasuredServer): Promise<Usage> {
  return queryProcess(server, 'usage');
}

/** Of the thread of the running copy since the start. `databaseBytes`: into the database file of the copy. */
export type CopyUsage = { cpuMicroseconds: number; databaseBytes: number; otherBytes: number };

/** Reads what the running copy has used and written; the server must keep one. */
export function readCopyUsage(server: MeasuredServer): Promise<CopyUsage> {
  return queryProcess(server, 'copy-usage');
}
