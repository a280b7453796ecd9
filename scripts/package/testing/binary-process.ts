import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, chownSync, constants, copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { within } from '#server/testing/within.ts';

const READY = / siap di (http:\/\/\S+)$/m;
/** A start takes 0.2 s; a slow machine that checks a fresh 115 MB file may take its time. */
const WITHIN_MS = 60_000;
const NOBODY = 65_534;

export type BinaryProcess = {
  child: ChildProcess;
  said: () => string;
  /** The address of its last start-up line. */
  ready: () => Promise<string>;
  /** Resolves with the exit code, or the signal's name. */
  end: () => Promise<number | NodeJS.Signals | null>;
};

/** A folder with the program in it and nothing else, as somebody has just copied it; theirs if we are root. */
export function emptyOffice(binary: string): { folder: string; program: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'pbb-office-'));
  const program = join(folder, process.platform === 'win32' ? 'pbb-kita.exe' : 'pbb-kita');
  copyFileSync(binary, program, constants.COPYFILE_FICLONE);
  chmodSync(program, 0o755);
  if (isRoot()) chownSync(folder, NOBODY, NOBODY);
  return { folder, program, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Starts it there with nothing in its environment but what is given, as an unprivileged user if we are root. */
export function startBinary(
  { folder, program }: { folder: string; program: string },
  words: string[] = [],
  environment: Record<string, string> = {},
): BinaryProcess {
  const child = spawn(program, words, {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(isRoot() ? { uid: NOBODY, gid: NOBODY } : {}),
  });
  let said = '';
  const isReady = Promise.withResolvers<string>();
  const ended = Promise.withResolvers<number | NodeJS.Signals | null>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const [, url] = READY.exec(said) ?? [];
      if (url) isReady.resolve(url);
    });
  }
  child.once('error', (error) => {
    isReady.reject(error);
    ended.reject(error);
  });
  child.once('close', (code, signal) => {
    ended.resolve(code ?? signal);
    isReady.reject(new Error(`it ended with ${code ?? signal}: ${said}`));
  });
  // Not everybody who starts it waits for both.
  isReady.promise.catch(() => undefined);
  ended.promise.catch(() => undefined);
  return {
    child,
    said: () => said,
    ready: () => within(`the program to be ready (it said: ${said})`, isReady.promise, WITHIN_MS),
    end: () => within('the program to end', ended.promise, WITHIN_MS),
  };
}

export const isRoot = (): boolean => process.getuid?.() === 0;
