import { type Worker as Thread, Worker } from 'node:worker_threads';
import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { startThread } from '#server/commands/threads.ts';
import { writeSpreadsheet } from '#server/testing/dhkp/list-files.ts';
import { inlineText, numberCell, sheetXml, writeZip, xlsxParts } from '#server/testing/dhkp/zip-files.ts';
import { withTimeout } from '#server/testing/with-timeout.ts';
import { createInlineListReader, createListReader, LIST_THREAD_LIMITS, type ListReader } from './list-reader.ts';
import type { ReadOutcome } from './list-reading.ts';
import { startReadingWorker } from './testing/reading-worker.ts';
import { nopOf } from './testing/read-test-list.ts';

const TOO_LARGE = 'Berkas terlalu besar setelah dibuka (paling banyak 100.000 baris dan 200 kolom).';
const BROKEN = 'Berkas rusak atau tidak lengkap.';
const HEADER = ['NOP', 'NAMA WP', 'PBB TERHUTANG'];
const GIB = 2 ** 30;

/** A reading may take minutes beside other tests. */
const SLOW_MS = 180_000;

const threadReader = (): ListReader => createListReader({ startWorker: startReadingWorker, timeoutMs: SLOW_MS });
const listOf = (rows: number) =>
  writeSpreadsheet('xlsx', [
    {
      name: 'A',
      rows: [HEADER, ...Array.from({ length: rows }, (_, index) => [nopOf(index + 1), `WP ${index}`, 1000])],
    },
  ]);
const read = (reader: ListReader, bytes: Buffer): Promise<ReadOutcome> =>
  withTimeout('the list to be read', reader.read({ bytes }, { year: 2026 }), SLOW_MS);

describe('a reading in a thread', () => {
  it(
    'of the program gives the same list as one in this thread, with its rows in order',
    { timeout: SLOW_MS },
    async () => {
      const bytes = listOf(1100);
      const reader = createListReader({ startWorker: () => startThread('list', null, LIST_THREAD_LIMITS) });
      const outcome = await read(reader, bytes);
      expect(outcome).toEqual(await read(createInlineListReader(), bytes));
      expect(outcome.ok && outcome.list.rows.length).toBe(1100);
    },
  );

  it('hands over its rows in parts where they are taken, one part after the other', async () => {
    const bytes = listOf(600);
    const whole = await read(createInlineListReader(), bytes);
    const parts: number[] = [];
    const nops: (string | null)[] = [];
    let isTaking = false;
    const outcome = await threadReader().read({ bytes }, { year: 2026 }, undefined, async (rows) => {
      expect(isTaking).toBe(false);
      isTaking = true;
      parts.push(rows.length);
      nops.push(...rows.map(({ nop }) => nop));
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      isTaking = false;
    });
    expect([parts, outcome.ok && outcome.list.rows]).toEqual([[250, 250, 100], []]);
    expect(nops).toEqual(whole.ok ? whole.list.rows.map(({ nop }) => nop) : []);
  });

  it('rejects with the error of the one that takes the rows', async () => {
    const taking = threadReader().read({ bytes: listOf(5) }, { year: 2026 }, undefined, () => {
      throw new Error('the disk is full');
    });
    await expect(taking).rejects.toThrow('the disk is full');
  });

  it('reads pasted cells, and says what is wrong with a file', async () => {
    const reader = threadReader();
    const pasted = await reader.read({ text: `${HEADER.join('\t')}\n${nopOf(1)}\tA\t1.000\n` }, { year: 2026 });
    expect(pasted.ok && pasted.list.rows.map(({ nop }) => nop)).toEqual([nopOf(1)]);
    expect(await read(reader, listOf(50).subarray(0, 900))).toEqual({ ok: false, message: BROKEN });
  });

  it('begins when the one before has ended, and ends its thread', async () => {
    const threads: Thread[] = [];
    let running = 0;
    let most = 0;
    const reader = createListReader({
      startWorker: () => {
        const thread = startReadingWorker();
        running += 1;
        most = Math.max(most, running);
        thread.on('exit', () => (running -= 1));
        threads.push(thread);
        return thread;
      },
    });
    const outcomes = await Promise.all([1, 2, 3].map((rows) => read(reader, listOf(rows))));
    expect(outcomes.map((outcome) => outcome.ok && outcome.list.rows.length)).toEqual([1, 2, 3]);
    expect([most, running, threads.length]).toEqual([1, 0, 3]);
  });

  it('that never ends is stopped in time, and the next one is read', async () => {
    const answer = "port.on('message', () => port.postMessage({ kind: 'failed', message: 'the next one' }))";
    const scripts = ['for (;;);', `const { parentPort: port } = require('node:worker_threads'); ${answer}`];
    const reader = createListReader({
      timeoutMs: 8000,
      startWorker: () => new Worker(scripts.shift() ?? '', { eval: true }),
    });
    expect(await read(reader, listOf(1))).toEqual({ ok: false, message: 'Membaca berkas terlalu lama.' });
    expect(await read(reader, listOf(1))).toEqual({ ok: false, message: 'the next one' });
  });

  it('that V8 ends because of its memory is a file that is too large', async () => {
    const script = "throw Object.assign(new Error('no memory'), { code: 'ERR_WORKER_OUT_OF_MEMORY' })";
    const reader = createListReader({ startWorker: () => new Worker(script, { eval: true }) });
    expect(await read(reader, listOf(1))).toEqual({ ok: false, message: TOO_LARGE });
  });

  it('that ends by an error of ours rejects with it, and the next one is read', async () => {
    const scripts = ['throw new Error("a mistake")', 'process.exit(0)'];
    const reader = createListReader({
      startWorker() {
        const script = scripts.shift();
        return script === undefined ? startReadingWorker() : new Worker(script, { eval: true });
      },
    });
    await expect(read(reader, listOf(1))).rejects.toThrow('a mistake');
    await expect(read(reader, listOf(1))).rejects.toThrow('the reading thread ended');
    expect(await read(reader, listOf(1))).toMatchObject({ ok: true });
  });

  it('can be stopped while it waits and while it runs', async () => {
    const endless = createListReader({ startWorker: () => new Worker('for (;;);', { eval: true }) });
    const [running, waiting] = [new AbortController(), new AbortController()];
    const outcomes = Promise.allSettled([
      endless.read({ text: '' }, { year: 2026 }, running.signal),
      endless.read({ text: '' }, { year: 2026 }, waiting.signal),
    ]);
    waiting.abort(new Error('not wanted any more'));
    running.abort(new Error('stopped'));
    expect(await withTimeout('both to be stopped', outcomes)).toEqual([
      { status: 'rejected', reason: new Error('stopped') },
      { status: 'rejected', reason: new Error('not wanted any more') },
    ]);
  });
});

