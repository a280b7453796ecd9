import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { type Batch, LIST_FILE_FIELD } from '#shared/api/dhkp/batches.ts';
import { BINARY_TYPES, writeSpreadsheet } from '#server/testing/dhkp/list-files.ts';
import { sendRequest } from './requests.ts';
import { percentiles, printResults, type Result } from './results.ts';
import { addUsers, type BenchUser, createBenchData, SECRET } from './seed-data.ts';
import { type MeasuredServer, readMaxLoopDelayMs, readUsage, startServer } from './server-process.ts';

const SIZES = [1000, 10_000, 50_000];
const YEAR = 2026;
const POLL_EVERY_MS = 50;
const MESSAGE_EVERY_MS = 25;
const QUIET_MS = 5000;
/** docs/requirements.md R-DHKP-2, for lists of 10,000 rows. */
const AIMS = { rows: 10_000, previewSeconds: 5, applySeconds: 10, messageRatio: 1.5, pauseMs: 50 };
const FORMATS = [...BINARY_TYPES.filter((type) => type !== 'xlsm'), 'html', 'csv'] as const;
type Format = (typeof FORMATS)[number];

type Office = { server: MeasuredServer; admin: BenchUser; users: BenchUser[] };

const HEADER = ['NOP', 'NAMA WP', 'ALAMAT OP', 'LUAS TANAH', 'LUAS BNG', 'PBB TERHUTANG', 'JATUH TEMPO', 'RT', 'RW'];

type Cell = string | number;

function buildRows(count: number): Cell[][] {
  const rows = Array.from({ length: count }, (_, index): Cell[] => {
    const [block, number] = [1 + Math.floor(index / 9999), 1 + (index % 9999)];
    const nop = `35.15.180.012.${String(block).padStart(3, '0')}-${String(number).padStart(4, '0')}.0`;
    const amount = 20_000 + (index % 900) * 50;
    return [
      nop,
      `WARGA ${index}`,
      `Jl. Melati No. ${index % 200}`,
      40 + (index % 900),
      index % 200,
      amount,
      '30/09/2026',
      '001',
      '002',
    ];
  });
  return [HEADER, ...rows];
}

function writeList(format: Format, rows: Cell[][]): Buffer {
  if (format === 'csv') return Buffer.from(rows.map((cells) => cells.join(';')).join('\r\n'));
  return writeSpreadsheet(format, [{ name: 'DHKP', rows }]);
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

async function preview(office: Office, file: Buffer, fileName: string): Promise<Batch> {
  const form = new FormData();
  form.append('year', String(YEAR));
  form.append('client_id', crypto.randomUUID());
  form.append(LIST_FILE_FIELD, new Blob([new Uint8Array(file)]), fileName);
  const { id } = await call<Batch>(office, '/batches', 'POST', form);
  return waitForState(office, id, 'ready');
}

async function measureSize(office: Office, size: number, quietP95: number): Promise<Result[]> {
  const rows = buildRows(size);
  const label = `${size.toLocaleString('en')} rows`;
  const hasAim = size === AIMS.rows;
  const beside = (name: string, times: number[], pauseMs: number): Result => ({
    name: `${label}: message beside the ${name}, p95, ms`,
    measured: percentiles(times).p95,
    baseline: quietP95,
    pauseMs,
    aim: { ratioMax: AIMS.messageRatio },
  });
  const results: Result[] = [];
  let kept: Batch | null = null;
  for (const format of FORMATS) {
    const file = writeList(format, rows);
    const { value, seconds, times, memoryMb, pauseMs } = await measure(office, () =>
      preview(office, file, `daftar.${format === 'biff8' ? 'xls' : format}`),
    );
    results.push(
      {
        name: `${label} of ${format}: preview, s`,
        measured: seconds,
        pauseMs,
        aim: hasAim ? { max: AIMS.previewSeconds } : undefined,
      },
      { name: `${label} of ${format}: rows a second`, measured: size / seconds },
      { name: `${label} of ${format}: memory of the process, MB`, measured: memoryMb },
      beside(`preview of ${format}`, times, pauseMs),
    );
    if (kept) await call(office, `/batches/${kept.id}`, 'DELETE');
    kept = value;
  }
  if (!kept) return results;
  const { id, preview_id } = kept;
  const applied = await measure(office, async () => {
    await call(office, `/batches/${id}/apply`, 'POST', { preview_id });
    await waitForState(office, id, 'applied');
  });
  const reverted = await measure(office, async () => {
    await call(office, `/batches/${id}/revert`, 'POST', { reason: 'pengukuran' });
    await waitForState(office, id, 'reverted');
  });
  return [
    ...results,
    {
      name: `${label}: apply, s`,
      measured: applied.seconds,
      pauseMs: applied.pauseMs,
      aim: hasAim ? { max: AIMS.applySeconds } : undefined,
    },
    beside('apply', applied.times, applied.pauseMs),
    { name: `${label}: revert, s`, measured: reverted.seconds, pauseMs: reverted.pauseMs },
    beside('revert', reverted.times, reverted.pauseMs),
  ];
}

/** Imports lists of the tax office beside messages. @param sizes numbers of rows */
export async function benchImport(...sizes: number[]): Promise<void> {
  const data = createBenchData(1000);
  const users = addUsers(data, 10);
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
    for (const size of sizes.length > 0 ? sizes : SIZES) results.push(...(await measureSize(office, size, p95)));
    printResults('import of lists (DHKP), each beside 40 messages a second at most', results);
  } finally {
    await server.stop();
    rmSync(data.dataDir, { recursive: true, force: true });
  }
}
