import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { printLine } from '../../bootstrap.mjs';
import { requireBinary } from '../host-binary.ts';
import { requireHostTarget, type BinaryTarget } from '../targets.ts';

const WINDOWS_TARGET = 'win-x64';
/** The exit code by which `flock` says that another process has the lock. */
const LOCKED = 75;
const script = join(import.meta.dirname, 'main.ts');

/** Outside the repository, so that every clone of it shares the Debian with Wine. */
const wineCache = (): string => join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'pbb-kita', 'wine');

/**
 * Builds the binary of a target and runs all smoke cases against it: on this system, or under Wine. Everything that Wine needs
 * is made at the first time.
 * @returns the exit code
 */
export async function tryTarget(target: BinaryTarget): Promise<number> {
  const isNative = target === requireHostTarget();
  const problem = isNative ? null : findWineProblem(target);
  if (problem !== null) {
    printLine(problem);
    return 1;
  }
  printLine(`${target.name}: menyiapkan program …`);
  const binary = await requireBinary(target);
  if (isNative) return runUntilEnd(process.execPath, [script, 'native', binary]);
  const cache = wineCache();
  mkdirSync(cache, { recursive: true });
  // Mounts and processes end with their namespaces, also when this run is ended from outside.
  const lockOptions = ['--nonblock', '--conflict-exit-code', String(LOCKED), join(cache, 'lock')];
  const namespaceOptions = ['--mount', '--pid', '--fork', '--kill-child=SIGKILL', '--mount-proc'];
  const command = [process.execPath, script, 'wine', binary, cache];
  const status = await runUntilEnd('flock', lockOptions.concat('unshare', namespaceOptions, command));
  if (status === LOCKED)
    printLine('Percobaan lain dengan Wine sedang berjalan di komputer ini; tunggu sampai selesai.');
  return status;
}

/** Its standard input stays open as long as this process: when that ends, the program ends itself. @returns the exit code */
async function runUntilEnd(program: string, args: string[]): Promise<number> {
  const child = spawn(program, args, { stdio: ['pipe', 'inherit', 'inherit'] });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}

/** @returns one line that says why this machine cannot try the target; null when it can */
function findWineProblem({ name }: BinaryTarget): string | null {
  if (name !== WINDOWS_TARGET)
    return `${name} tidak dapat dicoba di sini; yang dapat: ${requireHostTarget().name}, ${WINDOWS_TARGET}.`;
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return `${name} hanya dapat dicoba di Linux x64, dengan Wine.`;
  if (process.getuid?.() !== 0)
    return `${name} dicoba di dalam chroot, yang hanya dapat dibuat root: jalankan dengan sudo.`;
  const missing = ['apt-get', 'dpkg-deb', 'chroot', 'unshare', 'flock', 'wget'].filter((program) => !isOnPath(program));
  return missing.length === 0
    ? null
    : `${name} tidak dapat dicoba: ${missing.join(', ')} tidak ada (perlu Debian atau turunannya).`;
}

const isOnPath = (program: string): boolean =>
  (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));
