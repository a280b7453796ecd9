import { spawn } from 'node:child_process';
import { closeSync, constants, copyFileSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { faketimeEnvironment, writeOffset } from './native-host.ts';
import type { ProgramHost, ProgramRun } from './program-host.ts';
import { wineEnvironment } from './wine-chroot.ts';

const READY_LINE = / siap di (http:\/\/\S+)\r?$/m;
const POLL_EVERY_MS = 100;
const START_TIMEOUT_MS = 90_000;
const EXIT_TIMEOUT_MS = 120_000;
const FAKETIME_LIBRARY = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1';

/** Runs the Windows program under Wine in a Debian below `root`. */
export function createWineHost(root: string, exe: string): ProgramHost {
  const home = '/root/try';
  const offsetFile = '/root/clock-offset';
  rmSync(join(root, home), { recursive: true, force: true });
  let count = 0;
  return {
    install() {
      count += 1;
      // A space and other letters, as in the name of an account.
      const inner = `${home}/${count} Kantor Désa Ünïk 日本`;
      const folder = join(root, inner);
      mkdirSync(folder, { recursive: true });
      copyFileSync(exe, join(folder, 'pbb-kita.exe'), constants.COPYFILE_FICLONE);
      let runs = 0;
      return {
        folder,
        remove: () => rmSync(folder, { recursive: true, force: true }),
        pathFor: (...names) => ['Z:', ...inner.split('/').slice(1), ...names].join('\\'),
        start(args, environment = {}, input = '') {
          runs += 1;
          return startInWine({ root, inner, args, environment, input, files: join(root, home, `${count}-${runs}`) });
        },
      };
    },
    clock: {
      environment: faketimeEnvironment(FAKETIME_LIBRARY, offsetFile),
      moveToDays: (days) => writeOffset(join(root, offsetFile), days),
    },
  };
}

type WineStart = {
  root: string;
  inner: string;
  args: string[];
  environment: Record<string, string>;
  input: string;
  /** The folder for its input and output: Node under Wine cannot use the pipes of this system. */
  files: string;
};

function startInWine({ root, inner, args, environment, input, files }: WineStart): ProgramRun {
  writeFileSync(`${files}.in`, input);
  const handles = [openSync(`${files}.in`, 'r'), openSync(`${files}.out`, 'w'), openSync(`${files}.err`, 'w')];
  // Not in the environment of `chroot`, which is a program of this system.
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  const command = ['env', '-C', inner, ...variables, 'wine', `${inner}/pbb-kita.exe`, ...args];
  const child = spawn('chroot', [root, ...command], { env: wineEnvironment, stdio: handles });
  for (const handle of handles) closeSync(handle);
  let ended: { code: number | NodeJS.Signals | null } | null = null;
  child.once('exit', (code, signal) => {
    ended = { code: code ?? signal };
  });
  const output = (): string =>
    ['out', 'err']
      .map((name) => readFileSync(`${files}.${name}`, 'utf8'))
      .join('')
      .replaceAll('\r\n', '\n');

  async function waitFor<T>(what: string, timeoutMs: number, read: () => T | undefined): Promise<T> {
    const giveUpAt = performance.now() + timeoutMs;
    for (;;) {
      const found = read();
      if (found !== undefined) return found;
      if (performance.now() > giveUpAt) throw new Error(`waited ${timeoutMs} ms for ${what}: ${output()}`);
      await wait(POLL_EVERY_MS);
    }
  }

  return {
    output,
    waitUntilReady: () =>
      waitFor('the program to be ready', START_TIMEOUT_MS, () => {
        const url = READY_LINE.exec(output())?.[1];
        if (url === undefined && ended) throw new Error(`the program ended with ${ended.code}: ${output()}`);
        return url;
      }),
    waitForExit: async () => (await waitFor('the program to end', EXIT_TIMEOUT_MS, () => ended ?? undefined)).code,
    // Wine makes a Ctrl+C event of it.
    interrupt: () => void child.kill('SIGINT'),
    kill: () => void child.kill('SIGKILL'),
  };
}
