import { spawn } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { COMPILE_CACHE, PROGRAM_FILE } from './program.ts';
import { withTimeout } from '../with-timeout.ts';

/** A command takes about a fifth of a second; a loaded computer takes much longer. */
const RUN_TIMEOUT_MS = 50_000;

export type ProgramResult = { code: number | NodeJS.Signals | null; stdout: string; stderr: string };

/**
 * Runs one command of the program to its end.
 * @param input sent to its standard input
 */
export async function runProgram(
  args: string[],
  { env = {}, input = '' }: { env?: Record<string, string>; input?: string } = {},
): Promise<ProgramResult> {
  const child = spawn(process.execPath, [PROGRAM_FILE, ...args], {
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
