import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  storeInstallationState,
  succeed,
  type InstallationIdentity,
} from '#server/db/data-folder/installation-state.ts';
import { copyFolderIn, COPY_STATE_FILE, type CopyState } from '#server/operations/running-copy/copy-state.ts';
import { readSettings } from '#server/settings.ts';
import { tempDataDir } from '#server/testing/program/server-process.ts';
import type { Finding } from './check.ts';
import { checkSecondFolder, isSameDisk } from './check-backups.ts';
import { adviseSecondFolder, checkRunningCopy } from './check-running-copy.ts';
import { officeChecks, publicChecks, usualChecks } from './checks.ts';
import { thisComputer } from './server-computer.ts';

const NOW = Date.parse('2026-06-10T05:00:00.000Z');
const LOOK = 'Sebabnya tertulis di Pengaturan, kartu Cadangan.';

/** A data folder with an identity, and a second folder with or without its copy. */
function buildOffice() {
  const dataDir = tempDataDir();
  const secondDir = tempDataDir();
  for (const folder of [dataDir, secondDir]) mkdirSync(folder, { recursive: true });
  const identity: InstallationIdentity = { office: randomUUID(), holder: randomUUID(), predecessors: [] };
  storeInstallationState(dataDir, { marks: null, operatingMs: 0, writtenAtMs: 0, firstSeenMs: {}, identity });
  const storeCopy = (changes: Partial<CopyState> = {}): void => {
    const folder = copyFolderIn(secondDir);
    mkdirSync(join(folder, 'proofs'), { recursive: true });
    writeFileSync(join(folder, 'pbb.sqlite'), 'x'.repeat(1500));
    writeFileSync(join(folder, 'proofs', 'a.webp'), 'x'.repeat(500));
    const state: CopyState = {
      format: 1,
      identity,
      writer: randomUUID(),
      atMs: NOW - 20_000,
      appVersion: '1.0.0',
      finishedLog: null,
      ...changes,
    };
    writeFileSync(join(folder, COPY_STATE_FILE), JSON.stringify(state));
  };
  function installation(isRunning: boolean, environment: Record<string, string> = {}) {
    const result = readSettings({ DATA_DIR: dataDir, BACKUP_SECOND_DIR: secondDir, ...environment });
    if (!result.ok) throw new Error(result.problems.join());
    const computer = { ...thisComputer, now: () => NOW };
    return { settings: result.settings, isRunning, computer, listeners: null };
  }
  const check = (isRunning = false, environment: Record<string, string> = {}): Finding | null =>
    checkRunningCopy(installation(isRunning, environment));
  return { dataDir, secondDir, identity, storeCopy, installation, check };
}

