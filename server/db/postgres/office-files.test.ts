import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { buildImage } from '#server/testing/multipart.ts';
import { testResources } from '#server/testing/open-test-database.ts';
import { runSync, testServer } from '#server/testing/postgres/test-server.ts';
import { type ServerProcess, startServerProcess, tempDataDir } from '#server/testing/program/server-process.ts';
import { parsePostgresUrl, type PostgresAddress } from './address.ts';
import { connectHosts } from './connect.ts';
import { type FilesPlace, idFileIn, readFolderId, requireOwnFiles } from './office-files.ts';
import { openAddress } from './open-address.ts';

/** docs/requirements.md R-RUN-29 */
const PHOTO = '00000000-0000-4000-8000-000000000000.jpg';

let made = 0;

function makeDatabase(): { name: string; url: string } {
  const name = `pbb_files_${process.pid}_${(made += 1)}`;
  runSync('postgres', `create database ${name}`);
  onTestFinished(() => void runSync('postgres', `drop database ${name} with (force)`));
  return { name, url: `${testServer}/${name}` };
}

function makePlace(): FilesPlace {
  const folder = join(tempDataDir(), 'berkas');
  return { folder, proofsDir: join(folder, 'proofs'), setting: 'FILES_DIR' };
}

/** The photo of an office that an earlier version has run. */
const namePhoto = (name: string): unknown =>
  runSync(
    name,
    `insert into office_identity (id, logo_file, updated_at) values (1, '${PHOTO}', 0) on conflict (id) do update set logo_file = '${PHOTO}'`,
  );

function addPhoto({ proofsDir }: FilesPlace): void {
  mkdirSync(proofsDir, { recursive: true });
  writeFileSync(join(proofsDir, PHOTO), 'x');
}

async function openMigrated() {
  const { name, url } = makeDatabase();
  const address = parsePostgresUrl(url) as PostgresAddress;
  const { connections } = await openAddress(address, { pool: 1, resources: testResources, waitMs: 0 });
  await connections.end();
  const own = connectHosts(address, { max: 4 });
  onTestFinished(own.end);
  async function check(place: FilesPlace): Promise<string> {
    const client = await own.writer();
    try {
      await requireOwnFiles(client, place);
      return 'own';
    } catch (error) {
      return (error as Error).message;
    } finally {
      client.release();
    }
  }
  const storedId = (): unknown => runSync(name, "select text from pbb_shared where name = 'id-kantor.txt'").rows;
  return { name, check, storedId };
}

it('gives a new office and its folder one id, also when two processes start at the same time', async () => {
  const { check, storedId } = await openMigrated();
  const place = makePlace();
  expect(await Promise.all([check(place), check(place), check(place)])).toEqual(['own', 'own', 'own']);
  expect(storedId()).toEqual([{ text: readFolderId(place.proofsDir) }]);
  expect(readdirSync(place.proofsDir)).toEqual(['id-kantor.txt']);
});

it('marks the folder of an office of an earlier version that has its photos', async () => {
  const { name, check, storedId } = await openMigrated();
  const place = makePlace();
  namePhoto(name);
  addPhoto(place);
  expect(await check(place)).toBe('own');
  expect(storedId()).toEqual([{ text: readFolderId(place.proofsDir) }]);
});

it('takes the id of the folder for a database that was restored from before it had one', async () => {
  const { name, check, storedId } = await openMigrated();
  const place = makePlace();
  namePhoto(name);
  addPhoto(place);
  const id = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
  writeFileSync(idFileIn(place.proofsDir), id);
  expect(await check(place)).toBe('own');
  expect(storedId()).toEqual([{ text: id }]);
});

it('refuses a folder without any photo of an office that names some, and takes one with the id that the line tells', async () => {
  const { name, check } = await openMigrated();
  const place = makePlace();
  namePhoto(name);
  const line = await check(place);
  expect(line).toMatch(
    /^FILES_DIR: folder "\S+" bukan folder foto dan dokumen kantor ini \(berkas "\S+id-kantor\.txt" tidak ada\); yang diterima: folder bersama yang sudah tersambung \(mount\), atau, .* berkas itu dengan isi [0-9a-f-]{36}$/,
  );
  expect(existsSync(place.folder)).toBe(false);
  expect(await check(place)).toBe(line);
  addPhoto(place);
  expect(await check(place)).toBe(line);
  writeFileSync(idFileIn(place.proofsDir), `${line.slice(-36)}\n`);
  expect(await check(place)).toBe('own');
});

