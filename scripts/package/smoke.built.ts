import { createHash } from 'node:crypto';
import {
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
  mkdirSync,
  chownSync,
  rmSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { requireHostBinary } from './host-binary.ts';
import { createEmptyInstallation, isRoot, startBinary, type BinaryProcess } from './testing/binary-process.ts';
import { smokeCases } from './try/cases.ts';
import { SmokeState } from './try/smoke-state.ts';
import { createNativeHost } from './try/native-host.ts';

/** Runs the single binary as on a new installation: an empty folder and environment, no privileges and no Node. */

const RANDOM_PORT_ARGS = ['--port', '0'];

let binary = '';
beforeAll(async () => {
  binary = await requireHostBinary();
});

function createInstallation() {
  const installation = createEmptyInstallation(binary);
  onTestFinished(installation.remove);
  return installation;
}

function start(
  installation: ReturnType<typeof createEmptyInstallation>,
  environment: Record<string, string> = {},
): BinaryProcess {
  const started = startBinary(installation, RANDOM_PORT_ARGS, environment);
  onTestFinished(() => void started.child.kill('SIGKILL'));
  return started;
}

async function stop({ child, waitForExit }: BinaryProcess): Promise<void> {
  child.kill('SIGTERM');
  expect(await waitForExit()).toBe(0);
}

/** The path of the only file below a data folder's `.native`. */
function nativeFile(dataDir: string): string {
  const [hash = '', ...otherEntries] = readdirSync(join(dataDir, '.native'));
  expect(otherEntries).toEqual([]);
  expect(readdirSync(join(dataDir, '.native', hash))).toEqual(['better_sqlite3.node']);
  return join(dataDir, '.native', hash, 'better_sqlite3.node');
}

const hashOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

describe('the single binary', () => {
  let state: SmokeState | null = null;
  const sharedState = (): SmokeState => (state ??= new SmokeState(createNativeHost(binary)));
  afterAll(() => state?.close());

  // Each case goes on where the one before it ended.
  it.each(smokeCases)('$name', async ({ run }) => {
    await run(sharedState());
  });
});

describe('the native addon of the single binary', () => {
  it('replaces its file when that is corrupt, and reuses it otherwise', async () => {
    const installation = createInstallation();
    const first = start(installation);
    await first.waitUntilReady();
    await stop(first);
    const file = nativeFile(join(installation.folder, 'data'));
    const [hash, writtenAt] = [hashOf(file), statSync(file).mtimeMs];

    const second = start(installation);
    await second.waitUntilReady();
    await stop(second);
    expect([hashOf(file), statSync(file).mtimeMs]).toEqual([hash, writtenAt]);

    truncateSync(file, 100_000);
    const third = start(installation);
    const url = await third.waitUntilReady();
    expect(hashOf(nativeFile(join(installation.folder, 'data')))).toBe(hash);
    expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ status: 'ok' });
    await stop(third);
  });

  it('goes to the temporary folder, from three servers at once, when the data folders refuse it', async () => {
    const installation = createInstallation();
    const folders = ['a', 'b', 'c'].map((name) => join(installation.folder, name));
    const temporary = join(installation.folder, 'tmp');
    for (const folder of [...folders, temporary]) {
      mkdirSync(folder);
      if (folder !== temporary) writeFileSync(join(folder, '.native'), 'in the way');
      if (isRoot()) chownSync(folder, 65_534, 65_534);
    }
    const programs = folders.map((DATA_DIR) => start(installation, { DATA_DIR, TMPDIR: temporary, HOME: '/nowhere' }));
    await Promise.all(programs.map((program) => program.waitUntilReady()));
    const own = readdirSync(temporary).find((name) => name.startsWith('pbb-kita-')) ?? '';
    const [hash = ''] = readdirSync(join(temporary, own));
    expect(readdirSync(join(temporary, own, hash))).toEqual(['better_sqlite3.node']);
    await Promise.all(programs.map(stop));
  });

  it('ends the start with one message and no stack trace when no folder accepts it', async () => {
    const installation = createInstallation();
    const data = join(installation.folder, 'data');
    mkdirSync(data);
    writeFileSync(join(data, '.native'), 'in the way');
    if (isRoot()) chownSync(data, 65_534, 65_534);
    const program = start(installation, { TMPDIR: '/nowhere', HOME: '/nowhere' });
    expect(await program.waitForExit()).toBe(1);
    expect(program.output()).toContain('bagian database dari program ini tidak dapat disimpan');
    expect(program.output()).not.toMatch(/\n\s+at /);
    rmSync(data, { recursive: true });
  });
});

describe('the commands of the single binary', () => {
  it('creates no files when it prints its version or refuses an unknown command', async () => {
    const installation = createInstallation();
    for (const [word, code] of [
      ['version', 0],
      ['terbang', 2],
    ] as const) {
      expect(await startBinary(installation, [word]).waitForExit()).toBe(code);
    }
    expect(readdirSync(installation.folder)).toHaveLength(1);
  });

  it('serves at port 3000 without options, or reports that another program uses the port', async () => {
    const installation = createInstallation();
    const probe = createServer().listen(3000);
    const isFree = await Promise.race([
      once(probe, 'listening').then(() => true),
      once(probe, 'error').then(() => false),
    ]);
    await new Promise((resolve) => probe.close(resolve));
    const program = startBinary(installation);
    onTestFinished(() => void program.child.kill('SIGKILL'));
    const outcome = await Promise.race([program.waitUntilReady().catch(() => 'none'), program.waitForExit()]);
    if (isFree) expect(String(outcome)).toContain(':3000');
    else expect(program.output()).toContain('PORT: 3000 sudah dipakai program lain');
  });
});
