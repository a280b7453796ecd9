import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, chownSync, constants, copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withTimeout } from '#server/testing/with-timeout.ts';

const READY_LINE = / siap di (http:\/\/\S+)$/m;
/** A start takes 0.2 s; a slow machine that checks a fresh 115 MB file may take its time. */
const TIMEOUT_MS = 60_000;
const NOBODY_UID = 65_534;

export type BinaryProcess = {
  child: ChildProcess;
  output: () => string;
  /** The address of its last start-up line. */
  waitUntilReady: () => Promise<string>;
  /** Resolves with the exit code, or the signal's name. */
  waitForExit: () => Promise<number | NodeJS.Signals | null>;
};

/** A folder with the program in it and nothing else, as somebody has just copied it; theirs if we are root. */
export function createEmptyInstallation(binary: string): { folder: string; program: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'pbb-office-'));
  const program = join(folder, process.platform === 'win32' ? 'pbb-kita.exe' : 'pbb-kita');
  copyFileSync(binary, program, constants.COPYFILE_FICLONE);
  chmodSync(program, 0o755);
  if (isRoot()) chownSync(folder, NOBODY_UID, NOBODY_UID);
  return { folder, program, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Starts it there with nothing in its environment but what is given, as an unprivileged user if we are root. */
export function startBinary(
  { folder, program }: { folder: string; program: string },
  args: string[] = [],
  environment: Record<string, string> = {},
): BinaryProcess {
  const child = spawn(program, args, {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(isRoot() ? { uid: NOBODY_UID, gid: NOBODY_UID } : {}),
  });
  let output = '';
  const isReady = Promise.withResolvers<string>();
  const ended = Promise.withResolvers<number | NodeJS.Signals | null>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      const [, url] = READY_LINE.exec(output) ?? [];
      if (url) isReady.resolve(url);
    });
  }
  child.once('error', (error) => {
    isReady.reject(error);
    ended.reject(error);
  });
  child.once('close', (code, signal) => {
    ended.resolve(code ?? signal);
    isReady.reject(new Error(`it ended with ${code ?? signal}: ${output}`));
  });
  // Not everybody who starts it waits for both.
  isReady.promise.catch(() => undefined);
  ended.promise.catch(() => undefined);
  return {
    child,
    output: () => output,
    waitUntilReady: () => withTimeout(`the program to be ready (it said: ${output})`, isReady.promise, TIMEOUT_MS),
    waitForExit: () => withTimeout('the program to end', ended.promise, TIMEOUT_MS),
  };
}

export const isRoot = (): boolean => process.getuid?.() === 0;
