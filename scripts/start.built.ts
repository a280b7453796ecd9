import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { tempDataDir } from '#server/testing/program/server-process.ts';
import { withTimeout } from '#server/testing/with-timeout.ts';

const READY_LINE = / siap di (http:\/\/\S+)$/m;
const START_TIMEOUT_MS = 60_000;
/** The scripts look twice a second; then the server answers what is in flight. */
const END_TIMEOUT_MS = 10_000;
/** Longer than two looks of the scripts. */
const SURVIVAL_MS = 1500;

/** A program in a process group of its own, so that the end of the test ends everything that it started. */
function startGroup(command: string, dataDir: string): ChildProcess {
  const child = spawn(command, {
    shell: true,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, HOST: '127.0.0.1', PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'error' },
  });
  onTestFinished(() => {
    try {
      if (child.pid) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // Nothing of the group is left.
    }
  });
  return child;
}

/** Resolves with the address of the server once it is ready. */
function readyUrl(child: ChildProcess): Promise<string> {
  const url = new Promise<string>((resolve, reject) => {
    let output = '';
    const append = (text: Buffer): void => {
      output += text.toString();
      const [, found] = READY_LINE.exec(output) ?? [];
      if (found) resolve(found);
    };
    child.stdout?.on('data', append);
    child.stderr?.on('data', append);
    child.once('close', () => reject(new Error(`the server ended:\n${output}`)));
  });
  return withTimeout('the server to be ready', url, START_TIMEOUT_MS);
}

/** Every process with its parent. */
function listProcesses(): { pid: number; parentPid: number }[] {
  if (process.platform !== 'linux') {
    const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
    return stdout.split('\n').map((line) => {
      const [pid = 0, parentPid = 0] = line.trim().split(/\s+/).map(Number);
      return { pid, parentPid };
    });
  }
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      return [{ pid: Number(name), parentPid: Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) }];
    } catch {
      // It has ended since the folder was read.
      return [];
    }
  });
}

/** A process, its only child, and so on. */
function processChain(pid: number): number[] {
  const child = listProcesses().find(({ parentPid }) => parentPid === pid);
  return child ? [pid, ...processChain(child.pid)] : [pid];
}

async function startByNpm(dataDir: string) {
  const child = startGroup('exec npm start', dataDir);
  const url = await readyUrl(child);
  const [npm = 0, ...others] = processChain(child.pid ?? 0);
  const [server = 0, script = 0, shell] = others.toReversed();
  // Each process of the chain holds the output; it closes when the last one has ended.
  const allEnded = once(child, 'close');
  return { url, pids: { npm, shell, script, server }, allEnded };
}

describe.skipIf(process.platform === 'win32')('npm start', { timeout: 2 * START_TIMEOUT_MS }, () => {
  it.for([
    ['SIGTERM', 'npm'],
    ['SIGHUP', 'npm'],
    ['SIGKILL', 'npm'],
    ['SIGTERM', 'shell'],
    ['SIGKILL', 'shell'],
    ['SIGKILL', 'script'],
    ['SIGTERM', 'script'],
    ['SIGHUP', 'script'],
    ['SIGTERM', 'server'],
    ['SIGHUP', 'server'],
  ] as const)(
    'ends every process and releases the data folder after %s to the %s process',
    async ([signal, name], { skip }) => {
      const dataDir = tempDataDir();
      const { pids, allEnded } = await startByNpm(dataDir);
      const pid = pids[name];
      if (pid === undefined) skip('this npm starts scripts without a shell');
      else process.kill(pid, signal);
      await withTimeout('the end of every process', allEnded, END_TIMEOUT_MS);
      await readyUrl(startGroup(`exec "${process.execPath}" dist/server/main.mjs`, dataDir));
    },
  );

  it('keeps running in the background without input and terminal when the shell that started it ends', async () => {
    const shell = startGroup('nohup npm start <&- & sleep 60', tempDataDir());
    const url = await readyUrl(shell);
    shell.kill('SIGKILL');
    await withTimeout('the end of the shell', once(shell, 'exit'));
    await wait(SURVIVAL_MS);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });

  it('keeps running with nohup when its terminal is closed', async () => {
    const dataDir = tempDataDir();
    const output = `${dataDir}.out`;
    // The shell of a terminal passes SIGHUP on to every process of the job.
    const job = startGroup(`exec nohup npm start < /dev/null > "${output}" 2>&1`, dataDir);
    const readUrl = () => READY_LINE.exec(existsSync(output) ? readFileSync(output, 'utf8') : '')?.[1];
    await expect.poll(readUrl, { timeout: START_TIMEOUT_MS }).toBeDefined();
    if (job.pid) process.kill(-job.pid, 'SIGHUP');
    await withTimeout('the end of npm', once(job, 'exit'));
    await wait(SURVIVAL_MS);
    expect((await fetch(`${readUrl()}/healthz`)).status).toBe(200);
  });
});
