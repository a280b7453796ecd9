import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openLogFile } from './log-file.ts';
import { logStream } from './logging.ts';

function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pbb-log-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const modeOf = (file: string): string => (statSync(file).mode & 0o777).toString(8);

describe('openLogFile', () => {
  it('writes every line in order, appends to an existing file, and lets only the owner read it', async () => {
    const dataDir = tempFolder();
    const lines = Array.from({ length: 3000 }, (_, at) => `{"at":${at}}\n`);
    const first = openLogFile(dataDir);
    for (const line of lines.slice(0, 2000)) first.write(line);
    await first.close();
    first.write('{"late":true}\n');
    const second = openLogFile(dataDir);
    for (const line of lines.slice(2000)) second.write(line);
    await second.close();
    const file = join(dataDir, 'logs', 'pbb-kita.log');
    expect(readFileSync(file, 'utf8')).toBe(lines.join(''));
    expect([modeOf(join(dataDir, 'logs')), modeOf(file)]).toEqual(['700', '600']);
  });

  it('creates the file soon after the first line', async () => {
    const dataDir = tempFolder();
    const log = openLogFile(dataDir);
    expect(readdirSync(dataDir)).toEqual([]);
    log.write('{"msg":"x"}\n');
    const file = join(dataDir, 'logs', 'pbb-kita.log');
    await expect.poll(() => statSync(file, { throwIfNoEntry: false })?.size).toBe(12);
    await log.close();
  });

  it('rotates full files, keeps ten at most, and loses no line between two files', async () => {
    const dataDir = tempFolder();
    const folder = join(dataDir, 'logs');
    const log = openLogFile(dataDir, { rotateAt: '1K' });
    const line = (at: number): string => `${JSON.stringify({ at, padding: 'x'.repeat(2000) })}\n`;
    for (let at = 1; at <= 12; at += 1) {
      log.write(line(at));
      await log.flush();
    }
    log.write('{"last":true}\n');
    await log.close();
    const names = readdirSync(folder);
    expect(names).toHaveLength(10);
    expect(names.every((name) => modeOf(join(folder, name)) === '600')).toBe(true);
    expect(readFileSync(join(folder, 'pbb-kita.log'), 'utf8')).toBe('{"last":true}\n');
    expect(readFileSync(join(folder, 'pbb-kita.log.1'), 'utf8')).toBe(line(12));
    expect(readFileSync(join(folder, 'pbb-kita.log.9'), 'utf8')).toBe(line(4));
  });

  it('drops lines while the disk has not taken four megabytes of earlier ones', async () => {
    const dataDir = tempFolder();
    const log = openLogFile(dataDir);
    // Nothing reaches the disk before this turn of the event loop ends.
    for (let at = 0; at < 200; at += 1) log.write(`${'x'.repeat(65_535)}\n`);
    await log.close();
    const { size } = statSync(join(dataDir, 'logs', 'pbb-kita.log'));
    expect(size).toBeGreaterThan(4_000_000);
    expect(size).toBeLessThan(5_000_000);
  });

  it('tries again a while after a failed write, and no caller waits for it', async () => {
    const dataDir = tempFolder();
    const folder = join(dataDir, 'logs');
    // A file in place of the folder, then a folder in place of the file: root cannot write there either.
    writeFileSync(folder, '');
    const log = openLogFile(dataDir, { retryMs: 1 });
    log.write('{"lost":1}\n');
    await log.flush();
    rmSync(folder);
    mkdirSync(join(folder, 'pbb-kita.log'), { recursive: true });
    log.write('{"lost":2}\n');
    await log.flush();
    rmSync(folder, { recursive: true });
    const file = join(folder, 'pbb-kita.log');
    await expect
      .poll(async () => {
        log.write('{"kept":true}\n');
        await log.flush();
        return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
      })
      .toBeGreaterThan(0);
    await log.close();
    expect(readFileSync(file, 'utf8')).toMatch(/^(\{"kept":true\}\n)+$/);
  });
});

describe('logStream', () => {
  it.each([
    [true, []],
    [false, ['{"msg":"x"}\n']],
  ])('with a terminal (%s) sends %j to standard output, and every line to the file', (isTTY, expected) => {
    const [standardOutputLines, fileLines]: [string[], string[]] = [[], []];
    const output = {
      isTTY,
      write: (line: string) => standardOutputLines.push(line) > 0,
    } as unknown as NodeJS.WriteStream;
    const file = { write: (line: string) => void fileLines.push(line), flush: async () => {}, close: async () => {} };
    logStream(file, output).write('{"msg":"x"}\n');
    expect([standardOutputLines, fileLines]).toEqual([expected, ['{"msg":"x"}\n']]);
  });
});
