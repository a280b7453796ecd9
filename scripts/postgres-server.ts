import { spawnSync } from 'node:child_process';
import { chownSync, cpSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasPostgres, installPostgres, postgresFolder } from './postgres-package.mjs';

/** PostgreSQL refuses to run as root. */
const NOBODY = 65_534;
const owner = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

/** Gives a file or folder to the account under which PostgreSQL runs. */
export function giveToServer(path: string, withContents = false): void {
  if (owner.uid === undefined) return;
  chownSync(path, owner.uid, owner.gid);
  if (!withContents) return;
  for (const name of readdirSync(path, { recursive: true, encoding: 'utf8' }))
    chownSync(join(path, name), owner.uid, owner.gid);
}

/**
 * Installs the programs of PostgreSQL where they are missing.
 * @param folder a copy is made there for root, because the project may be in a folder that only root may enter
 * @returns the folder with `bin`
 */
export function preparePrograms(folder: string): string {
  const runCommand = (program: string, args: string[], cwd: string): boolean =>
    spawnSync(program, args, { cwd, stdio: 'inherit' }).status === 0;
  if (!hasPostgres() && !installPostgres(runCommand)) throw new Error('PostgreSQL could not be installed from npm');
  if (owner.uid === undefined) return postgresFolder;
  const programs = join(folder, 'programs');
  cpSync(postgresFolder, programs, { recursive: true, verbatimSymlinks: true });
  giveToServer(folder);
  return programs;
}

/** One server of PostgreSQL in a folder of its own, on 127.0.0.1. */
export type PostgresServer = ReturnType<typeof describeServer>;

/** @param settings as in `fsync=off` */
export function describeServer(programs: string, data: string, port: number, settings: readonly string[]) {
  function run(program: string, ...args: string[]): void {
    const { status, stderr, error } = spawnSync(join(programs, 'bin', program), args, {
      ...owner,
      cwd: tmpdir(),
      encoding: 'utf8',
      // The server inherits what its starter has, and would keep a pipe open.
      stdio: ['ignore', 'ignore', program === 'pg_ctl' ? 'ignore' : 'pipe'],
    });
    if (status !== 0) throw new Error(`${program}: ${error?.message ?? stderr ?? status}`);
  }
  const options = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', ...settings]
    .map((setting) => `-c ${setting}`)
    .join(' ');
  return {
    data,
    port,
    url: `postgres://postgres@127.0.0.1:${port}`,
    init: () => run('initdb', '-D', data, '-A', 'trust', '-E', 'UTF8', '--locale=C', '-U', 'postgres'),
    start: () => run('pg_ctl', '-w', '-D', data, '-l', `${data}.log`, '-o', `-p ${port} ${options}`, 'start'),
    promote: () => run('pg_ctl', '-w', '-D', data, 'promote'),
    /** As a power cut: no commit after it, and nothing is written any more. */
    stop: () => run('pg_ctl', '-D', data, '-m', 'immediate', 'stop'),
    remove: () => rmSync(data, { recursive: true, force: true }),
  };
}
