import { expect, it } from 'vitest';
import { buildBackup, buildBackupStatus } from '../testing/build-system.ts';
import { describeBackup } from './describe-backup.ts';

const now = '2026-11-22T05:00:00.000Z';
const last = buildBackup({ created_at: '2026-11-22T04:52:00.000Z' });
const second_folder = { path: '/usb', last_at: now, failure: null };

it.each([
  [{ now, last, second_folder }, 'Cadangan: aman, 8 menit lalu'],
  [{ now: last.created_at, last, second_folder }, 'Cadangan: aman, baru saja'],
  [{ now, last }, 'Cadangan: aman, 8 menit lalu, satu salinan'],
  [{ now, last, every_hours: 0 }, 'Cadangan: terakhir 8 menit lalu, cadangan otomatis mati'],
  [{ engine: 'postgres' as const, now, last, every_hours: 24 }, 'Cadangan: aman, 8 menit lalu'],
  [{ now, last: null }, 'Cadangan: belum ada'],
])('describes backups without a problem %#', (fields, text) => {
  expect(describeBackup(buildBackupStatus(fields))).toBe(text);
});
