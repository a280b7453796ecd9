import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { type Batch, LIST_FILE_FIELD } from '#shared/api/dhkp/batches.ts';
import { LIST_FILE_MAX_BYTES } from '#shared/limits.ts';
import { openDatabase } from '#server/db/sqlite/open.ts';
import { BINARY_TYPES, writeSpreadsheet } from '#server/testing/dhkp/list-files.ts';
import { sendRequest } from './requests.ts';
import { percentiles, printResults, type Result } from './results.ts';
import { addUsers, type BenchData, type BenchUser, createBenchData, SECRET } from './seed-data.ts';
import { type MeasuredServer, readMaxLoopDelayMs, readUsage, startServer } from './server-process.ts';

const SIZES = [1000, 10_000, 50_000];
const YEAR = 2026;
const POLL_EVERY_MS = 50;
const MESSAGE_EVERY_MS = 25;
const QUIET_MS = 5000;
/** docs/requirements.md R-DHKP-16, for lists of 10,000 rows; the pause is for lists of every size. */
const AIMS = { rows: 10_000, previewSeconds: 5, applySeconds: 10, messageRatio: 1.5, pauseMs: 50 };
const FORMATS = [...BINARY_TYPES.filter((type) => type !== 'xlsm'), 'html', 'csv'] as const;
type Format = (typeof FORMATS)[number];
/** The writer of this format needs minutes for more rows. */
const XLSB_ROWS_MAX = 10_000;
/** Objects of the second village that are linked to accounts. Every other one has a record of the year that is joined. */
const LINKED_OBJECTS = 2000;
const OBJECTS_PER_ACCOUNT = 10;
const VILLAGES = { unlinked: '35.15.180.012', linked: '35.15.180.013' } as const;

type ListFile = { format: Format; bytes: Buffer };
/** The same list in each format, and one of the village with linked objects. */
type ListFiles = { size: number; unlinked: ListFile[]; linked: ListFile };
type Office = { server: MeasuredServer; admin: BenchUser; users: BenchUser[] };

const HEADER = ['NOP', 'NAMA WP', 'ALAMAT OP', 'LUAS TANAH', 'LUAS BNG', 'PBB TERHUTANG', 'JATUH TEMPO', 'RT', 'RW'];

type Cell = string | number;

/** With dots and hyphens, as offices write it. */
function nopOf(village: string, index: number): string {
  const [block, number] = [1 + Math.floor(index / 9999), 1 + (index % 9999)];
  return `${village}.${String(block).padStart(3, '0')}-${String(number).padStart(4, '0')}.0`;
}

function buildRows(village: string, count: number): Cell[][] {
  const rows = Array.from({ length: count }, (_, index): Cell[] => [
    nopOf(village, index),
    `WARGA ${index}`,
    `Jl. Melati No. ${index % 200}`,
    40 + (index % 900),
    index % 200,
    20_000 + (index % 900) * 50,
    '30/09/2026',
    '001',
    '002',
  ]);
  return [HEADER, ...rows];
}

function writeList(format: Format, rows: Cell[][]): ListFile {
  const bytes =
    format === 'csv'
      ? Buffer.from(rows.map((cells) => cells.join(';')).join('\r\n'))
      : writeSpreadsheet(format, [{ name: 'DHKP', rows }]);
  return { format, bytes };
}

/**
 * Written before the server starts: a writer holds this process for longer than a minute, and the server ends connections
 * that are idle for so long.
 */
function writeFiles(size: number): ListFiles {
  const rows = buildRows(VILLAGES.unlinked, size);
  const formats = FORMATS.filter((format) => format !== 'xlsb' || size <= XLSB_ROWS_MAX);
  return {
    size,
    // Some formats of a large list are larger than the server takes.
    unlinked: formats
      .map((format) => writeList(format, rows))
      .filter(({ bytes }) => bytes.length <= LIST_FILE_MAX_BYTES),
    linked: writeList('csv', buildRows(VILLAGES.linked, size)),
  };
}

