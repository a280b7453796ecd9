import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { withTimeout } from './with-timeout.ts';

/** A loaded machine may take its time; a command takes about half a second. */
const RUN_TIMEOUT_MS = 30_000;

/** Where Node keeps compiled modules. Without it each start compiles TypeScript for more than a second of CPU time. */
export const COMPILE_CACHE = { NODE_COMPILE_CACHE: join(process.cwd(), '.cache', 'node-compile') };

export type ProgramResult = { code: number | NodeJS.Signals | null; stdout: string; stderr: string };

/**
 * One command of the program as a person or a script gives it, to its end.
 * @param input what is piped in
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
  // A command that reads nothing may be gone before it is written.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const ended = new Promise<ProgramResult>((resolve) => {
    child.once('close', (code, signal) => resolve({ code: code ?? signal, ...output }));
  });
  return withTimeout(`"${args.join(' ')}" to end`, ended, RUN_TIMEOUT_MS);
}
