import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLogReader, LOG_HEADER_BYTES, parseLogHeader } from './write-ahead-log.ts';

/** A log of twenty commits, as SQLite writes it on this machine. */
function writeLog(): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'pbb-log-'));
  const database = new Database(join(folder, 'pbb.sqlite'));
  onTestFinished(() => {
    database.close();
    rmSync(folder, { recursive: true, force: true });
  });
  database.pragma('journal_mode = WAL');
  database.pragma('wal_autocheckpoint = 0');
  database.exec('create table notes (text)');
  const insert = database.prepare('insert into notes values (?)');
  for (let index = 0; index < 20; index += 1) insert.run('isi '.repeat(index * 100));
  return readFileSync(join(folder, 'pbb.sqlite-wal'));
}

/** The checksum as the file format describes it, byte by byte. */
function addPlainly(sums: [number, number], bytes: Buffer, order: 'LE' | 'BE'): [number, number] {
  let [first, second] = sums;
  for (let at = 0; at < bytes.length; at += 8) {
    first = (first + bytes[`readUInt32${order}`](at) + second) % 2 ** 32;
    second = (second + bytes[`readUInt32${order}`](at + 4) + first) % 2 ** 32;
  }
  return [first, second];
}

/** The same log with its checksums made of words in this order. */
function inOrder(log: Buffer, order: 'LE' | 'BE'): Buffer {
  const changed = Buffer.from(log);
  const frameBytes = 24 + changed.readUInt32BE(8);
  changed.writeUInt32BE(order === 'BE' ? 0x377f0683 : 0x377f0682, 0);
  let sums = addPlainly([0, 0], changed.subarray(0, 24), order);
  changed.writeUInt32BE(sums[0], 24);
  changed.writeUInt32BE(sums[1], 28);
  for (let at = LOG_HEADER_BYTES; at < changed.length; at += frameBytes) {
    sums = addPlainly(sums, changed.subarray(at, at + 8), order);
    sums = addPlainly(sums, changed.subarray(at + 24, at + frameBytes), order);
    changed.writeUInt32BE(sums[0], at + 16);
    changed.writeUInt32BE(sums[1], at + 20);
  }
  return changed;
}

/** @returns the end of the last commit; null when the header is not valid */
function committedEndOf(log: Buffer): number | null {
  const header = parseLogHeader(log.subarray(0, LOG_HEADER_BYTES));
  if (!header) return null;
  const reader = createLogReader(header);
  reader.add(log.subarray(LOG_HEADER_BYTES));
  return reader.committedEnd;
}

describe('the reader of a write-ahead log', () => {
  it.each(['LE', 'BE'] as const)(
    'takes all commits with checksums in the order %s, wherever its bytes lie',
    (order) => {
      const log = inOrder(writeLog(), order);
      expect(log.length).toBeGreaterThan(20 * 4096);
      for (const shift of [0, 1, 2, 3, 4]) {
        const shifted = Buffer.concat([Buffer.alloc(shift), log]).subarray(shift);
        expect(committedEndOf(shifted)).toBe(log.length);
      }
    },
  );

  it.each(['LE', 'BE'] as const)('takes none from the first wrong byte on, in the order %s', (order) => {
    const log = inOrder(writeLog(), order);
    const frameBytes = 24 + log.readUInt32BE(8);
    for (const frame of [0, 3, 12]) {
      const wrong = Buffer.from(log);
      const at = LOG_HEADER_BYTES + frame * frameBytes + 24 + 1001;
      wrong[at] = (wrong[at] ?? 0) ^ 1;
      expect(committedEndOf(wrong)).toBeLessThanOrEqual(LOG_HEADER_BYTES + frame * frameBytes);
    }
    const header = Buffer.from(log);
    header[20] = (header[20] ?? 0) ^ 1;
    expect(committedEndOf(header)).toBeNull();
  });

  it('takes the log of SQLite itself', () => {
    const log = writeLog();
    expect(committedEndOf(log)).toBe(log.length);
  });
});