describe('31: a hostile file', () => {
  /** Zeros that unpack to so many bytes, packed once and repeated. */
  function packedZeros(bytes: number): Buffer {
    const block = Buffer.alloc(2 ** 24);
    const one = deflateRawSync(block, { finishFlush: 2 });
    return Buffer.concat([...Array.from({ length: bytes / block.length }, () => one), deflateRawSync(Buffer.alloc(0))]);
  }

  it.each([
    ['that says so', GIB, TOO_LARGE],
    ['that says that it is small', 1000, BROKEN],
  ])('with a sheet of a GiB of zeros %s is refused, and memory is given back', async (_, bytes, message) => {
    const bomb = writeZip(xlsxParts({ packed: packedZeros(GIB), bytes, crc: 0 }));
    const before = process.memoryUsage().rss;
    expect(await read(threadReader(), bomb)).toEqual({ ok: false, message });
    expect(process.memoryUsage().rss - before).toBeLessThan(256 * 2 ** 20);
  });

  it('with 300 columns is refused', async () => {
    const rows = [[...HEADER, ...Array.from({ length: 297 }, (_, index) => `X${index}`)].map(inlineText).join('')];
    expect(await read(threadReader(), writeZip(xlsxParts(sheetXml(rows))))).toEqual({ ok: false, message: TOO_LARGE });
  });

  it('with 200,000 rows is refused, as .xlsx and as text', { timeout: 2 * SLOW_MS }, async () => {
    const row = inlineText(nopOf(1)) + inlineText('A') + numberCell('1000');
    const rows = [HEADER.map(inlineText).join(''), ...Array<string>(200_000).fill(row)];
    const reader = threadReader();
    expect(await read(reader, writeZip(xlsxParts(sheetXml(rows))))).toEqual({ ok: false, message: TOO_LARGE });
    const text = `${HEADER.join(';')}\n${`${nopOf(1)};A;1000\n`.repeat(200_000)}`;
    expect(await read(reader, Buffer.from(text))).toEqual({ ok: false, message: TOO_LARGE });
  });

  it('whose texts need more than 512 MiB is refused, and the process lives', { timeout: 2 * SLOW_MS }, async () => {
    // Texts beyond Latin-1 take two bytes a character.
    const cell = inlineText(`\u0416${'x'.repeat(30_000)}`);
    const rows = Array<string>(5000).fill(cell);
    const file = writeZip(xlsxParts(sheetXml(rows), { sheetNames: ['A', 'B', 'C'] }));
    const before = process.memoryUsage().rss;
    expect(await read(threadReader(), file)).toEqual({ ok: false, message: TOO_LARGE });
    expect(process.memoryUsage().rss - before).toBeLessThan(512 * 2 ** 20);
  });

  it('with formats far below and beside the list is read, because empty cells count for nothing', async () => {
    const xml = sheetXml([
      HEADER.map(inlineText).join(''),
      inlineText(nopOf(1)) + inlineText('A') + numberCell('1000'),
    ]);
    const far = xml.replace('</sheetData>', '<row r="1048576"><c r="XFD1048576" s="1"/></row></sheetData>');
    expect(await read(threadReader(), writeZip(xlsxParts(far)))).toMatchObject({
      ok: true,
      list: { rows: [{ nop: nopOf(1) }] },
    });
  });

  it.each([
    ['declares entities that grow', '<!DOCTYPE x [<!ENTITY a "AAAAAAAAAA"><!ENTITY b "&a;&a;&a;">]>', '&b;', BROKEN],
    ['names an address outside', '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>', '&a;', BROKEN],
  ])('that %s is broken', async (_, doctype, text, message) => {
    const xml = sheetXml([inlineText(`NOP ${text}`)]).replace('<worksheet', `${doctype}<worksheet`);
    expect(await read(createInlineListReader(), writeZip(xlsxParts(xml)))).toEqual({ ok: false, message });
  });
});
