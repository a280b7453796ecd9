import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, chownSync, constants, copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withTimeout } from '#server/testing/with-timeout.ts';

const READY_LINE = / siap di (http:\/\/\S+)$/m;
/** A start takes 0.2 s. A slow machine may need longer, because it scans a new file of 115 MB first. */
const TIMEOUT_MS = 60_000;
const NOBODY_UID = 65_534;

export type BinaryProcess = {
  child: ChildProcess;
  output: () => string;
  /** Resolves with the address in the last start-up line. */
  waitUntilReady: () => Promise<string>;
  /** Resolves with the exit code, or the signal's name. */
  waitForExit: () => Promise<number | NodeJS.Signals | null>;
};

/** Creates a folder that contains only the program. Under root, the folder belongs to an unprivileged user. */
export function createEmptyInstallation(binary: string): { folder: string; program: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'pbb-installation-'));
  const program = join(folder, process.platform === 'win32' ? 'pbb-kita.exe' : 'pbb-kita');
  copyFileSync(binary, program, constants.COPYFILE_FICLONE);
  chmodSync(program, 0o755);
  if (isRoot()) chownSync(folder, NOBODY_UID, NOBODY_UID);
  return { folder, program, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Starts the program with exactly the given environment. Under root, it runs as an unprivileged user. */
export function startBinary(
  { folder, program }: { folder: string; program: string },
  args: string[] = [],
  environment: Record<string, string> = {},
  input = '',
): BinaryProcess {
  const child = spawn(program, args, {
    cwd: folder,
    env: environment,
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(isRoot() ? { uid: NOBODY_UID, gid: NOBODY_UID } : {}),
  });
  // The program may end before it has read its input.
  child.stdin.on('error', () => undefined).end(input);
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
    isReady.reject(new Error(`the program ended with ${code ?? signal}: ${output}`));
  });
  // A test may wait for only one of the two; the other must not become an unhandled rejection.
  isReady.promise.catch(() => undefined);
  ended.promise.catch(() => undefined);
  return {
    child,
    output: () => output,
    waitUntilReady: () => withTimeout(`the program to be ready (output: ${output})`, isReady.promise, TIMEOUT_MS),
    waitForExit: () => withTimeout('the program to end', ended.promise, TIMEOUT_MS),
  };
}

export const isRoot = (): boolean => process.getuid?.() === 0;
