import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, it, onTestFinished } from 'vitest';
import { taxRecords, users } from '#server/db/schema.ts';
import { openReadOnly } from '#server/db/sqlite/open.ts';
import { openTestDatabase } from '#server/testing/open-test-database.ts';
import { unzip } from '#server/testing/unzip.ts';
import type { ExportPlan } from './contents/write-export.ts';
import { createInlineExports, createThreadExports } from './export-thread.ts';

const FILE_BYTES = 2 ** 20;
const FILES = 12;
const at = Date.parse('2026-06-10T05:00:00.000Z');
const times = { createdAt: at, updatedAt: at };

/** A data folder with an account of twelve photos of a megabyte, and threads that copy them. */
function buildAccount() {
  const folder = mkdtempSync(join(tmpdir(), 'pbb-export-'));
  const [databaseFile, proofsDir] = [join(folder, 'pbb.sqlite'), join(folder, 'proofs')];
  mkdirSync(proofsDir);
  const { direct, sqlite } = openTestDatabase(databaseFile);
  direct
    .insert(users)
    .values({ id: 'u1', name: 'Budi', email: 'budi@contoh.id', passwordHash: 'x', ...times })
    .run();
  for (let n = 0; n < FILES; n += 1) {
    const proofFile = `${n}.jpg`;
    writeFileSync(join(proofsDir, proofFile), Buffer.alloc(FILE_BYTES, n));
    const shown = { name: 'Budi', address: 'Jl. Melati 1', taxType: 'PBB', sptNumber: 'SPT 1', year: 2026 };
    const record = { id: `r${n}`, userId: 'u1', ...shown, amountSen: 100, status: 'lunas', ...times } as const;
    direct
      .insert(taxRecords)
      .values({ ...record, proofFile, proofBytes: FILE_BYTES })
      .run();
  }
  sqlite.close();
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const entry = new URL('export-thread.ts', import.meta.url).href;
  const script = `import('${entry}').then(({ serveExport }) => serveExport(require('node:worker_threads').workerData))`;
  const start = createThreadExports(
    (data) => new Worker(script, { eval: true, workerData: { source: { file: databaseFile }, plan: data } }),
  );
  const path = join(folder, 'salinan.zip.part');
  const fileBytes = FILES * FILE_BYTES;
  const plan: ExportPlan = { userId: 'u1', proofsDir, path, fileBytes, nowMs: at, timeZone: 'Asia/Jakarta' };
  return { databaseFile, start, plan };
}

/** The same work without a thread, whose start takes seconds on a busy machine. */
function inline(databaseFile: string) {
  const { sqlite, orm } = openReadOnly(databaseFile);
  onTestFinished(() => void sqlite.close());
  return createInlineExports(orm);
}

it('writes a whole copy, and says how far it is', async () => {
  const { databaseFile, plan } = buildAccount();
  const start = inline(databaseFile);
  const percents: number[] = [];
  const bytes = await start(plan, (percent) => percents.push(percent)).bytes;
  expect(bytes).toBe(statSync(plan.path).size);
  const files = unzip(readFileSync(plan.path));
  expect(files.get('bukti-pembayaran/PBB 2026 SPT 1 (data 12).jpg')?.length).toBe(FILE_BYTES);
  expect(files.size).toBe(FILES + 4);
  expect(percents.length).toBeGreaterThan(5);
  expect(percents).toEqual(percents.toSorted((a, b) => a - b));
  expect(percents.at(-1)).toBeLessThan(100);
});

it('ends in a thread in the middle when it is stopped, and leaves only an unfinished file', async () => {
  const { start, plan } = buildAccount();
  const making = start(plan, (percent) => {
    if (percent > 10) void making.stop();
  });
  await expect(making.bytes).rejects.toThrow('the thread of a copy ended with 1');
  expect(() => unzip(readFileSync(plan.path))).toThrow();
});

it('leaves no file after an error', async () => {
  const { databaseFile, plan } = buildAccount();
  const start = inline(databaseFile);
  rmSync(join(plan.proofsDir, '3.jpg'));
  mkdirSync(join(plan.proofsDir, '3.jpg'));
  await expect(start(plan, () => undefined).bytes).rejects.toThrow('EISDIR');
  expect(existsSync(plan.path)).toBe(false);
  await expect(start({ ...plan, userId: 'gone' }, () => undefined).bytes).rejects.toThrow('the account is gone');
});
