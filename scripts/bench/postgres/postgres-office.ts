import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { root } from '../../bootstrap.mjs';
import { describeServer, giveToServer, preparePrograms } from '../../postgres-server.ts';
import { SECRET } from '../seed-data.ts';
import { findFreePort, type MeasuredServer, startServer } from '../server-process.ts';

const SCRIPT = 'dist/server/main.mjs';

/** An office on a PostgreSQL of its own, which keeps its promises about the disk. */
export type PostgresOffice = { start: () => Promise<MeasuredServer>; moveSeconds: number; end: () => void };

/** Moves the office of a data folder to PostgreSQL with the program's own command. */
export async function moveOffice(dataDir: string, settings: readonly string[] = []): Promise<PostgresOffice> {
  const databases = mkdtempSync(join(tmpdir(), 'pbb-bench-databases-'));
  giveToServer(databases);
  const postgres = describeServer(preparePrograms(databases), join(databases, 'data'), await findFreePort(), settings);
  postgres.init();
  postgres.start();
  const client = new pg.Client(`${postgres.url}/postgres`);
  await client.connect();
  await client.query('create database pbb');
  await client.end();
  const databaseUrl = `${postgres.url}/pbb`;
  const folder = mkdtempSync(join(tmpdir(), 'pbb-bench-processes-'));
  const filesDir = join(folder, 'berkas');
  mkdirSync(filesDir);
  const from = performance.now();
  const { status } = spawnSync(process.execPath, [join(root, SCRIPT), 'pindah', '--ke', databaseUrl], {
    cwd: root,
    env: { ...process.env, DATA_DIR: dataDir, FILES_DIR: filesDir },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error(`the move ended with ${status}`);
  const moveSeconds = (performance.now() - from) / 1000;
  let started = 0;
  return {
    moveSeconds,
    start() {
      started += 1;
      return startServer(SCRIPT, {
        JWT_SECRET: SECRET,
        DATABASE_URL: databaseUrl,
        DATA_DIR: join(folder, `proses-${started}`),
        FILES_DIR: filesDir,
      });
    },
    end() {
      postgres.stop();
      for (const made of [databases, folder]) rmSync(made, { recursive: true, force: true });
    },
  };
}
