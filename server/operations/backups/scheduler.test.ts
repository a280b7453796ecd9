import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lockBackups } from '#server/db/data-folder/data-folder.ts';
import { startThread } from '#server/threads.ts';
import { withTimeout } from '#server/testing/with-timeout.ts';
import { createBackupScheduler, type BackupSchedulerDeps } from './scheduler.ts';
import { startInProcess, createWorkerStart, type StartBackup } from './worker.ts';
import { buildDataFolder, NOON, TIME_ZONE, type TestDataFolder } from '#server/testing/test-data-folder.ts';
import { HOUR_MS, MINUTE_MS } from '#shared/domain/durations.ts';

function buildScheduler(
  dataFolder: TestDataFolder,
  changes: Partial<BackupSchedulerDeps['settings']> = {},
  start: StartBackup = startInProcess,
) {
  const clock = { nowMs: NOON };
  const logs: string[] = [];
  const keep = { periods: 24, days: 14, months: 12 };
  const log = (level: string) => (first: unknown, second?: string) =>
    void logs.push(`${level} ${second ?? (typeof first === 'string' ? first : '')}`);
  const backups = createBackupScheduler(
    { places: dataFolder, settings: { everyHours: 2, keep, secondDir: null, ...changes }, start },
    { timeZone: TIME_ZONE, now: () => clock.nowMs, log: { info: log('info'), warn: log('warn'), error: log('error') } },
  );
  /** Lets time pass and looks at the clock once. @returns the archives there are then */
  const advance = async (ms: number): Promise<string[]> => {
    clock.nowMs += ms;
    await backups.startIfDue();
    await backups.waitUntilIdle();
    return (await backups.state()).backups.map(({ name }) => name);
  };
  return { backups, clock, logs, advance };
}

const nextAt = async ({ backups }: ReturnType<typeof buildScheduler>): Promise<number | null> =>
  (await backups.state()).nextAtMs;

describe('the schedule', () => {
  it('makes the first a minute after the first start, then one every two hours', async () => {
    const keeper = buildScheduler(buildDataFolder());
    expect(await nextAt(keeper)).toBe(NOON + MINUTE_MS);
    expect(await keeper.advance(MINUTE_MS - 1)).toEqual([]);
    expect(await keeper.advance(1)).toEqual(['pbb-kita-20260610-120100.tar']);
    expect(await nextAt(keeper)).toBe(NOON + MINUTE_MS + 2 * HOUR_MS);
    expect(await keeper.advance(2 * HOUR_MS - 1)).toHaveLength(1);
    expect(await keeper.advance(1)).toEqual(['pbb-kita-20260610-140100.tar', 'pbb-kita-20260610-120100.tar']);
    expect(keeper.logs).toEqual(['info backup made', 'info backup made']);
  });

  it('goes by what is there: a restart neither skips nor doubles', async () => {
    const office = buildDataFolder();
    writeFileSync(join(office.backupsDir, 'pbb-kita-20260610-110000.tar'), 'x');
    const keeper = buildScheduler(office);
    expect(await nextAt(keeper)).toBe(NOON + HOUR_MS);
    expect(await keeper.advance(HOUR_MS - 1)).toHaveLength(1);
    expect(await keeper.advance(1)).toHaveLength(2);
    // One that was missed while the computer was off comes a minute after the start; one from the future counts for nothing.
    const late = buildDataFolder();
    writeFileSync(join(late.backupsDir, 'pbb-kita-20260501-110000.tar'), 'x');
    writeFileSync(join(late.backupsDir, 'pbb-kita-20990101-110000.tar'), 'x');
    const again = buildScheduler(late);
    expect(await nextAt(again)).toBe(NOON + MINUTE_MS);
    expect((await again.backups.state()).last?.name).toBe('pbb-kita-20260501-110000.tar');
  });

  it('can be off; one by hand is made all the same', async () => {
    const keeper = buildScheduler(buildDataFolder(), { everyHours: 0 });
    expect(await nextAt(keeper)).toBeNull();
    expect(await keeper.advance(1000 * HOUR_MS)).toEqual([]);
    expect(keeper.backups.makeNow()).toBe(true);
    await keeper.backups.waitUntilIdle();
    expect(await keeper.advance(0)).toEqual(['pbb-kita-20260722-040000-manual.tar']);
  });

  it('tries again half an hour after a failure, which stays until one goes well', async () => {
    const office = buildDataFolder();
    office.database.sqlite.pragma('foreign_keys = OFF');
    office.database.sqlite.exec("update sessions set user_id = 'nobody'");
    const keeper = buildScheduler(office);
    expect(await keeper.advance(MINUTE_MS)).toEqual([]);
    const { failure } = await keeper.backups.state();
    expect(failure).toEqual({ at: '2026-06-10T05:01:00.000Z', message: expect.stringMatching(/^Database rusak/) });
    expect(keeper.logs).toEqual([expect.stringMatching(/^error backup failed: Database rusak/)]);
    expect(await nextAt(keeper)).toBe(NOON + 31 * MINUTE_MS);
    // Also seen by a server that starts later.
    expect((await buildScheduler(office).backups.state()).failure).toEqual(failure);
    office.database.sqlite.exec('delete from sessions');
    expect(await keeper.advance(30 * MINUTE_MS)).toHaveLength(1);
    expect((await keeper.backups.state()).failure).toBeNull();
  });

  it('waits while a command makes one', async () => {
    const office = buildDataFolder();
    const keeper = buildScheduler(office);
    const release = lockBackups(office.dataDir);
    expect(keeper.backups.makeNow()).toBe(false);
    expect(await keeper.advance(MINUTE_MS)).toEqual([]);
    expect((await keeper.backups.state()).failure).toBeNull();
    release?.();
    expect(await keeper.advance(MINUTE_MS)).toHaveLength(1);
  });

  it('sweeps at its start what a crash left', async () => {
    const office = buildDataFolder();
    writeFileSync(join(office.backupsDir, 'pbb-kita-20260610-110000.tar.part'), 'x');
    const { backups } = buildScheduler(office);
    backups.schedule();
    expect(readdirSync(office.backupsDir)).toEqual([]);
    await backups.close();
  });
});

