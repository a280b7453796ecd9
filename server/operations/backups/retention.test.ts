import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseToKeep, chooseToEvict, findNewest, keptMonths } from './retention.ts';
import { backupName, formatDay, chooseFreeName, isLeftover, parseBackupName } from './archive-names.ts';
import { DAY_MS, HOUR_MS } from '#shared/durations.ts';

const ZONE = 'Asia/Jakarta';
const NOW = Date.parse('2026-06-10T05:00:00.000Z');

type Kind = 'periodic' | 'manual';
const buildBackup = (createdAtMs: number, kind: Kind = 'periodic') => ({
  name: backupName(kind, ZONE, createdAtMs),
  kind,
  createdAtMs,
});
/** The clock was right all the time, so the dates in the names tell the ages. */
const clockAt = (nowMs: number, backups: readonly { name: string; createdAtMs: number }[]) => ({
  timeZone: ZONE,
  nowMs,
  agesMs: Object.fromEntries(backups.map(({ name, createdAtMs }) => [name, nowMs - createdAtMs])),
});

const backupsArbitrary = fc
  .uniqueArray(fc.integer({ min: 0, max: 3 * 365 * 24 }), { maxLength: 120 })
  .chain((hours) =>
    fc.tuple(
      ...hours.map((hour) =>
        fc.constantFrom<Kind>('periodic', 'manual').map((kind) => buildBackup(NOW - hour * HOUR_MS, kind)),
      ),
    ),
  );
const keepArbitrary = fc.record({
  periods: fc.integer({ min: 1, max: 30 }),
  days: fc.integer({ min: 0, max: 20 }),
  months: fc.integer({ min: 0, max: 15 }),
});

describe('keptMonths', () => {
  it.each([
    [2, { periods: 24, days: 14, months: 12 }, 12],
    [2, { periods: 24, days: 14, months: 0 }, 1],
    [24, { periods: 90, days: 45, months: 1 }, 3],
  ])('with a backup every %i hours and %o says %i months', (everyHours, keep, months) => {
    expect(keptMonths({ everyHours, keep })).toBe(months);
  });
});

