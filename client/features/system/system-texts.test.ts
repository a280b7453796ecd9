import { describe, expect, it } from 'vitest';
import { reachableAddresses } from './addresses/address-card.tsx';
import { findBackupIssue } from './backups/backup-health.ts';
import { diskSpaceWarning } from './info/system-info-rows.tsx';
import { buildBackup, buildBackupStatus, buildSystemInfo, hoursAgo } from './testing/build-system.ts';
import { formatTimeAgo, formatUptime, formatTimeUntil } from './format-relative-time.ts';

const NOW = '2026-06-10T12:00:00.000Z';
const nowMs = Date.parse(NOW);
const isoBefore = (ms: number) => new Date(nowMs - ms).toISOString();
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

it.each([
  [-5 * MINUTE, 'Baru saja', 'Kurang dari semenit'],
  [59_000, 'Baru saja', 'Kurang dari semenit'],
  [MINUTE, '1 menit yang lalu', '1 menit'],
  [2 * HOUR + 40 * MINUTE, '2 jam yang lalu', '2 jam 40 menit'],
  [3 * DAY, '3 hari yang lalu', '3 hari'],
  [3 * DAY + 4 * HOUR + 5 * MINUTE, '3 hari yang lalu', '3 hari 4 jam'],
  [70 * DAY, '2 bulan yang lalu', '70 hari'],
])('writes %d ms as %s and %s', (ms, ago, since) => {
  expect(formatTimeAgo(isoBefore(ms), nowMs)).toBe(ago);
  expect(formatUptime(isoBefore(ms), nowMs)).toBe(since);
});

it('writes how soon', () => {
  expect(formatTimeUntil(isoBefore(-40 * MINUTE), nowMs)).toBe('40 menit lagi');
  expect(formatTimeUntil(isoBefore(-90 * MINUTE), nowMs)).toBe('1 jam lagi');
  expect(formatTimeUntil(isoBefore(HOUR), nowMs)).toBe('Sebentar lagi');
});

describe('the room on the disk', () => {
  const usage = { database: { size_bytes: 100_000_000 }, proofs: { count: 9, size_bytes: 1_800_000_000 } };
  const withFree = (free: number) => diskSpaceWarning({ ...usage, disk: { free_bytes: free, total_bytes: 1e12 } });

  it('is enough, and unknown is no warning', () => {
    expect(withFree(4_000_000_000)).toBeNull();
    expect(diskSpaceWarning({ ...usage, disk: null })).toBeNull();
  });

  it('warns before there is too little for two backups, and under a gigabyte', () => {
    expect(withFree(3_999_999_999)).toMatch(/^Hampir habis.*2 GB/);
    expect(withFree(1_999_999_999)).toMatch(/^Tidak cukup untuk mencadangkan.*2 GB/);
    const small = { ...buildSystemInfo(), proofs: { count: 0, size_bytes: 0 } };
    expect(diskSpaceWarning({ ...small, disk: { free_bytes: 999_999_999, total_bytes: 1e12 } })).toMatch(
      /^Hampir habis/,
    );
  });
});

describe('the addresses for other devices', () => {
  const info = { addresses: ['http://10.0.0.5:3000'], secure_addresses: ['https://10.0.0.5:3443'] };
  const lan = [...info.addresses, ...info.secure_addresses];

  it.each(['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000', 'http://pbb.localhost:3000'])(
    'leave out %s',
    (origin) => {
      expect(reachableAddresses({ ...info, has_local_authority: false }, origin)).toEqual(lan);
    },
  );

  it('begin with the one that works here', () => {
    expect(reachableAddresses({ ...info, has_local_authority: false }, 'https://pbb.desa.id')[0]).toBe(
      'https://pbb.desa.id',
    );
    expect(reachableAddresses({ ...info, has_local_authority: true }, 'http://10.0.0.5:3000')).toEqual(lan);
  });

  it('do not begin with one that a phone warns of', () => {
    expect(reachableAddresses({ ...info, has_local_authority: true }, 'https://10.0.0.5:3443')).toEqual(lan);
  });
});

describe('what is worrying about backups', () => {
  const issueOf = (fields: Parameters<typeof buildBackupStatus>[0]) => findBackupIssue(buildBackupStatus(fields));
  const backupAged = (hours: number) => buildBackup({ created_at: hoursAgo(hours) });

  it('is nothing while they are made, switched off, or just beginning', () => {
    expect(issueOf({})).toBeNull();
    expect(issueOf({ last: backupAged(23.9) })).toBeNull();
    expect(issueOf({ last: backupAged(500), every_hours: 0, next_at: null })).toBeNull();
    expect(issueOf({ last: null })).toBeNull();
    expect(issueOf({ last: backupAged(71), every_hours: 24 })).toBeNull();
  });

  it('is a failure before anything else, and each one anew', () => {
    const failure = { at: hoursAgo(1), message: 'Disk penuh.' };
    const issue = issueOf({ failure, last: backupAged(30) });
    expect(issue).toMatchObject({
      message: 'Pencadangan gagal',
      hint: 'Disk penuh. Cadangan terakhir dibuat 1 hari yang lalu.',
    });
    expect(issueOf({ failure: { ...failure, at: hoursAgo(0) } })?.key).not.toBe(issue?.key);
    expect(issueOf({ failure, last: null })?.hint).toBe('Disk penuh. Belum ada cadangan.');
  });

  it('is age', () => {
    expect(issueOf({ last: backupAged(24.1) })?.message).toBe('Cadangan sudah terlalu lama');
    expect(issueOf({ last: backupAged(73), every_hours: 24 })?.hint).toContain('setiap 24 jam');
  });

  it('goes by the clock of the server, which dates them', () => {
    const aDayBehind = hoursAgo(24);
    expect(issueOf({ now: aDayBehind, last: backupAged(30) })).toBeNull();
    expect(issueOf({ now: hoursAgo(-24), last: backupAged(2) })?.message).toBe('Cadangan sudah terlalu lama');
  });

  it('is a second folder that gets nothing', () => {
    const folder = { path: '/mnt/usb', last_at: null, failure: 'Folder "/mnt/usb" tidak ada.' };
    expect(issueOf({ second_folder: folder })?.hint).toBe(folder.failure);
    expect(issueOf({ second_folder: { ...folder, failure: null } })).toBeNull();
  });
});
