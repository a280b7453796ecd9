import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { deflateRawSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startListProcess } from '#server/commands/list-process.ts';
import { writeSpreadsheet } from '#server/testing/dhkp/list-files.ts';
import { inlineText, numberCell, sheetXml, writeZip, xlsxParts } from '#server/testing/dhkp/zip-files.ts';
import { withTimeout } from '#server/testing/with-timeout.ts';
import { createInlineListReader, createListReader, LIST_PROCESS_OPTIONS, type ListReader } from './list-reader.ts';
import type { ReadOutcome } from './list-reading.ts';
import { nopOf } from './testing/read-test-list.ts';
import { startReading, startScript } from './testing/start-reading.ts';

const TOO_LARGE = 'Berkas terlalu besar setelah dibuka (paling banyak 100.000 baris dan 200 kolom).';
const BROKEN = 'Berkas rusak atau tidak lengkap.';
const HEADER = ['NOP', 'NAMA WP', 'PBB TERHUTANG'];
const GIB = 2 ** 30;

/** A reading may take minutes beside other tests. */
const SLOW_MS = 180_000;

const processReader = (): ListReader => createListReader({ startProcess: startReading, timeoutMs: SLOW_MS });
const listOf = (rows: number) =>
  writeSpreadsheet('xlsx', [
    {
      name: 'A',
      rows: [HEADER, ...Array.from({ length: rows }, (_, index) => [nopOf(index + 1), `WP ${index}`, 1000])],
    },
  ]);
const read = (reader: ListReader, bytes: Buffer): Promise<ReadOutcome> =>
  withTimeout('the list to be read', reader.read({ bytes }, { year: 2026 }), SLOW_MS);