describe('in a thread of its own', () => {
  const realThread = createWorkerStart((job) => startThread('backup', job));

  it('tells how far it is, and that it is done', async () => {
    const office = buildDataFolder();
    for (let count = 0; count < 4; count += 1) office.addRecord(`r${count}`, 400_000);
    const percents = new Set<number>();
    const { backups } = buildScheduler(office, {}, (job, onPercent) =>
      realThread(job, (percent) => {
        percents.add(percent);
        onPercent(percent);
      }),
    );
    expect(backups.makeNow()).toBe(true);
    expect(backups.makeNow()).toBe(false);
    expect((await backups.state()).running).toEqual({ startedAtMs: NOON, percent: 0 });
    await withTimeout('the backup to be made', backups.waitUntilIdle(), 20_000);
    const state = await backups.state();
    expect([state.running, state.failure, state.backups.length]).toEqual([null, null, 1]);
    expect(percents.size).toBeGreaterThan(2);
  });

  it('can be stopped in the middle, which is no failure', async () => {
    const office = buildDataFolder();
    for (let count = 0; count < 10; count += 1) office.addRecord(`r${count}`, 1_000_000);
    const started = Promise.withResolvers<void>();
    const { backups, logs } = buildScheduler(office, {}, (job, onPercent) =>
      realThread(job, (percent) => {
        onPercent(percent);
        started.resolve();
      }),
    );
    backups.makeNow();
    await withTimeout('the backup to be under way', started.promise, 20_000);
    await withTimeout('the backup to be stopped', backups.close());
    expect(logs).toEqual([]);
    expect(backups.makeNow()).toBe(false);
    expect(readdirSync(office.backupsDir)).toEqual([]);
    expect((await buildScheduler(office).backups.state()).failure).toBeNull();
  });

  it('that dies is a failure that is told', async () => {
    const office = buildDataFolder();
    const { backups, logs } = buildScheduler(office, {}, (job, onPercent) => {
      const run = realThread(job, onPercent);
      return { ...run, outcome: run.stop().then(() => run.outcome) };
    });
    backups.makeNow();
    await withTimeout('the backup to end', backups.waitUntilIdle(), 20_000);
    expect((await backups.state()).failure?.message).toMatch(/^Gagal mencadangkan \(the backup thread ended with \d\)/);
    expect(logs).toHaveLength(1);
  });
});