/** Links the first objects of the second village to accounts, before an import lists them. */
function linkObjects(data: BenchData): void {
  const accounts = addUsers(data, LINKED_OBJECTS / OBJECTS_PER_ACCOUNT);
  const { sqlite } = openDatabase(data.databaseFile);
  const addObject = sqlite.prepare(
    'insert into objects (nop, user_id, linked_at, created_at, updated_at) values (?, ?, 1, 1, 1)',
  );
  const addRecord = sqlite.prepare(
    `insert into tax_records (id, user_id, name, address, tax_type, spt_number, year, amount_sen, amount_source, status,
     created_at, updated_at) values (?, ?, 'Warga', 'Jl. Melati', 'PBB', ?, ${YEAR}, 100, 'estimate', 'belum_lunas', 1, 1)`,
  );
  const link = sqlite.transaction(() => {
    for (let index = 0; index < LINKED_OBJECTS; index += 1) {
      const nop = nopOf(VILLAGES.linked, index);
      const { id } = accounts[index % accounts.length] ?? data.user;
      addObject.run(nop.replaceAll(/\D/g, ''), id);
      if (index % 2 === 0) addRecord.run(crypto.randomUUID(), id, nop);
    }
  });
  link();
  sqlite.close();
}

async function call<T>({ server, admin }: Office, path: string, method = 'GET', body?: FormData | object): Promise<T> {
  const isForm = body instanceof FormData;
  const answer = await fetch(`${server.url}/api/admin/dhkp${path}`, {
    method,
    headers: {
      authorization: `Bearer ${admin.token}`,
      ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
  });
  const { data, message } = (await answer.json()) as { data: T; message: string };
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${message}`);
  return data;
}

async function waitForState(office: Office, id: string, state: Batch['state']): Promise<Batch> {
  for (;;) {
    const batch = await call<Batch>(office, `/batches/${id}`);
    if (batch.state === state) return batch;
    if (batch.state === 'failed') throw new Error(batch.message ?? 'the list was not read');
    await pause(POLL_EVERY_MS);
  }
}

/** Sends messages one after the other until something is done. @returns their times, and the largest memory in MB */
async function loadUntil({ server, admin, users }: Office, isDone: () => boolean) {
  const times: number[] = [];
  let memoryMb = 0;
  for (let count = 0; !isDone(); count += 1) {
    const from = performance.now();
    const { token = '' } = users[count % users.length] ?? {};
    const body = { to_user_id: admin.id, content: `Pesan ${count}` };
    await sendRequest(server.url, { method: 'POST', path: '/api/messages/send', token, body });
    times.push(performance.now() - from);
    if (count % 20 === 0) memoryMb = Math.max(memoryMb, (await readUsage(server)).rssBytes / 1e6);
    await pause(MESSAGE_EVERY_MS);
  }
  return { times, memoryMb };
}

/** Does something beside messages. */
async function measure<T>(office: Office, act: () => Promise<T>) {
  const startedAt = performance.now();
  await readMaxLoopDelayMs(office.server);
  let isDone = false;
  const finish = async (): Promise<T> => act().finally(() => (isDone = true));
  const [value, load] = await Promise.all([finish(), loadUntil(office, () => isDone)]);
  const seconds = (performance.now() - startedAt) / 1000;
  return { value, seconds, ...load, pauseMs: await readMaxLoopDelayMs(office.server) };
}

async function preview(office: Office, { format, bytes }: ListFile): Promise<Batch> {
  const form = new FormData();
  form.append('year', String(YEAR));
  form.append('client_id', crypto.randomUUID());
  form.append(LIST_FILE_FIELD, new Blob([new Uint8Array(bytes)]), `daftar.${format === 'biff8' ? 'xls' : format}`);
  const { id } = await call<Batch>(office, '/batches', 'POST', form);
  return waitForState(office, id, 'ready');
}

const labelOf = (size: number): string => `${size.toLocaleString('en')} rows`;

/** One line for the messages beside something. */
const besideResult = (name: string, { times, pauseMs }: { times: number[]; pauseMs: number }, p95: number): Result => ({
  name: `message beside the ${name}, p95, ms`,
  measured: percentiles(times).p95,
  baseline: p95,
  pauseMs,
  aim: { ratioMax: AIMS.messageRatio },
});

async function measurePreviews(office: Office, { size, unlinked }: ListFiles, quietP95: number): Promise<Result[]> {
  const results: Result[] = [];
  for (const file of unlinked) {
    const name = `preview of ${labelOf(size)} of ${file.format}`;
    const { value, seconds, memoryMb, ...beside } = await measure(office, () => preview(office, file));
    const aim = size === AIMS.rows ? { max: AIMS.previewSeconds } : undefined;
    results.push(
      { name: `${name}, s`, measured: seconds, pauseMs: beside.pauseMs, aim },
      { name: `${name}: rows a second`, measured: size / seconds },
      { name: `${name}: memory of the process, MB`, measured: memoryMb },
      besideResult(name, beside, quietP95),
    );
    await call(office, `/batches/${value.id}`, 'DELETE');
  }
  return results;
}

/** Applies a list and takes it back. */
async function measureApply(
  office: Office,
  file: ListFile,
  { size, quietP95, what }: { size: number; quietP95: number; what: string },
): Promise<Result[]> {
  const { id, preview_id } = await preview(office, file);
  const applied = await measure(office, async () => {
    await call(office, `/batches/${id}/apply`, 'POST', { preview_id });
    await waitForState(office, id, 'applied');
  });
  const reverted = await measure(office, async () => {
    await call(office, `/batches/${id}/revert`, 'POST', { reason: 'pengukuran' });
    await waitForState(office, id, 'reverted');
  });
  const aim = size === AIMS.rows ? { max: AIMS.applySeconds } : undefined;
  return [
    { name: `apply of ${what}, s`, measured: applied.seconds, pauseMs: applied.pauseMs, aim },
    besideResult(`apply of ${what}`, applied, quietP95),
    { name: `revert of ${what}, s`, measured: reverted.seconds, pauseMs: reverted.pauseMs },
    besideResult(`revert of ${what}`, reverted, quietP95),
  ];
}

async function measureSize(office: Office, files: ListFiles, quietP95: number): Promise<Result[]> {
  const { size, unlinked, linked } = files;
  const [first] = unlinked;
  if (!first) return [];
  const linkedCount = Math.min(size, LINKED_OBJECTS).toLocaleString('en');
  const withLinked = `${labelOf(size)} with ${linkedCount} linked objects`;
  const results = [
    ...(await measurePreviews(office, files, quietP95)),
    ...(await measureApply(office, first, { size, quietP95, what: labelOf(size) })),
    ...(await measureApply(office, linked, { size, quietP95, what: withLinked })),
  ];
  const pauseMs = Math.max(...results.map((result) => result.pauseMs ?? 0));
  return [
    ...results,
    { name: `${labelOf(size)}: longest pause of the event loop, ms`, measured: pauseMs, aim: { max: AIMS.pauseMs } },
  ];
}

/** Imports lists of the tax office beside messages. @param sizes numbers of rows */
export async function benchImport(...sizes: number[]): Promise<void> {
  const data = createBenchData(1000);
  const users = addUsers(data, 10);
  linkObjects(data);
  const files = (sizes.length > 0 ? sizes : SIZES).map(writeFiles);
  const server = await startServer('dist/server/main.mjs', {
    JWT_SECRET: SECRET,
    DATA_DIR: data.dataDir,
    BACKUP_EVERY_HOURS: '0',
  });
  try {
    const office = { server, admin: data.admin, users };
    const until = performance.now() + QUIET_MS;
    const quiet = await loadUntil(office, () => performance.now() > until);
    const { p95 } = percentiles(quiet.times);
    const results: Result[] = [{ name: 'message alone, p95, ms', measured: p95 }];
    for (const ofSize of files) results.push(...(await measureSize(office, ofSize, p95)));
    printResults('import of lists (DHKP), each beside 40 messages a second at most', results);
  } finally {
    await server.stop();
    rmSync(data.dataDir, { recursive: true, force: true });
  }
}
