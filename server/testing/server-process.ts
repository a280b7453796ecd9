import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { within } from './within.ts';

const READY = / siap di (http:\/\/\S+)$/m;
/** A loaded machine may take its time; a start takes about 0.6 s. */
const START_MS = 20_000;

export type ServerProcess = {
  child: ChildProcess;
  output: { stdout: string; stderr: string };
  /** The address of its last start-up line. */
  ready: () => Promise<{ url: string; port: number }>;
  exit: (timeoutMs?: number) => Promise<number | NodeJS.Signals | null>;
};

export function tempDataDir(): string {
  const root = mkdtempSync(join(tmpdir(), 'pbb-server-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return join(root, 'data');
}

/** `node server/main.ts` as a person starts it, with nothing set but what the test says. */
export function startServer(settings: Record<string, string>): ServerProcess {
  const child = spawn(process.execPath, ['server/main.ts'], {
    env: { HOST: '127.0.0.1', PORT: '0', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const output = { stdout: '', stderr: '' };
  const isReady = Promise.withResolvers<string>();
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text;
    const [, url] = READY.exec(output.stdout) ?? [];
    if (url) isReady.resolve(url);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text;
  });
  // 'close' and not 'exit': then everything it said has been read.
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.once('close', (code, signal) => {
      resolve(code ?? signal);
      isReady.reject(new Error(`the server ended with ${code ?? signal}: ${output.stdout}${output.stderr}`));
    });
  });
  isReady.promise.catch(() => undefined);
  return {
    child,
    output,
    ready: async () => {
      const url = await within('the server to be ready', isReady.promise, START_MS);
      return { url, port: Number(new URL(url).port) };
    },
    exit: (timeoutMs = START_MS) => within('the server to end', ended, timeoutMs),
  };
}
