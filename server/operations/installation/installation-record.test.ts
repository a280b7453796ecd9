import { expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '#shared/durations.ts';
import { buildDataFolder, NOON } from '#server/testing/program/test-data-folder.ts';
import { readInstallationState } from '#server/db/data-folder/installation-state.ts';
import { createInstallationRecord } from './installation-record.ts';

function buildRecord() {
  const { dataDir, database } = buildDataFolder();
  const clock = { wallMs: NOON, monotonicMs: 5 };
  const start = () =>
    createInstallationRecord({
      dataDir,
      database,
      now: () => clock.wallMs,
      monotonicNow: () => clock.monotonicMs,
      log: { error: () => undefined },
    });
  return { dataDir, database, clock, start };
}

it('measures operating time over restarts, whatever happens to the clock', () => {
  const { clock, start } = buildRecord();
  const first = start();
  clock.monotonicMs += HOUR_MS;
  clock.wallMs += HOUR_MS;
  first.close();
  const pauses: [pauseMs: number, counted: number][] = [
    [HOUR_MS, HOUR_MS],
    [-7 * HOUR_MS, 0],
    [400 * DAY_MS, DAY_MS],
    [-400 * DAY_MS, 0],
  ];
  let expected = HOUR_MS;
  for (const [pauseMs, counted] of pauses) {
    // Another process, so another beginning of its monotonic time.
    clock.monotonicMs = 17;
    clock.wallMs += pauseMs;
    const record = start();
    expected += counted;
    expect(record.operatingMs()).toBe(expected);
    clock.wallMs -= 3 * DAY_MS;
    expect(record.operatingMs()).toBe(expected);
    clock.monotonicMs += HOUR_MS;
    expected += HOUR_MS;
    expect(record.operatingMs()).toBe(expected);
    record.close();
  }
});

it('remembers how long files are known, and forgets those that are gone', () => {
  const { clock, start } = buildRecord();
  const first = start();
  expect([first.ageMs('backups/a'), first.ageMs('backups/b', HOUR_MS), first.ageMs('copies/a')]).toEqual([
    0,
    HOUR_MS,
    0,
  ]);
  clock.monotonicMs += HOUR_MS;
  first.close();
  const second = start();
  expect([second.ageMs('backups/a', 99), second.ageMs('backups/b')]).toEqual([HOUR_MS, 2 * HOUR_MS]);
  second.forgetGone('backups', new Set(['backups/b']));
  expect([second.ageMs('backups/a'), second.ageMs('copies/a')]).toEqual([0, HOUR_MS]);
});

it('writes how far the database has come, and reports an error of the disk without stopping', () => {
  const { dataDir, database, start } = buildRecord();
  const record = start();
  database.sqlite.exec("insert into sqlite_sequence values ('messages', 41), ('audit_entries', 7)");
  record.save();
  expect(readInstallationState(dataDir)?.marks).toEqual({ messages: 41, auditEntries: 7 });
  database.sqlite.close();
  expect(() => record.save()).not.toThrow();
});

it('never falls behind a time that the database has seen, also after a restart, and makes no file older by it', () => {
  const { clock, start } = buildRecord();
  const first = start();
  first.ageMs('backups/a');
  first.notBefore(9 * DAY_MS);
  first.notBefore(DAY_MS);
  expect([first.operatingMs(), first.ageMs('backups/a')]).toEqual([9 * DAY_MS, 0]);
  first.close();
  clock.monotonicMs = 3;
  const second = start();
  expect([second.operatingMs(), second.ageMs('backups/a')]).toEqual([9 * DAY_MS, 0]);
});