describe('chooseToKeep', () => {
  it('keeps the newest backups, and the newest of each day and each month', () => {
    const twoYears = Array.from({ length: (2 * 365 * 24) / 2 }, (_, index) => buildBackup(NOW - index * 2 * HOUR_MS));
    const kept = chooseToKeep(twoYears, { periods: 24, days: 14, months: 12 }, clockAt(NOW, twoYears));
    const days = twoYears.filter(({ name }) => kept.has(name)).map(({ createdAtMs }) => formatDay(ZONE, createdAtMs));
    expect(new Set(days.slice(0, 24))).toEqual(new Set(['2026-06-10', '2026-06-09', '2026-06-08']));
    const older = days.slice(24);
    expect(older.slice(0, 11)).toEqual(
      [...Array(7).keys()].map((n) => `2026-06-0${7 - n}`).concat([31, 30, 29, 28].map((n) => `2026-05-${n}`)),
    );
    expect(older.slice(11)).toEqual([
      '2026-04-30',
      '2026-03-31',
      '2026-02-28',
      '2026-01-31',
      '2025-12-31',
      '2025-11-30',
      '2025-10-31',
      '2025-09-30',
      '2025-08-31',
      '2025-07-31',
    ]);
  });

  it('always keeps the newest, one for each wanted day and month, and manual ones for a month', () => {
    fc.assert(
      fc.property(backupsArbitrary, keepArbitrary, (backups, keep) => {
        const kept = chooseToKeep(backups, keep, clockAt(NOW, backups));
        const sorted = backups.toSorted((a, b) => b.createdAtMs - a.createdAtMs);
        for (const { name } of sorted.slice(0, keep.periods)) expect(kept).toContain(name);
        for (const [length, count] of [
          [10, keep.days],
          [7, keep.months],
        ] as const) {
          const periods = [...new Set(sorted.map(({ createdAtMs }) => formatDay(ZONE, createdAtMs).slice(0, length)))];
          for (const period of periods.slice(0, count)) {
            const newest = sorted.find(({ createdAtMs }) => formatDay(ZONE, createdAtMs).startsWith(period));
            expect(kept).toContain(newest?.name);
          }
        }
        const young = sorted.filter(({ kind, createdAtMs }) => kind === 'manual' && NOW - createdAtMs < 30 * DAY_MS);
        for (const { name } of young) expect(kept).toContain(name);
        expect(kept.size).toBeLessThanOrEqual(keep.periods + keep.days + keep.months + young.length);
      }),
    );
  });

  it('keeps a manual backup for 30 days of use, whatever the clock says', () => {
    const manual = buildBackup(NOW, 'manual');
    const periodic = Array.from({ length: 5 }, (_, index) => buildBackup(NOW + (index + 1) * HOUR_MS));
    const keep = { periods: 1, days: 0, months: 0 };
    const keptAt = (nowMs: number, ageMs: number) =>
      chooseToKeep([manual, ...periodic], keep, { timeZone: ZONE, nowMs, agesMs: { [manual.name]: ageMs } });
    expect(keptAt(NOW + 400 * DAY_MS, DAY_MS)).toContain(manual.name);
    expect(keptAt(NOW + DAY_MS, 30 * DAY_MS)).not.toContain(manual.name);
  });

  it('chooses the same again after the others were deleted', () => {
    fc.assert(
      fc.property(backupsArbitrary, keepArbitrary, (backups, keep) => {
        const kept = chooseToKeep(backups, keep, clockAt(NOW, backups));
        const left = backups.filter(({ name }) => kept.has(name));
        expect(chooseToKeep(left, keep, clockAt(NOW, left))).toEqual(kept);
      }),
    );
  });

  it('keeps backups dated in the future without evicting others', () => {
    const future = [buildBackup(NOW + 300 * DAY_MS), buildBackup(NOW + 301 * DAY_MS)];
    const past = [buildBackup(NOW), buildBackup(NOW - 2 * HOUR_MS)];
    const kept = chooseToKeep(
      [...future, ...past],
      { periods: 1, days: 0, months: 0 },
      clockAt(NOW, [...future, ...past]),
    );
    expect(kept).toEqual(new Set([future[0]?.name, future[1]?.name, past[0]?.name]));
  });
});

describe('chooseToEvict', () => {
  const ALL = { periods: 999, days: 0, months: 0 };
  const ONE = { periods: 1, days: 0, months: 0 };
  const tenBytes = () => 10;

  it('chooses the oldest that are neither manual nor the newest of their day, and no more than needed', () => {
    const at = (hours: number, kind?: Kind) => buildBackup(NOW - hours * HOUR_MS, kind);
    // Today 12:00, 10:00 and 08:00; yesterday 12:00, 10:00 (manual) and 08:00.
    const backups = [at(0), at(2), at(4), at(24), at(26, 'manual'), at(28)];
    const namesOf = (...indexes: number[]) => indexes.map((index) => backups[index]?.name);
    const choose = (missing: number, keep = ALL, protectedName: string | null = null) =>
      chooseToEvict(backups, missing, tenBytes, { keep, clock: clockAt(NOW, backups), protectedName });
    expect(choose(1)).toEqual(namesOf(5));
    expect(choose(11)).toEqual(namesOf(5, 2));
    expect(choose(30)).toEqual(namesOf(5, 2, 1));
    expect(choose(31)).toEqual([]);
    expect(choose(11, ALL, backups[5]?.name)).toEqual(namesOf(2, 1));
    // Backups beyond the retention go first, also the newest of a day. The manual one is younger than a month.
    expect(choose(30, ONE)).toEqual(namesOf(5, 3, 2));
    expect(choose(41, ONE)).toEqual([]);
  });

  it('never chooses the newest, also when another of the same day is dated in the future', () => {
    const backups = [buildBackup(NOW + HOUR_MS), buildBackup(NOW), buildBackup(NOW - HOUR_MS)];
    const rule = { keep: ALL, clock: clockAt(NOW, backups) };
    expect(chooseToEvict(backups, 10, tenBytes, rule)).toEqual([backups[2]?.name]);
    expect(chooseToEvict(backups, 11, tenBytes, rule)).toEqual([]);
    expect(findNewest(backups, NOW)?.createdAtMs).toBe(NOW);
    expect(findNewest(backups, NOW - DAY_MS)).toBeNull();
  });

  it('chooses enough or nothing, and never the newest of a day', () => {
    fc.assert(
      fc.property(backupsArbitrary, fc.integer({ min: 1, max: 2000 }), (backups, missing) => {
        const rule = { keep: ALL, clock: clockAt(NOW, backups) };
        const evictedNames = new Set(chooseToEvict(backups, missing, tenBytes, rule));
        if (evictedNames.size > 0) expect(evictedNames.size).toBe(Math.ceil(missing / 10));
        const left = backups.filter(({ name }) => !evictedNames.has(name));
        const daysOf = (list: typeof backups) => new Set(list.map(({ createdAtMs }) => formatDay(ZONE, createdAtMs)));
        expect(daysOf(left)).toEqual(daysOf(backups));
        expect(backups.filter(({ name, kind }) => evictedNames.has(name) && kind === 'manual')).toEqual([]);
      }),
    );
  });
});