describe('doctor about the running copy', () => {
  it('tells its age, its size and the room on its disk', () => {
    const office = buildOffice();
    office.storeCopy();
    const well = {
      what: expect.stringMatching(/^salinan berjalan: 20 detik yang lalu; ukuran 2,\d KB; ruang disknya: .+ kosong$/),
    };
    expect(office.check(true)).toEqual(well);
    expect(office.check(false)).toEqual(well);
    office.storeCopy({ atMs: NOW - 9999 });
    expect(office.check(true)?.what).toContain('salinan berjalan: baru saja;');
  });

  it('finds one that a running server leaves behind for more than a minute, and only tells the age of one without a server', () => {
    const office = buildOffice();
    office.storeCopy({ atMs: NOW - 60_000 });
    expect(office.check(true)?.advice).toBeUndefined();
    office.storeCopy({ atMs: NOW - 3 * 3_600_000 });
    expect(office.check(true)).toMatchObject({ what: expect.stringContaining('3 jam yang lalu'), advice: LOOK });
    expect(office.check(false)).toEqual({ what: expect.stringContaining('3 jam yang lalu') });
  });

  it('finds a copy of another office, and one that went on elsewhere', () => {
    const office = buildOffice();
    office.storeCopy({ identity: { ...office.identity, office: randomUUID() } });
    expect(office.check()).toEqual({
      what: `salinan berjalan di "${office.secondDir}" milik kantor lain`,
      advice: 'Pilih folder lain untuk BACKUP_SECOND_DIR.',
    });
    const moved = succeed(office.identity);
    office.storeCopy({ identity: moved });
    expect(office.check()).toEqual({
      what: `salinan di "${office.secondDir}" lebih baru: kantor ini mungkin sudah pindah ke komputer lain`,
      advice: expect.stringContaining('matikan server di komputer ini'),
    });
    // The new computer goes on with the copy of the old one.
    storeInstallationState(office.dataDir, {
      marks: null,
      operatingMs: 0,
      writtenAtMs: 0,
      firstSeenMs: {},
      identity: moved,
    });
    office.storeCopy();
    expect(office.check()?.advice).toBeUndefined();
  });

  it('judges nobody by an identity that the data folder does not have yet', () => {
    const office = buildOffice();
    office.storeCopy();
    rmSync(join(office.dataDir, 'instalasi.json'));
    expect(office.check(true)?.advice).toBeUndefined();
  });

  it('finds a missing copy beside a running server, and notes one that is not whole yet', () => {
    const office = buildOffice();
    const what = `belum ada salinan berjalan di "${office.secondDir}"`;
    expect(office.check(true)).toEqual({ what, advice: LOOK });
    expect(office.check(false)).toEqual({ what, hint: 'Server membuatnya sendiri selama berjalan.' });
    office.storeCopy({ atMs: null });
    for (const isRunning of [true, false])
      expect(office.check(isRunning)).toMatchObject({
        what: expect.stringMatching(/^salinan berjalan pertama belum selesai; ukuran /),
        hint: expect.any(String),
      });
  });

  it('notes that it is switched off, and leaves a missing folder to the check of the second folder', () => {
    const office = buildOffice();
    office.storeCopy();
    expect(office.check(true, { BACKUP_RUNNING_COPY: 'off' })).toMatchObject({
      what: 'salinan berjalan dimatikan (BACKUP_RUNNING_COPY=off)',
    });
    const installation = office.installation(true, { BACKUP_SECOND_DIR: join(office.secondDir, 'usb') });
    expect(checkRunningCopy(installation)).toBeNull();
    expect([...checkSecondFolder(installation)]).toMatchObject([{ what: expect.stringMatching(/tidak ada$/) }]);
  });

  it('advises a second folder once, in the office as before a server is made public', () => {
    const office = buildOffice();
    expect(adviseSecondFolder(office.installation(false))).toBeNull();
    expect(adviseSecondFolder(office.installation(false, { BACKUP_SECOND_DIR: '' }))).toMatchObject({
      hint: expect.stringContaining('BACKUP_SECOND_DIR'),
    });
    const advising = ['no-second-folder', 'backups-outside'];
    const idsOf = (checks: typeof usualChecks) => checks.map(({ id }) => id).filter((id) => advising.includes(id));
    expect([idsOf([...usualChecks, ...officeChecks]), idsOf([...usualChecks, ...publicChecks])]).toEqual([
      ['no-second-folder'],
      ['backups-outside'],
    ]);
  });

  it('tells disks apart by their number, on Windows by their letter or share', () => {
    const office = buildOffice();
    expect(isSameDisk(office.dataDir, office.secondDir, 'linux')).toBe(true);
    const data = String.raw`C:\PBB-Kita\data`;
    for (const [second, isSame] of [
      [String.raw`c:\Cadangan`, true],
      [String.raw`E:\Cadangan`, false],
      [String.raw`\\nas\kantor\Cadangan`, false],
    ] as const)
      expect(isSameDisk(data, second, 'win32'), second).toBe(isSame);
    const share = String.raw`\\nas\kantor`;
    expect(isSameDisk(`${share}\\a`, `${share}\\b`, 'win32')).toBe(true);
  });
});