it('refuses the folder of another office, and a file that cannot be read', async () => {
  const [one, other] = [await openMigrated(), await openMigrated()];
  const [place, otherPlace] = [makePlace(), makePlace()];
  expect([await one.check(place), await other.check(otherPlace)]).toEqual(['own', 'own']);
  const before = readFileSync(idFileIn(otherPlace.proofsDir), 'utf8');
  expect(await one.check(otherPlace)).toMatch(/"\S+id-kantor\.txt" berisi lain\); yang diterima: /);
  expect(readFileSync(idFileIn(otherPlace.proofsDir), 'utf8')).toBe(before);
  rmSync(idFileIn(place.proofsDir));
  mkdirSync(idFileIn(place.proofsDir));
  expect(await one.check(place)).toMatch(/^FILES_DIR: berkas "\S+" tidak dapat dibaca atau ditulis \(EISDIR\); /);
});

it('a server refuses a folder that is not mounted in one line, and makes nothing in it', async () => {
  const { url } = makeDatabase();
  const filesDir = join(tempDataDir(), 'berkas');
  const start = (folder: string): ServerProcess =>
    startServerProcess({
      DATA_DIR: tempDataDir(),
      FILES_DIR: folder,
      DATABASE_URL: url,
      JWT_SECRET: 'rahasia-kantor-yang-cukup-panjang-sekali',
      ADMIN_EMAIL: 'a@kantor.id',
      ADMIN_PASSWORD: 'rahasia-kantor',
    });
  async function runOnce(folder: string): Promise<void> {
    const server = start(folder);
    await server.ready();
    server.child.kill('SIGTERM');
    expect(await server.exit()).toBe(0);
  }
  await runOnce(filesDir);
  await runOnce(filesDir);
  const unmounted = join(dirname(filesDir), 'mnt');
  mkdirSync(unmounted);
  const refused = start(unmounted);
  expect(await refused.exit()).toBe(1);
  expect(refused.output.stderr).toMatch(
    /^FILES_DIR: folder "\S+" bukan folder foto dan dokumen kantor ini \(.* tidak ada\); yang diterima: [^\n]*\n$/,
  );
  expect(readdirSync(unmounted)).toEqual([]);
});

it('a running server refuses uploads while its share is lost, and goes on by itself when it is back', async () => {
  const { url } = makeDatabase();
  const filesDir = join(tempDataDir(), 'berkas');
  const admin = { email: 'a@kantor.id', password: 'rahasia-kantor' };
  const server = startServerProcess({
    DATA_DIR: tempDataDir(),
    FILES_DIR: filesDir,
    DATABASE_URL: url,
    JWT_SECRET: 'rahasia-kantor-yang-cukup-panjang-sekali',
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
  });
  const { url: origin } = await server.ready();
  const call = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(`${origin}${path}`, init);
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  const signedIn = await call('/api/auth/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(admin),
  });
  const { token } = signedIn.body['data'] as { token: string };
  const headers = { authorization: `Bearer ${token}` };
  const upload = async () => {
    const body = new FormData();
    body.append('logo', new Blob([buildImage()]), 'logo.png');
    return call('/api/admin/office-identity/logo', { method: 'POST', headers, body });
  };
  expect((await upload()).status).toBe(200);
  renameSync(filesDir, `${filesDir}-jauh`);
  mkdirSync(join(filesDir, 'proofs'), { recursive: true });
  expect(await upload()).toMatchObject({
    status: 503,
    body: { message: expect.stringContaining('tidak tersambung') },
  });
  expect(await call('/readyz')).toEqual({ status: 200, body: { status: 'ok' } });
  expect(await call('/api/admin/system', { headers })).toMatchObject({
    status: 200,
    body: { data: { files_lost_at: [hostname()] } },
  });
  expect(readdirSync(filesDir, { recursive: true })).toEqual(['proofs']);
  rmSync(filesDir, { recursive: true });
  renameSync(`${filesDir}-jauh`, filesDir);
  expect((await upload()).status).toBe(200);
  expect(await call('/readyz')).toEqual({ status: 200, body: { status: 'ok' } });
  // Another office's folder in its place is no better than none.
  writeFileSync(idFileIn(join(filesDir, 'proofs')), '3f2504e0-4f89-41d3-9a0c-0305e82c3301');
  expect((await upload()).status).toBe(503);
});
