import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createCheckpoints } from '#server/db/sqlite/checkpoints.ts';
import type { Checkpoints } from '#server/db/database.ts';
import { connect } from '#server/db/sqlite/connect.ts';
import { openDatabase, type DatabaseHandle } from '#server/db/sqlite/open.ts';
import { storeInstallationState } from '#server/db/data-folder/installation-state.ts';
import { startCopyInProcess } from '#server/testing/running-copy.ts';
import { createCopyLoop, type CopyReport } from './copy-loop.ts';
import type { FromCopyThread, ToCopyThread } from './copy-thread.ts';
import { copyFolderIn, readCopyState, type RunningCopyStatus } from './copy-state.ts';
import { openDatabaseCopy } from './database-copy.ts';
import { createRunningCopy } from './running-copy.ts';

/** The copy looks at once at a log of more than half of the length at which it is emptied. */
const LOOKED_AT_BYTES = 2_500_000;
/** The log that is kept for a missing disk, in one test. */
const KEPT_MAX_BYTES = 600_000;
/** Each is half as long. */
const TEXTS = 6;
const POLL = { interval: 10 };
const SILENT_LOG = { info: () => undefined, warn: () => undefined };

type Identity = Parameters<ReturnType<typeof createRunningCopy>['start']>[1];
const newIdentity = (): Identity => ({ office: randomUUID(), holder: randomUUID(), predecessors: [] });

/** A data folder with a table of texts and a second folder; the thread of the copy runs in this one. */
function createOffice({ root = mkdtempSync(join(tmpdir(), 'pbb-copy-')), second = join(root, 'usb') } = {}) {
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const dataDir = join(root, 'data');
  mkdirSync(join(dataDir, 'proofs'), { recursive: true });
  mkdirSync(second, { recursive: true });
  const databaseFile = join(dataDir, 'pbb.sqlite');
  const identity = newIdentity();

  function start(own = identity, secondDir = second, handedOverMaxBytes?: number) {
    const database = openDatabase(databaseFile);
    database.sqlite.exec('create table if not exists texts (id integer primary key, text)');
    const gate = createCheckpoints(database);
    let thread: ReturnType<typeof startCopyInProcess> | null = null;
    const copy = createRunningCopy({
      paths: { databaseFile, dataDir },
      secondDir,
      startThread: (data) => (thread = startCopyInProcess(data)),
      ...(handedOverMaxBytes === undefined ? {} : { handedOverMaxBytes }),
    });
    copy.start(gate, own, SILENT_LOG);
    const onMessage = (listener: (message: FromCopyThread) => void): void => void thread?.on('message', listener);
    return { ...database, gate, copy, onMessage, kill: () => thread?.kill() };
  }
  return { root, dataDir, second, folder: copyFolderIn(second), databaseFile, identity, start };
}

const textsIn = ({ sqlite }: Pick<DatabaseHandle, 'sqlite'>): unknown[] =>
  sqlite.prepare('select * from texts order by id').all();

/** Opens a copy of the copy, as plain SQLite reads it. */
function readCopy(folder: string): unknown[] {
  const look = mkdtempSync(join(tmpdir(), 'pbb-look-'));
  try {
    for (const name of ['pbb.sqlite', 'pbb.sqlite-wal']) {
      if (existsSync(join(folder, name))) cpSync(join(folder, name), join(look, name));
    }
    const sqlite = connect(join(look, 'pbb.sqlite'));
    try {
      expect(sqlite.pragma('integrity_check', { simple: true })).toBe('ok');
      return textsIn({ sqlite });
    } finally {
      sqlite.close();
    }
  } finally {
    rmSync(look, { recursive: true, force: true });
  }
}

function add({ sqlite, gate }: { sqlite: DatabaseHandle['sqlite']; gate: Checkpoints }, text: string): void {
  sqlite.prepare('insert into texts (text) values (?)').run(text);
  gate.committed();
}

