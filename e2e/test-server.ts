import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';

const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 6000;
/** A disk that writes much can hold a commit of the server, and so its lock, for several seconds. */
const BUSY_TIMEOUT_MS = 60_000;

export const ADMIN = { email: 'admin@pbb.local', password: 'kata-sandi-kantor', name: 'Ibu Ratna' };

/** One running server on a data folder and a port of its own, which it keeps when it is restarted. */
export type TestServer = {
  url: string;
  dataDir: string;
  /** With another program: what an upgrade puts in place of this one. With other settings: what an operator changed. */
  start: (program?: string, settings?: Record<string, string>) => Promise<void>;
  /** The server keeps its connections and answers nothing, as at the end of a very weak network. */
  freeze: (isFrozen: boolean) => void;
  /** SIGTERM, as an operator stops it; `kill` as a power cut does. */
  stop: (signal?: 'SIGTERM' | 'SIGKILL') => Promise<void>;
  /** The database from beside the server, for what no screen can set up (such as the year something was recorded in). */
  withDatabase: <T>(use: (database: Database.Database) => T) => T;
  close: () => Promise<void>;
};

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (typeof address !== 'object' || !address) throw new Error('no free port');
  return address.port;
}

export async function startTestServer(environment: Record<string, string> = {}): Promise<TestServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'pbb-e2e-'));
  const port = await freePort();
  let server: ChildProcess | null = null;

  const testServer: TestServer = {
    url: `http://127.0.0.1:${port}`,
    dataDir,
    async start(program = 'dist/server/main.mjs', settings = {}) {
      const started = spawn(process.execPath, [program], {
        env: {
          ...process.env,
          HOST: '127.0.0.1',
          PORT: String(port),
          DATA_DIR: dataDir,
          ADMIN_EMAIL: ADMIN.email,
          ADMIN_PASSWORD: ADMIN.password,
          ADMIN_NAME: ADMIN.name,
          LOG_LEVEL: 'error',
          ...environment,
          ...settings,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      server = started;
      await waitUntilReady(started);
    },
    freeze(isFrozen) {
      server?.kill(isFrozen ? 'SIGSTOP' : 'SIGCONT');
    },
    async stop(signal = 'SIGTERM') {
      const running = server;
      server = null;
      if (!running || running.exitCode !== null) return;
      const ended = new Promise<void>((resolve) => running.once('exit', () => resolve()));
      running.kill(signal);
      const killTimer = setTimeout(() => running.kill('SIGKILL'), STOP_TIMEOUT_MS);
      await ended;
      clearTimeout(killTimer);
    },
    withDatabase(use) {
      const database = new Database(join(dataDir, 'pbb.sqlite'), { timeout: BUSY_TIMEOUT_MS });
      try {
        return use(database);
      } finally {
        database.close();
      }
    },
    async close() {
      await testServer.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
  await testServer.start();
  return testServer;
}

function waitUntilReady(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = '';
    const timer = setTimeout(() => reject(new Error(`the server did not start in time:\n${output}`)), START_TIMEOUT_MS);
    const appendOutput = (chunk: Buffer): void => {
      output += chunk.toString();
      if (!output.includes('siap di http')) return;
      clearTimeout(timer);
      resolve();
    };
    server.stdout?.on('data', appendOutput);
    server.stderr?.on('data', appendOutput);
    server.once('exit', (code) => reject(new Error(`the server ended with ${code}:\n${output}`)));
  });
}
