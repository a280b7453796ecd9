import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEmptyInstallation, startBinary } from '../testing/binary-process.ts';
import type { ProgramHost, ProgramRun } from './program-host.ts';

/** The places of libfaketime in Debian and Fedora. */
const FAKETIME_LIBRARIES = [
  '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1',
  '/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1',
  '/usr/lib64/faketime/libfaketime.so.1',
];

/** Runs the binary of this system. Under root, it runs as an unprivileged user. */
export function createNativeHost(binary: string): ProgramHost {
  return {
    install() {
      const installation = createEmptyInstallation(binary);
      const { folder, remove } = installation;
      return {
        folder,
        remove,
        pathFor: (...names) => join(folder, ...names),
        start(args, environment = {}, input = ''): ProgramRun {
          const { child, ...run } = startBinary(installation, args, environment, input);
          return { ...run, interrupt: () => void child.kill('SIGINT'), kill: () => void child.kill('SIGKILL') };
        },
      };
    },
    clock: createFakeClock(FAKETIME_LIBRARIES.find((file) => existsSync(file))),
  };
}

function createFakeClock(library: string | undefined): ProgramHost['clock'] {
  if (library === undefined) return null;
  const folder = mkdtempSync(join(tmpdir(), 'pbb-clock-'));
  // The program may run as another account.
  chmodSync(folder, 0o755);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'offset');
  return { environment: faketimeEnvironment(library, file), moveToDays: (days) => writeOffset(file, days) };
}

/** The monotonic clock stays, as it does when a computer's clock is set. */
export const faketimeEnvironment = (library: string, offsetFile: string): Record<string, string> => ({
  LD_PRELOAD: library,
  FAKETIME_TIMESTAMP_FILE: offsetFile,
  FAKETIME_NO_CACHE: '1',
  FAKETIME_DONT_FAKE_MONOTONIC: '1',
});

export function writeOffset(file: string, days: number): void {
  writeFileSync(file, `${days < 0 ? '' : '+'}${days}d\n`, { mode: 0o644 });
}