/** The work of the copy's thread alone, on a data folder of its own. @param afterRead called when removals are counted */
function openLoop({ dataDir, databaseFile, second, identity }: ReturnType<typeof createOffice>, afterRead = () => {}) {
  const { sqlite } = openDatabase(databaseFile);
  onTestFinished(() => void sqlite.close());
  createCheckpoints({ sqlite, file: databaseFile });
  sqlite.exec('create table texts (id integer primary key, text)');
  const loop = createCopyLoop({
    dataDir,
    databaseFile,
    secondDir: second,
    identity,
    hadCopy: false,
    atMs: null,
    lastEmptied: null,
    now: Date.now,
    removals() {
      afterRead();
      return 0;
    },
    beginHandover: async () => null,
  });
  const reports: CopyReport[] = [];
  const look = () => loop.look((report) => void reports.push(report));
  return { sqlite, reports, loseLog: () => loop.addEmptied('lost'), look };
}

async function waitFor(copy: { status: () => RunningCopyStatus | null }, state: RunningCopyStatus['state']) {
  await expect.poll(() => copy.status()?.state, POLL).toBe(state);
}

describe('the running copy', () => {
  it('holds what was written before, and after a clean stop goes on without a new base', async () => {
    const office = createOffice();
    const first = office.start();
    add(first, 'satu');
    await waitFor(first.copy, 'ok');
    add(first, 'dua');
    await first.copy.stop();
    first.sqlite.close();
    expect(readCopy(office.folder)).toEqual([
      { id: 1, text: 'satu' },
      { id: 2, text: 'dua' },
    ]);
    const { ino } = statSync(join(office.folder, 'pbb.sqlite'));

    const second = office.start();
    add(second, 'tiga');
    await waitFor(second.copy, 'ok');
    await second.copy.stop();
    second.sqlite.close();
    expect(readCopy(office.folder)).toHaveLength(3);
    expect(statSync(join(office.folder, 'pbb.sqlite')).ino).toBe(ino);
  });

  it('equals the original after many logs, rolled-back transactions and long reads', async () => {
    const office = createOffice();
    const server = office.start();
    await waitFor(server.copy, 'ok');
    const insert = server.sqlite.prepare('insert into texts (text) values (?)');
    for (let round = 0; round < 60; round += 1) {
      server.sqlite.transaction(() => {
        for (let n = 0; n < 20; n += 1) insert.run(`${round} ${n} `.padEnd(3000, 'x'));
      })();
      server.gate.committed();
      if (round % 7 === 0) {
        expect(() =>
          server.sqlite.transaction(() => {
            for (let n = 0; n < 300; n += 1) insert.run('batal'.padEnd(3000, 'y'));
            throw new Error('batal');
          })(),
        ).toThrow('batal');
      }
      const reader = round % 5 === 0 ? connect(office.databaseFile, { readonly: true }) : null;
      reader?.exec('begin');
      reader?.prepare('select count(*) from texts').get();
      if (round % 3 === 0) {
        server.sqlite.prepare('delete from texts where id % 4 = ?').run(round % 4);
        void server.gate.eraseDeleted();
      }
      await new Promise((resolve) => {
        setTimeout(resolve, 5);
      });
      reader?.close();
    }
    await server.copy.stop();
    const expected = textsIn(server);
    server.sqlite.close();
    expect(readCopy(office.folder)).toEqual(expected);
  });

  it('keeps its last state while the folder is gone, and catches up when it is back', async () => {
    const office = createOffice();
    const server = office.start();
    add(server, 'sebelum');
    await waitFor(server.copy, 'ok');
    renameSync(office.second, `${office.second}-away`);
    for (let n = 0; n < 5; n += 1) {
      add(server, `tanpa disk ${n}`);
      await server.gate.eraseDeleted();
    }
    await waitFor(server.copy, 'stopped');
    expect(server.copy.status()?.message).toMatch(/^Folder ".*usb" tidak ada\./);
    renameSync(`${office.second}-away`, office.second);
    await server.copy.stop();
    const expected = textsIn(server);
    expect(readCopy(office.folder)).toEqual(expected);
    server.sqlite.close();
  });

  it('stops in the folder of another office and after the office has moved, and never writes there', async () => {
    const office = createOffice();
    const server = office.start();
    await waitFor(server.copy, 'ok');
    await server.copy.stop();
    server.sqlite.close();
    const state = readCopyState(office.folder);

    const other = createOffice({ second: office.second });
    const foreign = other.start();
    await waitFor(foreign.copy, 'stopped');
    expect(foreign.copy.status()).toMatchObject({
      message: 'Folder itu dipakai salinan kantor lain.',
      reason: 'other office',
    });
    await foreign.copy.stop();
    foreign.sqlite.close();
    expect(readCopyState(office.folder)).toEqual(state);

    const successor = { ...office.identity, holder: randomUUID(), predecessors: [office.identity.holder] };
    const moved = office.start(successor);
    await waitFor(moved.copy, 'ok');
    await moved.copy.stop();
    moved.sqlite.close();
    const returned = office.start();
    await waitFor(returned.copy, 'stopped');
    expect(returned.copy.status()).toMatchObject({
      message: `Salinan di ${office.second} lebih baru: kantor ini mungkin sudah pindah ke komputer lain.`,
      reason: 'moved on',
    });
    await returned.copy.stop();
    returned.sqlite.close();
  });

  it('begins a copy after a start that ended before the first one was whole', async () => {
    const office = createOffice();
    const server = office.start();
    add(server, 'satu');
    // The log is emptied before the thread has found the folder.
    renameSync(office.second, `${office.second}-away`);
    await server.gate.eraseDeleted();
    server.kill();
    server.sqlite.close();
    rmSync(office.folder, { recursive: true, force: true });
    renameSync(`${office.second}-away`, office.second);
    rmSync(office.folder, { recursive: true, force: true });
    const again = office.start();
    await waitFor(again.copy, 'ok');
    await again.copy.stop();
    again.sqlite.close();
    expect(readCopy(office.folder)).toHaveLength(1);
  });

  it('still tells the instant of the last copy when its folder is emptied under it', async () => {
    const office = createOffice();
    const server = office.start();
    await waitFor(server.copy, 'ok');
    const copied = server.copy.status()?.atMs;
    expect(copied).toEqual(expect.any(Number));
    rmSync(office.folder, { recursive: true });
    add(server, 'satu');
    await server.gate.eraseDeleted();
    await waitFor(server.copy, 'stopped');
    expect(server.copy.status()).toMatchObject({ reason: 'emptied', atMs: copied });
    await server.copy.stop();
    server.sqlite.close();
  });

  it.each(['a clean stop', 'a kill'])(
    'tells the instant of the last copy at a start without its disk, after %s',
    async (end) => {
      const office = createOffice();
      const first = office.start();
      add(first, 'satu');
      await waitFor(first.copy, 'ok');
      if (end === 'a kill') first.kill();
      else await first.copy.stop();
      const copied = readCopyState(office.folder)?.atMs;
      expect(copied).toEqual(expect.any(Number));
      first.sqlite.close();
      renameSync(office.second, `${office.second}-away`);
      const second = office.start();
      expect(second.copy.status()).toMatchObject({ state: 'starting', atMs: copied });
      await waitFor(second.copy, 'stopped');
      expect(second.copy.status()).toMatchObject({ atMs: copied });
      add(second, 'dua');
      await second.gate.eraseDeleted();
      await second.copy.stop();
      second.sqlite.close();
      const third = office.start();
      await waitFor(third.copy, 'stopped');
      expect(third.copy.status()).toMatchObject({ atMs: copied });
      await third.copy.stop();
      third.sqlite.close();
    },
  );

  it('tells no instant of a copy in another folder than the one that is set now', async () => {
    const office = createOffice();
    const first = office.start();
    await waitFor(first.copy, 'ok');
    await first.copy.stop();
    first.sqlite.close();
    const second = office.start(office.identity, join(office.root, 'other'));
    await waitFor(second.copy, 'stopped');
    expect(second.copy.status()).toMatchObject({ reason: 'disk', atMs: null });
    await second.copy.stop();
    second.sqlite.close();
  });

  it('makes a new base on an older disk that comes back after a start that emptied no log', async () => {
    const office = createOffice();
    const first = office.start();
    add(first, 'satu');
    await waitFor(first.copy, 'ok');
    await first.gate.eraseDeleted();
    await expect.poll(() => existsSync(join(office.folder, 'pbb.sqlite-wal')), POLL).toBe(false);
    const olderDisk = `${office.second}-older`;
    renameSync(office.second, olderDisk);
    mkdirSync(office.second);
    for (let n = 0; n < 20; n += 1) add(first, `minggu ini ${n} `.padEnd(3000, 'x'));
    await first.gate.eraseDeleted();
    await waitFor(first.copy, 'stopped');
    expect(first.copy.startNew()).toBe(true);
    await waitFor(first.copy, 'ok');
    await first.copy.stop();
    first.sqlite.close();

    const second = office.start();
    await waitFor(second.copy, 'ok');
    renameSync(office.second, `${office.second}-newer`);
    add(second, 'dua');
    await second.gate.eraseDeleted();
    await waitFor(second.copy, 'stopped');
    renameSync(olderDisk, office.second);
    await second.copy.stop();
    const expected = textsIn(second);
    second.sqlite.close();
    expect(readCopy(office.folder)).toEqual(expected);
  });

  it('makes its first base beside more log than is kept for a missing disk', async () => {
    const office = createOffice();
    const addFile = (number: number, bytes: number): string => {
      const file = join(office.dataDir, 'proofs', `${String(number).padStart(8, '0')}${randomUUID().slice(8)}.jpg`);
      writeFileSync(file, '');
      truncateSync(file, bytes);
      return file;
    };
    for (let number = 1; number <= TEXTS; number += 1) addFile(number, 256 * 1024);
    // The base of so much is throttled: the server goes on in the pauses.
    const last = addFile(99_999_999, 64 * 1024 * 1024);
    const clock = { aheadMs: 0 };
    const readClock = performance.now.bind(performance);
    const now = vi.spyOn(performance, 'now').mockImplementation(() => readClock() + clock.aheadMs);
    onTestFinished(() => now.mockRestore());
    const server = office.start(office.identity, office.second, KEPT_MAX_BYTES);
    const seen: string[] = [];
    let texts = 0;
    server.onMessage((message) => {
      seen.push(message.kind === 'report' ? message.report.state : message.kind);
      if (message.kind !== 'report' || message.report.state !== 'starting' || texts === TEXTS) return;
      texts += 1;
      add(server, `${texts} `.padEnd(KEPT_MAX_BYTES / 2, 'x'));
      void server.gate.eraseDeleted();
      if (texts === 2) truncateSync(last, 1);
    });
    // A report is due after each file.
    const ticks = setInterval(() => (clock.aheadMs += 6000), 5);
    onTestFinished(() => clearInterval(ticks));
    await expect.poll(() => seen.find((kind) => kind === 'ok' || kind === 'stopped'), POLL).toBeDefined();
    clearInterval(ticks);
    expect(new Set(seen)).toEqual(new Set(['starting', 'begin handover', 'ok']));
    expect(seen.filter((kind) => kind === 'begin handover')).toHaveLength(1);
    expect(texts).toBe(TEXTS);
    await server.copy.stop();
    const expected = textsIn(server);
    server.sqlite.close();
    expect(readCopy(office.folder)).toEqual(expected);
  });

  it('says in plain words that a base begins anew because a log was lost meanwhile, and then makes it', async () => {
    const office = createOffice();
    let isLost = false;
    const loop = openLoop(office, () => {
      if (!isLost) loop.loseLog();
      isLost = true;
    });
    await loop.look();
    expect(loop.reports.at(-1)).toMatchObject({
      state: 'stopped',
      message:
        'Sebagian perubahan data tidak terbaca selama salinan dibuat. Salinan itu dimulai lagi dari awal; biarkan server berjalan.',
    });
    await loop.look();
    expect(loop.reports.at(-1)).toMatchObject({ state: 'ok', message: null });
  });

  it('makes a new base when a command commits while a log is emptied', async () => {
    const office = createOffice();
    const server = office.start();
    await waitFor(server.copy, 'ok');
    add(server, 'satu');
    const command = connect(office.databaseFile);
    // No later commit writes all pages of so long a text again.
    const text = 'dari perintah '.padEnd(20_000, 'x');
    const insert = command.prepare('insert into texts (text) values (?)');
    const runPragma = server.sqlite.pragma.bind(server.sqlite);
    const pragma = vi.spyOn(server.sqlite, 'pragma').mockImplementation((source, options) => {
      if (source === 'wal_checkpoint(PASSIVE)') {
        // A change that has begun goes on in this log; one that begins later begins another log.
        command.exec('begin immediate');
        insert.run(text);
      }
      if (source !== 'wal_checkpoint(TRUNCATE)') return runPragma(source, options);
      pragma.mockRestore();
      command.exec('commit');
      return runPragma(source, options);
    });
    await server.gate.eraseDeleted();
    add(server, 'dua');
    await server.copy.stop();
    const expected = textsIn(server);
    for (const connection of [command, server.sqlite]) connection.close();
    expect(expected).toHaveLength(3);
    expect(readCopy(office.folder)).toEqual(expected);
  });

  it.each(['is gone', 'is cut'])(
    'goes on with its unfinished state file, and makes a new copy on demand without it, when the state file %s',
    async (damage) => {
      const office = createOffice();
      storeInstallationState(office.dataDir, {
        marks: null,
        operatingMs: 0,
        writtenAtMs: 0,
        firstSeenMs: {},
        identity: office.identity,
      });
      const stateFile = join(office.folder, 'salinan.json');
      const spoil = (): void => (damage === 'is gone' ? rmSync(stateFile) : writeFileSync(stateFile, '{"for'));
      const first = office.start();
      add(first, 'satu');
      await waitFor(first.copy, 'ok');
      await first.copy.stop();
      first.sqlite.close();
      const { ino } = statSync(join(office.folder, 'pbb.sqlite'));
      cpSync(stateFile, `${stateFile}.part`);
      spoil();

      const second = office.start();
      await waitFor(second.copy, 'ok');
      await second.copy.stop();
      second.sqlite.close();
      expect(statSync(join(office.folder, 'pbb.sqlite')).ino).toBe(ino);
      spoil();
      // A file that another server may just be making is left alone.
      if (damage === 'is cut') utimesSync(stateFile, 0, 0);

      const third = office.start();
      await waitFor(third.copy, 'stopped');
      expect(third.copy.status()?.reason).toBe('emptied');
      expect(third.copy.startNew()).toBe(true);
      await waitFor(third.copy, 'ok');
      await third.copy.stop();
      const expected = textsIn(third);
      third.sqlite.close();
      expect(readCopy(office.folder)).toEqual(expected);
    },
  );

  it('does not fill an emptied folder by itself', async () => {
    const office = createOffice();
    const server = office.start();
    await waitFor(server.copy, 'ok');
    await server.copy.stop();
    server.sqlite.close();
    rmSync(office.folder, { recursive: true });
    const again = office.start();
    await waitFor(again.copy, 'stopped');
    expect(again.copy.status()?.reason).toBe('emptied');
    expect(readdirSync(office.second)).toEqual([]);
    expect(again.copy.startNew()).toBe(true);
    await waitFor(again.copy, 'ok');
    expect(again.copy.startNew()).toBe(false);
    await again.copy.stop();
    again.sqlite.close();
  });

  // Other systems do not list locks; POSIX says the same for all but Windows.
  it.runIf(process.platform === 'linux')('keeps the locks that SQLite has on the database', async () => {
    const office = createOffice();
    const server = office.start();
    const countLocks = (): number =>
      readFileSync('/proc/locks', 'utf8')
        .split('\n')
        .filter((line) => line.includes(` ${process.pid} `))
        .filter((line) => line.includes(`:${statSync(office.databaseFile).ino} `)).length;
    expect(countLocks()).toBe(1);
    await waitFor(server.copy, 'ok');
    await server.copy.stop();
    expect(countLocks()).toBe(1);
    server.sqlite.close();
  });

  it('makes a new base when the database was changed while it was stopped', async () => {
    const office = createOffice();
    const server = office.start();
    add(server, 'satu');
    await waitFor(server.copy, 'ok');
    await server.copy.stop();
    server.sqlite.close();
    const sqlite = connect(office.databaseFile);
    sqlite.exec("insert into texts (text) values ('dari perintah')");
    sqlite.close();
    const again = office.start();
    add(again, 'dua');
    await waitFor(again.copy, 'ok');
    await again.copy.stop();
    const expected = textsIn(again);
    again.sqlite.close();
    expect(readCopy(office.folder)).toEqual(expected);
  });

  it.each([
    ['lost its last commit', []],
    ['lost its last commit and got another one instead', ['3'.repeat(LOOKED_AT_BYTES)]],
  ])('makes a new base when a power cut came and the database %s while the disk was away', async (_what, later) => {
    const office = createOffice();
    const logFile = `${office.databaseFile}-wal`;
    const first = office.start();
    await waitFor(first.copy, 'ok');
    add(first, 'satu');
    const keptBytes = statSync(logFile).size;
    add(first, '2'.repeat(LOOKED_AT_BYTES));
    await expect.poll(() => readCopy(office.folder).length, POLL).toBe(2);
    first.kill();
    const [database, log] = [readFileSync(office.databaseFile), readFileSync(logFile)];
    first.sqlite.close();
    writeFileSync(office.databaseFile, database);
    // The disk had not got the end of the log.
    writeFileSync(logFile, log.subarray(0, keptBytes));
    renameSync(office.second, `${office.second}-away`);
    const second = office.start();
    for (const text of later) add(second, text);
    expect(textsIn(second)).toHaveLength(1 + later.length);
    await second.gate.eraseDeleted();
    await waitFor(second.copy, 'stopped');
    renameSync(`${office.second}-away`, office.second);
    await second.copy.stop();
    const expected = textsIn(second);
    second.sqlite.close();
    expect(readCopy(office.folder)).toEqual(expected);
  });

  it('copies uploads before the rows that name them, and removes them after', async () => {
    const office = createOffice();
    const server = office.start();
    const name = `${randomUUID()}.jpg`;
    writeFileSync(join(office.dataDir, 'proofs', name), 'gambar');
    writeFileSync(join(office.dataDir, 'secret'), 'rahasia');
    add(server, name);
    await waitFor(server.copy, 'ok');
    await server.gate.eraseDeleted();
    await expect.poll(() => existsSync(join(office.folder, 'proofs', name)), POLL).toBe(true);
    server.copy.countRemovedUpload();
    rmSync(join(office.dataDir, 'proofs', name));
    await server.copy.stop();
    server.sqlite.close();
    expect(readdirSync(join(office.folder, 'proofs'))).toEqual([]);
    expect(readdirSync(office.folder).toSorted()).toEqual(['pbb.sqlite', 'proofs', 'salinan.json', 'secret']);
  });

  it('asks a thread that has not answered once only, before a log is emptied, and says when it is silent', async () => {
    const office = createOffice();
    const database = openDatabase(office.databaseFile);
    database.sqlite.exec('create table texts (id integer primary key, text)');
    const gate = createCheckpoints(database);
    const asked: ToCopyThread['kind'][] = [];
    const thread = Object.assign(new EventEmitter(), {
      postMessage: ({ kind }: ToCopyThread) => void asked.push(kind),
      terminate: async () => 0,
    });
    const tell = (message: FromCopyThread): void => void thread.emit('message', message);
    const clock = { ms: 0 };
    const copy = createRunningCopy({
      paths: { databaseFile: office.databaseFile, dataDir: office.dataDir },
      secondDir: office.second,
      monotonicNow: () => clock.ms,
      startThread: () => thread,
    });
    copy.start(gate, office.identity, SILENT_LOG);
    const well: CopyReport = {
      atMs: 1,
      state: 'ok',
      message: null,
      percent: null,
      reason: null,
      place: null,
      takenBytes: 0,
    };
    tell({ kind: 'report', report: well });
    for (const text of ['satu', 'dua']) {
      add({ sqlite: database.sqlite, gate }, text);
      await gate.eraseDeleted();
    }
    expect(asked).toEqual(['start', 'look', 'emptied', 'emptied']);
    clock.ms = 45_000;
    expect(copy.status()).toMatchObject({ state: 'ok' });
    clock.ms = 45_001;
    expect(copy.status()).toMatchObject({
      state: 'stopped',
      reason: 'disk',
      atMs: 1,
      message: `Disk dari "${office.second}" tidak menjawab. Periksa disk itu atau sambungan jaringannya.`,
    });
    tell({ kind: 'report', report: well });
    expect(copy.status()).toMatchObject({ state: 'ok', message: null });
    add({ sqlite: database.sqlite, gate }, 'tiga');
    await gate.eraseDeleted();
    expect(asked.slice(4)).toEqual(['look', 'emptied']);
    database.sqlite.close();
  });

  it('keeps a file that is removed while its last row is being copied, until the row is gone too', async () => {
    const office = createOffice();
    const { dataDir, folder } = office;
    const name = `${randomUUID()}.jpg`;
    let afterRead = (): void => undefined;
    const { sqlite, reports, look } = openLoop(office, () => afterRead());
    await look();
    writeFileSync(join(dataDir, 'proofs', name), 'gambar');
    sqlite.prepare('insert into texts (text) values (?)').run(name);
    let reads = 0;
    afterRead = () => {
      reads += 1;
      // The second time the end of the log was read, and the file was copied.
      if (reads !== 2) return;
      sqlite.exec('delete from texts');
      rmSync(join(dataDir, 'proofs', name));
    };
    await look();
    expect(readCopy(folder)).toEqual([{ id: 1, text: name }]);
    expect(readdirSync(join(folder, 'proofs'))).toEqual([name]);
    await look();
    expect(readCopy(folder)).toEqual([]);
    expect(readdirSync(join(folder, 'proofs'))).toEqual([]);
    expect(reports.map(({ state }) => state)).toEqual(['starting', 'ok', 'ok', 'ok']);
  });

  it('tells how far it is while it copies many files after a long absence of its disk, and keeps its instant', async () => {
    const office = createOffice();
    const { reports, look } = openLoop(office);
    await look();
    const [before] = reports.splice(0).slice(-1);
    for (const [name, bytes] of [
      ['large', 64 * 1024 * 1024],
      ['small', 1],
    ] as const) {
      const file = join(office.dataDir, 'proofs', `${randomUUID()}.jpg`);
      writeFileSync(file, name);
      truncateSync(file, bytes);
    }
    await look();
    expect(reports[0]).toMatchObject({ state: 'starting', percent: expect.any(Number), atMs: before?.atMs });
    expect(reports.at(-1)).toMatchObject({ state: 'ok', percent: null });
    expect(readdirSync(join(office.folder, 'proofs'))).toHaveLength(2);
  });

  it('takes over all commits of a look or none of them, wherever the disk stops', () => {
    const office = createOffice();
    const server = openDatabase(office.databaseFile);
    createCheckpoints(server);
    server.sqlite.exec('create table texts (id integer primary key, text)');
    mkdirSync(office.folder);
    const insert = server.sqlite.prepare('insert into texts (text) values (?)');
    const readLog = () => readFileSync(`${office.databaseFile}-wal`);
    server.sqlite.pragma('synchronous = OFF');
    server.sqlite.pragma('wal_checkpoint(TRUNCATE)');
    cpSync(office.databaseFile, join(office.folder, 'pbb.sqlite'));
    insert.run('sudah');
    const copy = openDatabaseCopy(office.folder, '', null);
    const seen: number[] = [];
    // A look takes the log piece by piece, and the disk may stop before each of them.
    const bring = (): void =>
      copy.append((from, maxBytes) => {
        seen.push(readCopy(office.folder).length);
        return readLog().subarray(from, from + maxBytes);
      });
    copy.beginLog(readLog().subarray(0, 32));
    bring();
    for (let count = 1; count <= 1000; count += 1) insert.run('x'.repeat(3000));
    bring();
    expect(seen.length).toBeGreaterThan(3);
    expect(new Set(seen.slice(1))).toEqual(new Set([1]));
    expect(readCopy(office.folder)).toHaveLength(1001);
    expect(readFileSync(copy.logFile).equals(readLog())).toBe(true);
    server.sqlite.close();
  });
});
