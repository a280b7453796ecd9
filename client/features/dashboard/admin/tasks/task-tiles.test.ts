import { expect, it } from 'vitest';
import { buildOverdue } from '#client/testing/build-sums.ts';
import { exampleStatistics } from '../testing/build-statistics.ts';
import { formatWaitingTime, taskTiles } from './task-tiles.ts';

const today = '2026-11-18';
const atMs = Date.parse('2026-11-18T05:00:00.000Z');
const nothing = { count: 0, amount: 0 };

it('names what waits with its number, its sum and the list that shows exactly that', () => {
  const tiles = taskTiles({
    tasks: {
      ...exampleStatistics.tasks,
      matched_unpaid: { count: 2, amount: 900_000 },
      overdue: { ...exampleStatistics.tasks.overdue, estimated: { count: 4, amount: 8_053_693 } },
    },
    waiting: { count: 14, longestSince: '2026-11-16T04:00:00.000Z', atMs },
    claims: { count: 3, oldestAt: '2026-11-17T04:00:00.000Z', atMs },
    recoveries: { count: 2, oldestAt: '2026-11-18T04:40:00.000Z', atMs },
    erasures: { count: 2, nearestDueAt: '2026-11-20T05:30:00.000Z', atMs },
    backupIssue: { message: 'Pencadangan gagal', hint: 'Disk penuh.' },
    today,
  });
  expect(tiles.map(({ count, label, detail, to }) => [count, label, detail.replaceAll(/\s/g, ' '), to])).toEqual([
    ['3', 'bukti masuk belum dicocokkan', 'Rp 1.350.000', '/admin/tax-records/bukti-masuk'],
    ['2', 'data cocok, belum lunas', 'Rp 900.000', '/admin/tax-records?pencocokan=matched_unpaid'],
    ['14', 'chat belum dibalas', 'terlama menunggu 2 hari', '/admin/chat?show=waiting'],
    [null, 'Minta masuk lagi (2)', 'terlama menunggu 20 menit', '/admin/recoveries'],
    [null, 'Permintaan hapus akun (2)', 'tenggat 2 hari lagi', '/admin/erasures'],
    ['3', 'permintaan objek', 'terlama menunggu 1 hari', '/admin/dhkp/claims'],
    [
      '31',
      'tagihan menunggak',
      'Rp 15.500.000, termasuk perkiraan Rp 8.053.693 (4 data)',
      '/admin/tax-records?tampilan=tunggakan',
    ],
    [
      '4',
      'jatuh tempo minggu ini',
      'Rp 2.000.000 · sampai 22 Nov 2026',
      '/admin/tax-records?tampilan=belum-lunas&jatuh_dari=2026-11-18&jatuh_sampai=2026-11-22',
    ],
    [null, 'Pencadangan gagal', 'Disk penuh.', '/admin/settings'],
  ]);
});

it('says how long the deadline of a request to delete an account is over, in red', () => {
  const erasures = { count: 1, nearestDueAt: '2026-11-18T02:00:00.000Z', atMs };
  const [tile] = taskTiles({ tasks: null, waiting: null, erasures, backupIssue: null, today });
  expect(tile).toMatchObject({ detail: 'tenggat lewat 3 jam', color: 'red' });
});

it('leaves out what has nothing to do, and what is not known', () => {
  const tasks = {
    reported: nothing,
    overdue: buildOverdue(0, 0),
    due_this_week: nothing,
    to_check: nothing,
    matched_unpaid: nothing,
  };
  expect(taskTiles({ tasks, waiting: { count: 0, longestSince: null, atMs }, backupIssue: null, today })).toEqual([]);
  expect(taskTiles({ tasks: null, waiting: null, backupIssue: null, today })).toEqual([]);
});

it('names the conversations in which a colleague left a note, and leads to the newest', () => {
  const notesForMe = ['Budi', 'Siti'].map((name) => ({
    user: { id: name.toLowerCase(), name },
    author: { id: 'a2', name: 'Sari' },
    created_at: '2026-11-18T05:00:00.000Z',
  }));
  const tiles = taskTiles({ tasks: null, waiting: null, backupIssue: null, notesForMe, today });
  expect(tiles.map(({ count, label, detail, to }) => [count, label, detail, to])).toEqual([
    ['2', 'percakapan dengan catatan untuk Anda', 'dari Sari, tentang Budi', '/admin/chat?user=budi'],
  ]);
});

it.each([
  ['2026-06-10T12:00:30.000Z', 'kurang dari semenit'],
  ['2026-06-10T11:59:00.000Z', '1 menit'],
  ['2026-06-10T11:00:01.000Z', '59 menit'],
  ['2026-06-10T11:00:00.000Z', '1 jam'],
  ['2026-06-09T12:00:01.000Z', '23 jam'],
  ['2026-06-08T11:00:00.000Z', '2 hari'],
  ['2026-04-14T11:00:00.000Z', '57 hari'],
])('names the wait since %s as "%s"', (since, text) => {
  expect(formatWaitingTime(since, Date.parse('2026-06-10T12:00:00.000Z'))).toBe(text);
});
