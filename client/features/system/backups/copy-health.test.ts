import { describe, expect, it } from 'vitest';
import { showDateTime } from '#client/lib/format.ts';
import type { RunningCopy } from '#shared/api/system.ts';
import { formatCopyAge } from '#shared/domain/format-duration.ts';
import { buildBackupStatus, buildRunningCopy } from '../testing/build-system.ts';
import { findBackupIssue } from './backup-health.ts';
import { findCopyWarning } from './copy-health.ts';

const message = 'Folder "/mnt/usb" tidak ada. Pasang disk USB.';
const stopped = (secondsBehind: number | null, fields: Partial<RunningCopy> = {}): RunningCopy =>
  buildRunningCopy(secondsBehind, { state: 'stopped', message, reason: 'disk', ...fields });
const warningOf = (copy: RunningCopy | null | undefined) =>
  findCopyWarning({ ...buildBackupStatus(), ...(copy === undefined ? {} : { running_copy: copy }) });

it.each([
  [0, 'baru saja'],
  [9, 'baru saja'],
  [10, '10 detik yang lalu'],
  [59, '59 detik yang lalu'],
  [60, '1 menit yang lalu'],
  [7200, '2 jam yang lalu'],
])('words an age of %d seconds as %s', (seconds, text) => {
  expect(formatCopyAge(seconds * 1000 + 999)).toBe(text);
});

describe('findCopyWarning', () => {
  it('warns of a copy that has been stopped for five minutes, with its instant and the message', () => {
    expect(warningOf(stopped(299))).toBeNull();
    const copy = stopped(300);
    expect(warningOf(copy)).toBe(
      `Salinan berjalan berhenti sejak ${showDateTime(copy.at ?? '')}: ${message} Bila komputer ini rusak sekarang, yang ditulis sejak itu hilang.`,
    );
  });

  it('warns at once where no copy was ever whole', () => {
    expect(warningOf(stopped(null))).toBe(
      `Salinan berjalan tidak dibuat: ${message} Bila komputer ini rusak sekarang, yang belum ada di luar komputer ini hilang.`,
    );
  });

  it('says at once that the office may have moved, in the words of the server alone', () => {
    const moved = 'Salinan di /mnt/usb lebih baru: kantor ini mungkin sudah pindah ke komputer lain.';
    for (const secondsBehind of [1, 9999, null])
      expect(warningOf(stopped(secondsBehind, { message: moved, reason: 'moved on' }))).toBe(moved);
  });

  it.each([
    ['is well', buildRunningCopy(3)],
    ['is late but not stopped', buildRunningCopy(9999)],
    ['is made for the first time', buildRunningCopy(null, { state: 'starting', percent: 3 })],
    ['is made anew after a long absence', buildRunningCopy(9999, { state: 'starting', percent: 3 })],
    ['is not kept', null],
    ['is unknown to an older server', undefined],
  ])('gives no warning of a copy that %s', (_name, copy) => {
    expect(warningOf(copy)).toBeNull();
  });

  it('stands for the disk that the backups miss too, so that one cause is told once', () => {
    const second_folder = { path: '/mnt/usb', last_at: null, failure: message };
    expect(findBackupIssue(buildBackupStatus({ second_folder, running_copy: stopped(10) }))?.hint).toBe(message);
    expect(findBackupIssue(buildBackupStatus({ second_folder, running_copy: stopped(300) }))).toBeNull();
    const failure = { at: '2026-06-10T05:00:00.000Z', message: 'Disk penuh.' };
    expect(findBackupIssue(buildBackupStatus({ failure, running_copy: stopped(300) }))?.message).toBe(
      'Pencadangan gagal',
    );
  });
});
