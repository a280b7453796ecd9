import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect } from 'vitest';
import type { BackupsData } from '#shared/api/system.ts';
import { copyFolderIn, readCopyState } from '#server/operations/running-copy/copy-state.ts';
import { buildForm, type FormUpload } from '../multipart.ts';
import { withDatabase } from '../with-database.ts';
import { startServerProcess, tempDataDir, type ServerProcess } from './server-process.ts';

/** A look at the data folder is made every 10 seconds. */
export const COPY_POLL = { timeout: 40_000, interval: 50 };
/** A search index follows a message in the background, within a moment. */
const QUIET_MS = 3000;
const PASSWORD = 'kata-sandi-uji';
const USER = { name: 'Budi', email: 'budi@contoh.id', password: PASSWORD, password_confirmation: PASSWORD };

type SignedIn = { token: string; user: { id: string } };
type CallOptions = { token?: string; body?: unknown; form?: ReturnType<typeof buildForm> };
/** The type of `data` is the caller's promise, as in the answers of the test app. */
export type OfficeAnswer = { status: number; data: never };

async function callOffice(url: string, method: string, path: string, options: CallOptions): Promise<OfficeAnswer> {
  const { token, body, form } = options;
  const response = await fetch(`${url}/api${path}`, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...form?.headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(form === undefined ? {} : { body: new Uint8Array(form.payload) }),
  });
  return { status: response.status, data: ((await response.json()) as OfficeAnswer).data };
}

/** @returns what the server of an office is asked and told by an administrator and a user, who are signed in */
async function signInOffice(url: string) {
  const login = { email: 'admin@pbb.local', password: PASSWORD };
  const admin: SignedIn = (await callOffice(url, 'POST', '/auth/login', { body: login })).data;
  const signedUp = await callOffice(url, 'POST', '/auth/register', { body: USER });
  const user: SignedIn =
    signedUp.status === 201 ? signedUp.data : (await callOffice(url, 'POST', '/auth/login', { body: USER })).data;
  const { token } = user;

  async function requireDone(what: Promise<OfficeAnswer>): Promise<never> {
    const { status, data } = await what;
    expect([200, 201]).toContain(status);
    return data;
  }
  async function upload(file: FormUpload): Promise<string> {
    const form = buildForm({ client_id: randomUUID() }, { ...file, field: 'file' });
    const { id }: { id: string } = await requireDone(callOffice(url, 'POST', '/messages/attachments', { token, form }));
    return id;
  }
  const office = {
    url,
    admin,
    user,
    /** Sends a message of the user, with a file or without one; it is acknowledged afterwards. */
    async send(content: string, file?: FormUpload): Promise<void> {
      const ids = file === undefined ? [] : [await upload(file)];
      const attachments = ids.length > 0 ? { attachment_ids: ids } : {};
      const body = { to_user_id: admin.user.id, content, client_id: randomUUID(), ...attachments };
      await requireDone(callOffice(url, 'POST', '/messages/send', { token, body }));
    },
    /** Adds a tax record of the user with a proof of payment. */
    async addRecord(bytes: Buffer): Promise<void> {
      const fields = { name: 'Budi', address: 'Jl. Mawar 2', spt_number: '32.01-7', amount: '150000' };
      await requireDone(callOffice(url, 'POST', '/tax-records', { token, form: buildForm(fields, { bytes }) }));
    },
    /** Clears the conversation of the user: all its texts are erased. */
    async clear(): Promise<void> {
      const path = `/messages/conversation/${user.user.id}`;
      await requireDone(callOffice(url, 'DELETE', path, { token: admin.token }));
    },
    /** The state of the running copy, as the page of an administrator has it. */
    async copyStatus() {
      const { data }: { data: BackupsData } = await callOffice(url, 'GET', '/admin/backups', { token: admin.token });
      return data.status.running_copy;
    },
  };
  return office;
}

/** The instant that a copy holds, in epoch milliseconds; 0 without a whole copy. */
export const readCopyAtMs = (folder: string): number => readCopyState(folder)?.atMs ?? 0;

/**
 * An office whose server runs as a program, with a second folder that has a whole running copy.
 * @param settingsIn settings of the server beside the usual ones; it gets the folder that holds `data` and `usb`
 */
export async function startCopiedOffice(settingsIn: (root: string) => Record<string, string> = () => ({})) {
  const dataDir = tempDataDir();
  const settings = settingsIn(dirname(dataDir));
  const secondDir = join(dataDir, '../usb');
  const folder = copyFolderIn(secondDir);
  mkdirSync(secondDir);
  mkdirSync(join(dataDir, 'proofs'), { recursive: true, mode: 0o700 });
  const start = (ownDir = dataDir, more: Record<string, string> = {}): ServerProcess =>
    startServerProcess({
      DATA_DIR: ownDir,
      BACKUP_SECOND_DIR: secondDir,
      ADMIN_PASSWORD: PASSWORD,
      RATE_LIMITS: 'off',
      ...settings,
      ...more,
    });
  const server = start();
  const office = await signInOffice((await server.ready()).url);
  await expect.poll(() => readCopyAtMs(folder), COPY_POLL).toBeGreaterThan(0);
  return { ...office, dataDir, secondDir, folder, start, server };
}

export async function stopProcess({ child, exit }: ServerProcess): Promise<void> {
  child.kill('SIGTERM');
  await exit();
}

const hashOf = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');
const hashFile = (file: string): string => hashOf(readFileSync(file));

/** @returns the hash of each table, also of those in which SQLite keeps a search index */
export const hashTables = (dataDir: string): Record<string, string> =>
  withDatabase(dataDir, (sqlite) => {
    const isVirtual = "lower(sql) like 'create virtual table%'";
    const names = sqlite
      .prepare<[], string>(`select name from sqlite_schema where type = 'table' and not ${isVirtual} order by name`)
      .pluck()
      .all();
    return Object.fromEntries(
      names.map((name) => [name, hashOf(JSON.stringify(sqlite.prepare(`select * from "${name}"`).all()))]),
    );
  });

/** The database is compared table by table; the others belong to the running server, or are no part of a restore. */
const NOT_COMPARED = /^(pbb\.sqlite.*|server\.lock|salinan-berjalan\.json|instalasi\.json|logs\/.*|backups\/.*)$/;

/** @returns the hash of each file that a restore brings back, by its path */
export function hashFiles(dataDir: string): Record<string, string> {
  const paths = readdirSync(dataDir, { recursive: true }).map((path) => join(dataDir, String(path)));
  return Object.fromEntries(
    paths
      .filter((path) => statSync(path).isFile())
      .map((path) => [relative(dataDir, path).replaceAll('\\', '/'), hashFile(path)])
      .filter(([path]) => !NOT_COMPARED.test(String(path))),
  );
}

/** Waits until nothing changes any more, and the copy holds an instant after the last change. */
export async function waitForQuietCopy({ dataDir, folder }: { dataDir: string; folder: string }): Promise<void> {
  let last = { tables: '', seenAtMs: 0 };
  await expect
    .poll(() => {
      const tables = JSON.stringify(hashTables(dataDir));
      if (tables !== last.tables) last = { tables, seenAtMs: Date.now() };
      const isQuiet = Date.now() - last.seenAtMs > QUIET_MS;
      return isQuiet && readCopyAtMs(folder) > last.seenAtMs;
    }, COPY_POLL)
    .toBe(true);
}
