import { mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { lockBackups } from '#server/db/data-folder/data-folder.ts';
import { PROGRAM_FILE } from '#server/testing/program/program.ts';
import { withTimeout } from '#server/testing/with-timeout.ts';
import { createBackupScheduler, type BackupSchedulerDeps } from './scheduler.ts';
import { startInProcess, createWorkerStart, type StartBackup } from './worker.ts';
import {
  buildDataFolder,
  NOON,
  tempFolder,
  TIME_ZONE,
  type TestDataFolder,
} from '#server/testing/program/test-data-folder.ts';
import { createInstallationRecord } from '../installation/installation-record.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/durations.ts';

function buildScheduler(
  dataFolder: TestDataFolder,
  changes: Partial<BackupSchedulerDeps['settings']> = {},
  start: StartBackup = startInProcess,
) {
  const clock = { nowMs: NOON, monotonicMs: 0 };
  const logs: string[] = [];
  const keep = { periods: 24, days: 14, months: 12 };
  const log = (level: string) => (first: unknown, second?: string) =>
    void logs.push(`${level} ${second ?? (typeof first === 'string' ? first : '')}`);
  const now = () => clock.nowMs;
  const logger = { info: log('info'), warn: log('warn'), error: log('error') };
  const installation = createInstallationRecord({
    dataDir: dataFolder.dataDir,
    database: dataFolder.database,
    now,
    monotonicNow: () => clock.monotonicMs,
    log: logger,
  });
  const backups = createBackupScheduler(
    { paths: dataFolder, settings: { everyHours: 2, keep, secondDir: null, runningCopy: false, ...changes }, start },
    { timeZone: TIME_ZONE, now, installation, log: logger },
  );
  /** Advances the clock and checks the schedule once. @returns the archives afterwards */
  const advance = async (ms: number): Promise<string[]> => {
    clock.nowMs += ms;
    clock.monotonicMs += ms;
    await backups.startIfDue();
    await backups.waitUntilIdle();
    return (await backups.state()).backups.map(({ name }) => name);
  };
  return { backups, clock, logs, advance };
}

const nextAt = async ({ backups }: ReturnType<typeof buildScheduler>): Promise<number | null> =>
  (await backups.state()).nextAtMs;

describe('the backup scheduler', () => {
  it('makes the first backup a minute after the start, then one every two hours', async () => {
    const testScheduler = buildScheduler(buildDataFolder());
    expect(await nextAt(testScheduler)).toBe(NOON + MINUTE_MS);
    expect(await testScheduler.advance(MINUTE_MS - 1)).toEqual([]);
    expect(await testScheduler.advance(1)).toEqual(['pbb-kita-20260610-120100']);
    expect(await nextAt(testScheduler)).toBe(NOON + MINUTE_MS + 2 * HOUR_MS);
    expect(await testScheduler.advance(2 * HOUR_MS - 1)).toHaveLength(1);
    expect(await testScheduler.advance(1)).toEqual(['pbb-kita-20260610-140100', 'pbb-kita-20260610-120100']);
    expect(testScheduler.logs).toEqual(['info backup made', 'info backup made']);
  });

  it('continues its interval after a restart, without a gap or a double', async () => {
    const dataFolder = buildDataFolder();
    writeFileSync(join(dataFolder.backupsDir, 'pbb-kita-20260610-110000.tar'), 'x');
    const testScheduler = buildScheduler(dataFolder);
    expect(await nextAt(testScheduler)).toBe(NOON + HOUR_MS);
    expect(await testScheduler.advance(HOUR_MS - 1)).toHaveLength(1);
    expect(await testScheduler.advance(1)).toHaveLength(2);
    // A backup missed while the computer was off is made a minute after the start. One dated in the future does not count.
    const late = buildDataFolder();
    writeFileSync(join(late.backupsDir, 'pbb-kita-20260501-110000.tar'), 'x');
    writeFileSync(join(late.backupsDir, 'pbb-kita-20990101-110000.tar'), 'x');
    const again = buildScheduler(late);
    expect(await nextAt(again)).toBe(NOON + MINUTE_MS);
    expect((await again.backups.state()).last?.name).toBe('pbb-kita-20260501-110000.tar');
  });

  it('makes manual backups also when automatic ones are off', async () => {
    const testScheduler = buildScheduler(buildDataFolder(), { everyHours: 0 });
    expect(await nextAt(testScheduler)).toBeNull();
    expect(await testScheduler.advance(1000 * HOUR_MS)).toEqual([]);
    expect(testScheduler.backups.makeNow()).toBe(true);
    await testScheduler.backups.waitUntilIdle();
    expect(await testScheduler.advance(0)).toEqual(['pbb-kita-20260722-040000-manual']);
  });

  it('tries again half an hour after a failure, and reports the failure until a backup succeeds', async () => {
    const dataFolder = buildDataFolder();
    dataFolder.database.sqlite.pragma('foreign_keys = OFF');
    dataFolder.database.sqlite.exec("update sessions set user_id = 'missing'");
    const testScheduler = buildScheduler(dataFolder);
    expect(await testScheduler.advance(MINUTE_MS)).toEqual([]);
    const { failure } = await testScheduler.backups.state();
    expect(failure).toEqual({ at: '2026-06-10T05:01:00.000Z', message: expect.stringMatching(/^Database rusak/) });
    expect(testScheduler.logs).toEqual([expect.stringMatching(/^error backup failed: Database rusak/)]);
    expect(await nextAt(testScheduler)).toBe(NOON + 31 * MINUTE_MS);
    // A server that starts later reports it too.
    expect((await buildScheduler(dataFolder).backups.state()).failure).toEqual(failure);
    dataFolder.database.sqlite.exec('delete from sessions');
    expect(await testScheduler.advance(30 * MINUTE_MS)).toHaveLength(1);
    expect((await testScheduler.backups.state()).failure).toBeNull();
  });

  it('waits while a command makes a backup', async () => {
    const dataFolder = buildDataFolder();
    const testScheduler = buildScheduler(dataFolder);
    const release = lockBackups(dataFolder.dataDir);
    expect(testScheduler.backups.makeNow()).toBe(false);
    expect(await testScheduler.advance(MINUTE_MS)).toEqual([]);
    expect((await testScheduler.backups.state()).failure).toBeNull();
    release?.();
    expect(await testScheduler.advance(MINUTE_MS)).toHaveLength(1);
  });

  it('removes manual archives from a second disk that was away while they grew old, also those of another server', async () => {
    const [secondDir, away] = [join(tempFolder(), 'usb'), join(tempFolder(), 'away')];
    mkdirSync(secondDir);
    const keep = { periods: 1, days: 0, months: 0 };
    const testScheduler = buildScheduler(buildDataFolder(), { everyHours: 24, keep, secondDir });
    const foreign = 'pbb-kita-20260101-000000-manual.tar';
    writeFileSync(join(secondDir, foreign), 'x');
    testScheduler.backups.makeNow();
    await testScheduler.backups.waitUntilIdle();
    expect(readdirSync(secondDir)).toEqual([foreign, 'pbb-kita-20260610-120000-manual']);

    renameSync(secondDir, away);
    for (const days of [29, 1, 1]) await testScheduler.advance(days * DAY_MS);
    expect(await testScheduler.advance(0)).toEqual(['pbb-kita-20260711-120000']);
    renameSync(away, secondDir);
    await testScheduler.advance(DAY_MS);
    expect(readdirSync(secondDir)).toEqual(['pbb-kita-20260712-120000']);
  });

  it('keeps manual archives of a second disk whose age is unknown for 30 days, whatever the clock says', async () => {
    const secondDir = tempFolder();
    const keep = { periods: 1, days: 0, months: 0 };
    const testScheduler = buildScheduler(buildDataFolder(), { everyHours: 24, keep, secondDir });
    const foreign = 'pbb-kita-20260101-000000-manual.tar';
    writeFileSync(join(secondDir, foreign), 'x');
    for (const days of [1, 28, 1]) await testScheduler.advance(days * DAY_MS);
    expect(readdirSync(secondDir)).toContain(foreign);
    for (const days of [1, 1]) await testScheduler.advance(days * DAY_MS);
    expect(readdirSync(secondDir)).not.toContain(foreign);
  });

  it('sweeps leftovers of a crash at its start', async () => {
    const dataFolder = buildDataFolder();
    writeFileSync(join(dataFolder.backupsDir, 'pbb-kita-20260610-110000.tar.part'), 'x');
    const { backups } = buildScheduler(dataFolder);
    backups.schedule();
    expect(readdirSync(dataFolder.backupsDir)).toEqual([]);
    await backups.close();
  });
});

describe('a backup in a worker thread', () => {
  const realThread = createWorkerStart(
    (data) => new Worker(PROGRAM_FILE, { workerData: { pbbTask: { name: 'backup', data } } }),
  );

  it('reports its progress and its end', async () => {
    const dataFolder = buildDataFolder();
    for (let count = 0; count < 4; count += 1) dataFolder.addRecord(`r${count}`, 400_000);
    const percents = new Set<number>();
    const { backups } = buildScheduler(dataFolder, {}, (job, onPercent) =>
      realThread(job, (percent) => {
        percents.add(percent);
        onPercent(percent);
      }),
    );
    expect(backups.makeNow()).toBe(true);
    expect(backups.makeNow()).toBe(false);
    expect((await backups.state()).running).toEqual({ startedAtMs: NOON, percent: 0 });
    await withTimeout('the backup to be made', backups.waitUntilIdle());
    const state = await backups.state();
    expect([state.running, state.failure, state.backups.length]).toEqual([null, null, 1]);
    expect(percents.size).toBeGreaterThan(2);
  });

  it('can be stopped, which is not a failure', async () => {
    const dataFolder = buildDataFolder();
    for (let count = 0; count < 10; count += 1) dataFolder.addRecord(`r${count}`, 1_000_000);
    const started = Promise.withResolvers<void>();
    const { backups, logs } = buildScheduler(dataFolder, {}, (job, onPercent) =>
      realThread(job, (percent) => {
        onPercent(percent);
        started.resolve();
      }),
    );
    backups.makeNow();
    await withTimeout('the backup to be under way', started.promise);
    await withTimeout('the backup to be stopped', backups.close());
    expect(logs).toEqual([]);
    expect(backups.makeNow()).toBe(false);
    expect(readdirSync(dataFolder.backupsDir)).toEqual([]);
    expect((await buildScheduler(dataFolder).backups.state()).failure).toBeNull();
  });

  it('counts as a failure when its thread dies', async () => {
    const dataFolder = buildDataFolder();
    const { backups, logs } = buildScheduler(dataFolder, {}, (job, onPercent) => {
      const run = realThread(job, onPercent);
      return { ...run, outcome: run.stop().then(() => run.outcome) };
    });
    backups.makeNow();
    await withTimeout('the backup to end', backups.waitUntilIdle());
    expect((await backups.state()).failure?.message).toMatch(/^Gagal mencadangkan \(the backup thread ended with \d\)/);
    expect(logs).toHaveLength(1);
  });
});

describe('a clock that is wrong at the start', () => {
  it.each([
    ['seven hours ahead', 7 * HOUR_MS],
    ['a day behind', -DAY_MS],
  ])('changes no interval with %s that is put right later', async (_what, wrongMs) => {
    const testScheduler = buildScheduler(buildDataFolder());
    testScheduler.clock.nowMs += wrongMs;
    expect(await testScheduler.advance(MINUTE_MS)).toHaveLength(1);
    testScheduler.clock.nowMs -= wrongMs;
    expect(await testScheduler.advance(2 * HOUR_MS - 1)).toHaveLength(1);
    expect(await testScheduler.advance(1)).toHaveLength(2);
  });

  it('makes no more backups with every restart of the server', async () => {
    const dataFolder = buildDataFolder();
    const first = buildScheduler(dataFolder);
    await first.advance(MINUTE_MS);
    for (const jumpMs of [-7 * HOUR_MS, -DAY_MS, 0, -DAY_MS]) {
      const again = buildScheduler(dataFolder);
      again.clock.nowMs += jumpMs;
      expect(await again.advance(10 * MINUTE_MS)).toHaveLength(1);
    }
  });
});

describe('a clock that is set while the server runs', () => {
  it.each([
    ['back by seven hours', -7 * HOUR_MS],
    ['back by a month', -30 * DAY_MS],
    ['forward by three days', 3 * DAY_MS],
    ['forward by a year', 365 * DAY_MS],
  ])('changes no interval when it is set %s', async (_what, jumpMs) => {
    const dataFolder = buildDataFolder();
    const testScheduler = buildScheduler(dataFolder);
    expect(await testScheduler.advance(MINUTE_MS)).toHaveLength(1);
    const [firstMade] = (await testScheduler.backups.state()).backups;
    expect(await testScheduler.advance(HOUR_MS)).toHaveLength(1);
    testScheduler.clock.nowMs += jumpMs;
    expect(await nextAt(testScheduler)).toBe(testScheduler.clock.nowMs + HOUR_MS);
    expect(await testScheduler.backups.state()).toMatchObject({ last: { name: firstMade?.name }, lastAgeMs: HOUR_MS });
    expect(await testScheduler.advance(HOUR_MS - 1)).toHaveLength(1);
    for (let count = 2; count < 12; count += 1) {
      const stored = await testScheduler.advance(count === 2 ? 1 : 2 * HOUR_MS);
      expect(stored).toHaveLength(count);
      expect(stored).toContain(firstMade?.name);
    }
    // The clock is put right again.
    testScheduler.clock.nowMs -= jumpMs;
    expect(await testScheduler.advance(HOUR_MS)).toHaveLength(11);
  });
});
