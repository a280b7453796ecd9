// npm starts a script through a shell. A signal that ends npm or that shell does not reach the script: it would go on
// as an orphan that holds the data folder. So a script that npm started watches both.
import { spawnSync } from 'node:child_process';
import { fstatSync, readFileSync } from 'node:fs';

const POLL_INTERVAL_MS = 500;
const SHELLS = new Set(['sh', 'dash', 'bash', 'ash', 'busybox', 'zsh', 'ksh']);

/**
 * @param {number} pid
 * @returns {{ name: string, state: string, parentPid: number } | null} null if there is no such process
 */
function describeProcess(pid) {
  try {
    // `pid (name) state parent …`; the name may itself hold parentheses.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const nameEnd = stat.lastIndexOf(')');
    const [state = '', parentPid = ''] = stat.slice(nameEnd + 2).split(' ');
    return { name: stat.slice(stat.indexOf('(') + 1, nameEnd), state, parentPid: Number(parentPid) };
  } catch {
    // macOS has no /proc.
    const { stdout } = spawnSync('ps', ['-o', 'ppid=,state=,comm=', '-p', String(pid)], { encoding: 'utf8' });
    const [, parentPid, state = '', name = ''] = /^\s*(\d+)\s+(\S+)\s+(?:.*\/)?-?(\S+)/.exec(stdout ?? '') ?? [];
    return parentPid === undefined ? null : { name, state, parentPid: Number(parentPid) };
  }
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
  // A process that has ended stays a zombie until its own parent asks for its exit code.
  return process.platform !== 'linux' || describeProcess(pid)?.state !== 'Z';
}

/** Windows ends the whole process tree itself. Without npm, the parent is a terminal that the server may outlive. */
const isStartedByNpm = process.platform !== 'win32' && process.env['npm_lifecycle_event'] !== undefined;
// Read at once: an installation or a build can take a minute, in which npm may end.
const parentPid = process.ppid;
const parent = isStartedByNpm ? describeProcess(parentPid) : null;
const npmPid = parent !== null && SHELLS.has(parent.name) ? parent.parentPid : parentPid;

/**
 * Whether this process was started with `nohup`, so that the end of its terminal must not end it. Node resets the ignored
 * signal that `nohup` sets, in npm too, so only the streams tell: no terminal for input, and output into a file.
 */
export function outlivesTerminal() {
  if (process.platform === 'win32' || process.stdin.isTTY || process.stdout.isTTY) return false;
  try {
    const output = fstatSync(1);
    return output.isFile() || output.isCharacterDevice();
  } catch {
    return false;
  }
}

/**
 * Calls back once when npm, or the shell between npm and this process, has ended.
 * @param {() => void} callback
 * @returns {() => void} stops watching
 */
export function onLauncherEnd(callback) {
  if (!isStartedByNpm) return () => undefined;
  let wasEnded = false;
  const timer = setInterval(() => {
    if (process.ppid === parentPid && isRunning(npmPid)) return;
    // A signal that ended npm may be for this process too. It is handled before the second look.
    if (!wasEnded) {
      wasEnded = true;
      return;
    }
    clearInterval(timer);
    callback();
  }, POLL_INTERVAL_MS);
  timer.unref();
  return () => clearInterval(timer);
}
