import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { COMPILE_CACHE, PROGRAM_FILE } from './program.ts';
import { withTimeout } from '../with-timeout.ts';

const READY_LINE = / siap di (http:\/\/\S+)$/m;
/** A start takes about 0.6 s; a loaded computer takes much longer. */
const START_TIMEOUT_MS = 50_000;

export type ServerProcess = {
  child: ChildProcess;
  output: { stdout: string; stderr: string };
  /** The URL in the last line of the start. */
  ready: () => Promise<{ url: string; port: number }>;
  exit: (timeoutMs?: number) => Promise<number | NodeJS.Signals | null>;
};

export function tempDataDir(): string {
  const root = mkdtempSync(join(tmpdir(), 'pbb-server-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return join(root, 'data');
}

/** Starts the program as a server with only the settings that the test gives. */
export function startServerProcess(settings: Record<string, string>): ServerProcess {
  const child = spawn(process.execPath, [PROGRAM_FILE], {
    env: { ...COMPILE_CACHE, HOST: '127.0.0.1', PORT: '0', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const output = { stdout: '', stderr: '' };
  const readyUrl = Promise.withResolvers<string>();
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text;
    const [, url] = READY_LINE.exec(output.stdout) ?? [];
    if (url) readyUrl.resolve(url);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text;
  });
  // 'close' and not 'exit': only then all output has been read.
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.once('close', (code, signal) => {
      resolve(code ?? signal);
      readyUrl.reject(new Error(`the server ended with ${code ?? signal}: ${output.stdout}${output.stderr}`));
    });
  });
  readyUrl.promise.catch(() => undefined);
  return {
    child,
    output,
    ready: async () => {
      const url = await withTimeout('the server to be ready', readyUrl.promise, START_TIMEOUT_MS);
      return { url, port: Number(new URL(url).port) };
    },
    exit: (timeoutMs = START_TIMEOUT_MS) => withTimeout('the server to end', ended, timeoutMs),
  };
}
