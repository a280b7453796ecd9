import { expect } from 'vitest';
import type { Assessment } from '#shared/api/dhkp/assessments.ts';
import type { Batch, BatchRow } from '#shared/api/dhkp/batches.ts';
import { buildAdmin, type SignedInUser } from './factories.ts';
import { buildTestApp, type TestApp, type TestOverrides } from './test-app.ts';

/** Lists of the tax office, imported from outside as a page does it. */

export const LIST_YEAR = 2026;
const HEADERS = {
  nop: 'NOP',
  name: 'NAMA WP',
  object_address: 'ALAMAT OP',
  land: 'LUAS TANAH',
  amount: 'KETETAPAN',
  due: 'JATUH TEMPO',
  paid_on: 'TGL BAYAR',
  paid: 'JML BAYAR',
  dusun: 'DUSUN',
  rw: 'RW',
  rt: 'RT',
} as const;
export type ListCells = Partial<Record<keyof typeof HEADERS, string>>;

/** The NOP of an object in the village of the tests; its block is `001` for the first 1,000 objects. */
export const nopOf = (number: number): string =>
  `3515180012${String(Math.floor(number / 1000) + 1).padStart(3, '0')}${String(number % 1000).padStart(4, '0')}0`;

/** An object with amounts of 45,000 rupiah and up. */
export const cellsOf = (number: number, cells: ListCells = {}): ListCells => ({
  nop: nopOf(number),
  name: `Warga ${number}`,
  object_address: `Jl. Melati ${number}`,
  land: '120',
  amount: String(45_000 + number),
  ...cells,
});

/** Pasted cells: a header with the columns of the first row, the rows, and a sum if there is one. */
export function listText(rows: readonly ListCells[], total?: number): string {
  const columns = Object.keys(rows[0] ?? {}) as (keyof typeof HEADERS)[];
  const lines = [
    columns.map((column) => HEADERS[column]),
    ...rows.map((row) => columns.map((column) => row[column] ?? '')),
    ...(total === undefined ? [] : [columns.map((column) => totalCell(column, total))]),
  ];
  return lines.map((cells) => cells.join('\t')).join('\n');
}

function totalCell(column: keyof typeof HEADERS, total: number): string {
  if (column === 'name') return 'JUMLAH';
  return column === 'amount' ? String(total) : '';
}

let counter = 0;
/** On a busy machine the steps are small, and their rests long. */
const STATE_TIMEOUT_MS = 60_000;

/** Calls of an admin about lists. */
export function createListClient(test: TestApp, admin: SignedInUser) {
  const { token } = admin;
  const call = (method: string, path: string, body?: unknown) =>
    test.call(method, `/api/admin/dhkp${path}`, { token, ...(body === undefined ? {} : { body }) });

  async function dataOf<T>(answer: ReturnType<typeof call>): Promise<T> {
    const { status, body } = await answer;
    expect(status, JSON.stringify(body)).toBeLessThan(300);
    return body.data;
  }

  const batch = (id: string): Promise<Batch> => dataOf(call('GET', `/batches/${id}`));

  /** Waits until the batch is in a state. @throws at once when its reading failed */
  async function inState(id: string, state: Batch['state']): Promise<Batch> {
    const isSettled = async () => ['failed', state].includes((await batch(id)).state);
    await expect.poll(isSettled, { timeout: STATE_TIMEOUT_MS, interval: 10 }).toBe(true);
    const settled = await batch(id);
    expect([settled.state, settled.message]).toEqual([state, settled.message]);
    return settled;
  }

  async function paste(text: string, year = LIST_YEAR): Promise<Batch> {
    counter += 1;
    return dataOf<Batch>(call('POST', '/batches', { text, year, client_id: `paste-${counter}` }));
  }

  return {
    call,
    dataOf,
    batch,
    inState,
    paste,

    /** Pastes a list and waits for its preview. */
    preview: async (text: string, year = LIST_YEAR): Promise<Batch> => inState((await paste(text, year)).id, 'ready'),

    change: async (id: string, choices: unknown): Promise<Batch> => {
      await dataOf(call('PUT', `/batches/${id}`, choices));
      return inState(id, 'ready');
    },

    apply: ({ id, preview_id }: Batch, others: object = {}) =>
      call('POST', `/batches/${id}/apply`, { preview_id, ...others }),

    /** Applies a batch and waits for the end. */
    applied: async (one: Batch): Promise<Batch> => {
      const answer = await call('POST', `/batches/${one.id}/apply`, { preview_id: one.preview_id });
      expect(answer.status, answer.body.message).toBe(200);
      return inState(one.id, 'applied');
    },

    revert: ({ id }: Batch, reason = 'salah berkas') => call('POST', `/batches/${id}/revert`, { reason }),

    rows: async ({ id }: Batch, kind?: string): Promise<BatchRow[]> =>
      (await dataOf<{ data: BatchRow[] }>(call('GET', `/batches/${id}/rows?limit=500${kind ? `&kind=${kind}` : ''}`)))
        .data,

    list: async (query = ''): Promise<{ data: Assessment[]; total: number; total_amount: number; years: number[] }> =>
      dataOf(call('GET', `?limit=1000${query}`)),
  };
}
/** The app with an admin who imports lists. */
export async function buildListApp(overrides: TestOverrides = {}) {
  const test = await buildTestApp(overrides);
  const admin = buildAdmin(test);
  return { test, admin, ...createListClient(test, admin) };
}

/** Objects with consecutive numbers, each with the same other cells. */
export const objectsFrom = (count: number, from = 1, cells: ListCells = {}): ListCells[] =>
  Array.from({ length: count }, (_, index) => cellsOf(from + index, cells));

/** The rows of the tables of the list, for a comparison byte by byte. */
export function dumpList({ database: { sqlite } }: TestApp): string {
  const tables = ['objects', 'assessments', 'dhkp_changes'].map((table) => [
    table,
    sqlite.prepare(`select * from ${table} order by 1, 2`).all(),
  ]);
  return JSON.stringify(tables, null, 1);
}