describe('the name of a backup', () => {
  it.each(['Asia/Jakarta', 'Asia/Jayapura', 'UTC', 'America/St_Johns'])('contains its time in the zone %s', (zone) => {
    fc.assert(
      fc.property(fc.integer({ min: 1_700_000_000, max: 2_000_000_000 }), (second) => {
        const name = backupName('manual', zone, second * 1000);
        const read = parseBackupName(name, zone);
        expect(read?.kind).toBe('manual');
        // One hour exists twice when the clocks go back.
        const awayMs = Math.abs((read?.createdAtMs ?? 0) - second * 1000);
        expect(zone.startsWith('America') ? awayMs % HOUR_MS : awayMs).toBe(0);
        expect(awayMs).toBeLessThanOrEqual(HOUR_MS);
      }),
    );
  });

  it('means the same for an archive of an earlier version, which is a tar', () => {
    const name = backupName('manual', ZONE, NOW);
    expect(parseBackupName(`${name}.tar`, ZONE)).toEqual(parseBackupName(name, ZONE));
  });

  it('uses the time zone of the installation and differs from taken names', () => {
    expect(backupName('periodic', ZONE, NOW)).toBe('pbb-kita-20260610-120000');
    const taken = new Set(['pbb-kita-20260610-120000-manual', 'pbb-kita-20260610-120001-manual']);
    expect(chooseFreeName('manual', ZONE, NOW + 999, (name) => taken.has(name))).toEqual({
      name: 'pbb-kita-20260610-120002-manual',
      createdAtMs: NOW + 2000,
    });
  });

  it.each([
    'pbb-kita-20261310-120000.tar',
    'pbb-kita-20260610-120000.tar.part',
    'pbb-kita-20260610-120000.part',
    'pbb-kita-20260610-120000.zip',
    '../pbb-kita-20260610-120000.tar',
    'x',
  ])('differs from "%s"', (name) => expect(parseBackupName(name, ZONE)).toBeNull());

  it('counts as a leftover only with its own suffixes', () => {
    const leftovers = [
      '.tar.part',
      '.part',
      '-manual.part',
      '-manual.tar.part',
      '.sqlite.part',
      '.sqlite.gz.part',
      '-manual.sqlite.part-journal',
      '.sqlite.part-shm',
    ];
    for (const ending of leftovers) expect(isLeftover(`pbb-kita-20260610-120000${ending}`)).toBe(true);
    const others = ['sebelum-migrasi-x.sqlite.part', 'a.part', 'status.json'];
    for (const name of ['pbb-kita-20260610-120000.tar', 'pbb-kita-20260610-120000', ...others]) {
      expect(isLeftover(name)).toBe(false);
    }
  });
});