describe('a reading in a process', () => {
  it(
    'of the program gives the same list as one in this thread, with its rows in order',
    { timeout: SLOW_MS },
    async () => {
      const bytes = listOf(1100);
      const reader = createListReader({ startProcess: startListProcess });
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
    const outcome = await processReader().read({ bytes }, { year: 2026 }, undefined, async (rows) => {
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
    const taking = processReader().read({ bytes: listOf(5) }, { year: 2026 }, undefined, () => {
      throw new Error('the disk is full');
    });
    await expect(taking).rejects.toThrow('the disk is full');
  });

  it('reads pasted cells, and says what is wrong with a file', async () => {
    const reader = processReader();
    const pasted = await reader.read({ text: `${HEADER.join('\t')}\n${nopOf(1)}\tA\t1.000\n` }, { year: 2026 });
    expect(pasted.ok && pasted.list.rows.map(({ nop }) => nop)).toEqual([nopOf(1)]);
    expect(await read(reader, listOf(50).subarray(0, 900))).toEqual({ ok: false, message: BROKEN });
  });

  it('begins when the one before has ended, and ends its process', async () => {
    let started = 0;
    let running = 0;
    let most = 0;
    const reader = createListReader({
      startProcess: () => {
        const child = startReading();
        started += 1;
        running += 1;
        most = Math.max(most, running);
        child.on('exit', () => (running -= 1));
        return child;
      },
    });
    const outcomes = await Promise.all([1, 2, 3].map((rows) => read(reader, listOf(rows))));
    expect(outcomes.map((outcome) => outcome.ok && outcome.list.rows.length)).toEqual([1, 2, 3]);
    expect([most, running, started]).toEqual([1, 0, 3]);
  });

  it('that never ends is stopped in time, and the next one is read', async () => {
    const answer = "process.on('message', () => process.send({ kind: 'failed', message: 'the next one' }))";
    const scripts = ['for (;;);', answer];
    const reader = createListReader({ timeoutMs: 8000, startProcess: () => startScript(scripts.shift() ?? '') });
    expect(await read(reader, listOf(1))).toEqual({ ok: false, message: 'Membaca berkas terlalu lama.' });
    expect(await read(reader, listOf(1))).toEqual({ ok: false, message: 'the next one' });
  });

  it.each([
    ['V8 ends because of its memory', 'const all = []; for (;;) all.push(Array(1e6).fill(all.length + 0.5));'],
    ['the system ends because of its memory', "process.kill(process.pid, 'SIGKILL')"],
  ])('that %s is a file that is too large', async (_, script) => {
    const reader = createListReader({ startProcess: () => startScript(script), timeoutMs: SLOW_MS });
    expect(await read(reader, listOf(1))).toEqual({ ok: false, message: TOO_LARGE });
  });

  it('that ends for another reason, or cannot be started, rejects with it, and the next one is read', async () => {
    const starts = [
      () => startScript("process.send({ kind: 'error', stack: 'a mistake' })"),
      () => startScript('process.exit(1)'),
      () => startScript("process.kill(process.pid, 'SIGTERM')"),
      () => spawn('/no/such/program', [], LIST_PROCESS_OPTIONS),
    ];
    const reader = createListReader({ startProcess: () => (starts.shift() ?? startReading)() });
    await expect(read(reader, listOf(1))).rejects.toThrow('a mistake');
    await expect(read(reader, listOf(1))).rejects.toThrow('the reading process ended (1)');
    await expect(read(reader, listOf(1))).rejects.toThrow('the reading process ended (SIGTERM)');
    await expect(read(reader, listOf(1))).rejects.toThrow('ENOENT');
    expect(await read(reader, listOf(1))).toMatchObject({ ok: true });
  });

  it('goes on when the computer asks all processes to end, and ends with its server', async () => {
    const child = startReading();
    const exit = once(child, 'exit');
    child.send({ kind: 'read', source: { text: '' }, choices: { year: 2026 } });
    expect(await once(child, 'message')).toMatchObject([{ kind: 'failed' }, undefined]);
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) child.kill(signal);
    child.send({ kind: 'read', source: { text: '' }, choices: { year: 2026 } });
    expect(await once(child, 'message')).toMatchObject([{ kind: 'failed' }, undefined]);
    child.disconnect();
    expect(await exit).toEqual([0, null]);
  });

  it('knows no secret of its server', async () => {
    vi.stubEnv('JWT_SECRET', 'a secret of the server');
    onTestFinished(() => void vi.unstubAllEnvs());
    const reader = createListReader({
      startProcess: () => startScript("process.send({ kind: 'failed', message: JSON.stringify(process.env) })"),
    });
    const outcome = await read(reader, listOf(1));
    expect(outcome).toMatchObject({ ok: false, message: expect.stringContaining('NODE_OPTIONS') });
    expect(outcome).not.toMatchObject({ message: expect.stringContaining('JWT_SECRET') });
  });

  it('can be stopped while it waits and while it runs', async () => {
    const endless = createListReader({ startProcess: () => startScript('for (;;);') });
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

  /** Reads in a process that ends itself below a GiB of memory, before V8 or the system does. */
  async function readMeasured(bytes: Buffer): Promise<ReadOutcome> {
    const peaks: number[] = [];
    const startProcess = (): ChildProcess => {
      const child = startReading();
      child.on('message', () => peaks.push(peakMemoryOf(child.pid)));
      return child;
    };
    const outcome = await read(createListReader({ startProcess, timeoutMs: SLOW_MS }), bytes);
    expect(peaks).toHaveLength(1);
    expect(peaks[0]).toBeLessThan(GIB);
    return outcome;
  }

  /** @returns bytes */
  const peakMemoryOf = (pid: number | undefined): number =>
    Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;

  it.each([
    ['that says so', GIB, TOO_LARGE],
    ['that says that it is small', 1000, BROKEN],
  ])('with a sheet of a GiB of zeros %s is refused', async (_, bytes, message) => {
    const bomb = writeZip(xlsxParts({ packed: packedZeros(GIB), bytes, crc: 0 }));
    expect(await readMeasured(bomb)).toEqual({ ok: false, message });
  });

  it('with 300 columns is refused', async () => {
    const rows = [[...HEADER, ...Array.from({ length: 297 }, (_, index) => `X${index}`)].map(inlineText).join('')];
    expect(await read(processReader(), writeZip(xlsxParts(sheetXml(rows))))).toEqual({ ok: false, message: TOO_LARGE });
  });

  it('with 200,000 rows is refused, as .xlsx and as text', { timeout: 2 * SLOW_MS }, async () => {
    const row = inlineText(nopOf(1)) + inlineText('A') + numberCell('1000');
    const rows = [HEADER.map(inlineText).join(''), ...Array<string>(200_000).fill(row)];
    const reader = processReader();
    expect(await read(reader, writeZip(xlsxParts(sheetXml(rows))))).toEqual({ ok: false, message: TOO_LARGE });
    const text = `${HEADER.join(';')}\n${`${nopOf(1)};A;1000\n`.repeat(200_000)}`;
    expect(await read(reader, Buffer.from(text))).toEqual({ ok: false, message: TOO_LARGE });
  });

  it('whose texts need more than 512 MiB is refused', { timeout: 2 * SLOW_MS }, async () => {
    // Texts beyond Latin-1 take two bytes a character.
    const cell = inlineText(`\u0416${'x'.repeat(30_000)}`);
    const rows = Array<string>(5000).fill(cell);
    const file = writeZip(xlsxParts(sheetXml(rows), { sheetNames: ['A', 'B', 'C'] }));
    expect(await readMeasured(file)).toEqual({ ok: false, message: TOO_LARGE });
  });

  it('with formats far below and beside the list is read, because empty cells count for nothing', async () => {
    const xml = sheetXml([
      HEADER.map(inlineText).join(''),
      inlineText(nopOf(1)) + inlineText('A') + numberCell('1000'),
    ]);
    const far = xml.replace('</sheetData>', '<row r="1048576"><c r="XFD1048576" s="1"/></row></sheetData>');
    expect(await read(processReader(), writeZip(xlsxParts(far)))).toMatchObject({
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
