import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { withTimeout } from './with-timeout.ts';

/** A command takes about half a second; a loaded computer takes much longer. */
const RUN_TIMEOUT_MS = 30_000;

/** Where Node keeps compiled modules. Without it each start compiles TypeScript for more than a second of CPU time. */
export const COMPILE_CACHE = { NODE_COMPILE_CACHE: join(process.cwd(), '.cache', 'node-compile') };

export type ProgramResult = { code: number | NodeJS.Signals | null; stdout: string; stderr: string };

/**
 * Runs one command of the program to its end.
 * @param input sent to its standard input
 */
export async function runProgram(
  args: string[],
  { env = {}, input = '' }: { env?: Record<string, string>; input?: string } = {},
): Promise<ProgramResult> {
  const child = spawn(process.execPath, ['server/main.ts', ...args], {
    env: { ...COMPILE_CACHE, ...env },
    stdio: 'pipe',
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  }
  // A command that reads no input may have ended before the write.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const ended = new Promise<ProgramResult>((resolve) => {
    child.once('close', (code, signal) => resolve({ code: code ?? signal, ...output }));
  });
  return withTimeout(`"${args.join(' ')}" to end`, ended, RUN_TIMEOUT_MS);
}
