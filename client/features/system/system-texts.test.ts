import { describe, expect, it } from 'vitest';
import { reachableAddresses } from '#client/lib/office/reachable-addresses.ts';
import { findBackupIssue } from './backups/backup-health.ts';
import { diskSpaceWarning } from './info/system-info-rows.tsx';
import { buildBackup, buildBackupStatus, buildPublicReach, buildSystemInfo, hoursAgo } from './testing/build-system.ts';
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
])('shows %d ms as the age %s and the uptime %s', (ms, ago, since) => {
  expect(formatTimeAgo(isoBefore(ms), nowMs)).toBe(ago);
  expect(formatUptime(isoBefore(ms), nowMs)).toBe(since);
});

it('shows how long until a time', () => {
  expect(formatTimeUntil(isoBefore(-40 * MINUTE), nowMs)).toBe('40 menit lagi');
  expect(formatTimeUntil(isoBefore(-90 * MINUTE), nowMs)).toBe('1 jam lagi');
  expect(formatTimeUntil(isoBefore(HOUR), nowMs)).toBe('Sebentar lagi');
});

describe('diskSpaceWarning', () => {
  const usage = { database: { size_bytes: 100_000_000 }, proofs: { count: 9, size_bytes: 1_800_000_000 } };
  const withFree = (free: number) =>
    diskSpaceWarning({ ...usage, disk: { free_bytes: free, total_bytes: 1e12, users_refused: false } });

  it('gives no warning for enough or unknown space', () => {
    expect(withFree(4_000_000_000)).toBeNull();
    expect(diskSpaceWarning({ ...usage, disk: null })).toBeNull();
  });

  it('warns below the space of two backups and below one gigabyte', () => {
    expect(withFree(3_999_999_999)).toMatch(/^Hampir habis.*2 GB/);
    expect(withFree(1_999_999_999)).toMatch(/^Tidak cukup untuk mencadangkan.*2 GB/);
    const small = { ...buildSystemInfo(), proofs: { count: 0, size_bytes: 0 } };
    expect(
      diskSpaceWarning({ ...small, disk: { free_bytes: 999_999_999, total_bytes: 1e12, users_refused: false } }),
    ).toMatch(/^Hampir habis/);
  });
});

describe('reachableAddresses', () => {
  const info = { addresses: ['http://10.0.0.5:3000'], secure_addresses: ['https://10.0.0.5:3443'], public: null };
  const lan = [...info.addresses, ...info.secure_addresses];

  it.each(['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000', 'http://pbb.localhost:3000'])(
    'leave out %s',
    (origin) => {
      expect(reachableAddresses({ ...info, has_local_authority: false }, origin)).toEqual(lan);
    },
  );

  it('puts the address of this page first', () => {
    expect(reachableAddresses({ ...info, has_local_authority: false }, 'https://pbb.desa.id')[0]).toBe(
      'https://pbb.desa.id',
    );
    expect(reachableAddresses({ ...info, has_local_authority: true }, 'http://10.0.0.5:3000')).toEqual(lan);
  });

  it('puts the public address before all others', () => {
    const outside = buildPublicReach();
    const withName = { ...info, has_local_authority: true, public: outside };
    expect(reachableAddresses(withName, 'http://localhost:80')).toEqual(['https://pbb.desa.id', ...lan]);
    expect(reachableAddresses(withName, 'http://10.0.0.5:3000')).toEqual(['https://pbb.desa.id', ...lan]);
    expect(reachableAddresses({ ...withName, public: { ...outside, address: null } }, 'http://10.0.0.5:3000')).toEqual(
      lan,
    );
  });

  it('does not put an address first of which phones warn', () => {
    expect(reachableAddresses({ ...info, has_local_authority: true }, 'https://10.0.0.5:3443')).toEqual(lan);
  });
});

describe('findBackupIssue', () => {
  const issueOf = (fields: Parameters<typeof buildBackupStatus>[0]) => findBackupIssue(buildBackupStatus(fields));
  const backupAged = (hours: number) => buildBackup({ created_at: hoursAgo(hours) });

  it('finds no issue with recent backups, without automatic backups, or before the first one', () => {
    expect(issueOf({})).toBeNull();
    expect(issueOf({ last: backupAged(23.9) })).toBeNull();
    expect(issueOf({ last: backupAged(500), every_hours: 0, next_at: null })).toBeNull();
    expect(issueOf({ last: null })).toBeNull();
    expect(issueOf({ last: backupAged(71), every_hours: 24 })).toBeNull();
  });

  it('reports a failure before other issues, with a new key for each failure', () => {
    const failure = { at: hoursAgo(1), message: 'Disk penuh.' };
    const issue = issueOf({ failure, last: backupAged(30) });
    expect(issue).toMatchObject({
      message: 'Pencadangan gagal',
      hint: 'Disk penuh. Cadangan terakhir dibuat 1 hari yang lalu.',
    });
    expect(issueOf({ failure: { ...failure, at: hoursAgo(0) } })?.key).not.toBe(issue?.key);
    expect(issueOf({ failure, last: null })?.hint).toBe('Disk penuh. Belum ada cadangan.');
  });

  it('reports a last backup that is too old', () => {
    expect(issueOf({ last: backupAged(24.1) })?.message).toBe('Cadangan sudah terlalu lama');
    expect(issueOf({ last: backupAged(73), every_hours: 24 })?.hint).toContain('setiap 24 jam');
  });

  it('counts the age of backups by the clock of the server', () => {
    const aDayBehind = hoursAgo(24);
    expect(issueOf({ now: aDayBehind, last: backupAged(30) })).toBeNull();
    expect(issueOf({ now: hoursAgo(-24), last: backupAged(2) })?.message).toBe('Cadangan sudah terlalu lama');
  });

  it('expects a backup of PostgreSQL every 26 hours, and asks for no button', () => {
    const outside = (fields: Parameters<typeof buildBackupStatus>[0]) =>
      issueOf({ engine: 'postgres', every_hours: 24, next_at: null, ...fields });
    expect(outside({ last: backupAged(25.9) })).toBeNull();
    expect(outside({ last: backupAged(26.1) })).toMatchObject({
      message: 'Cadangan sudah terlalu lama',
      hint: 'Cadangan terakhir dibuat 1 hari yang lalu. Seharusnya dibuat setiap hari di PostgreSQL. Beri tahu pengelola server.',
    });
    expect(outside({ last: null })?.message).toBe('Belum ada cadangan');
    const failure = { at: hoursAgo(1), message: 'Disk cadangan penuh.' };
    expect(outside({ last: null, failure })?.hint).toBe('Disk cadangan penuh. Beri tahu pengelola server.');
  });

  it('reports a failed copy to the second folder', () => {
    const folder = { path: '/mnt/usb', last_at: null, failure: 'Folder "/mnt/usb" tidak ada.' };
    expect(issueOf({ second_folder: folder })?.hint).toBe(folder.failure);
    expect(issueOf({ second_folder: { ...folder, failure: null } })).toBeNull();
  });
});
