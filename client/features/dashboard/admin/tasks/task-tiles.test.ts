import { expect, it } from 'vitest';
import { exampleStatistics } from '../testing/build-statistics.ts';
import { taskTiles } from './task-tiles.ts';

const today = '2026-11-18';
const atMs = Date.parse('2026-11-18T05:00:00.000Z');
const nothing = { count: 0, amount: 0 };

it('names what waits with its number, its sum and the list that shows exactly that', () => {
  const tiles = taskTiles({
    tasks: exampleStatistics.tasks,
    waiting: { count: 14, longestSince: '2026-11-16T04:00:00.000Z', atMs },
    backupIssue: { message: 'Pencadangan gagal', hint: 'Disk penuh.' },
    today,
  });
  expect(tiles.map(({ count, label, detail, to }) => [count, label, detail.replaceAll(/\s/g, ' '), to])).toEqual([
    ['3', 'bukti masuk belum dicocokkan', 'Rp 1.350.000', '/admin/tax-records/bukti-masuk'],
    ['12', 'data berstatus Proses', 'Rp 7.200.000', '/admin/tax-records?status=proses'],
    ['14', 'chat belum dibalas', 'terlama menunggu 2 hari', '/admin/chat?show=waiting'],
    ['31', 'tagihan menunggak', 'Rp 15.500.000', '/admin/tax-records?tampilan=tunggakan'],
    [
      '4',
      'jatuh tempo minggu ini',
      'Rp 2.000.000 · sampai 22 Nov 2026',
      '/admin/tax-records?tampilan=belum-lunas&jatuh_dari=2026-11-18&jatuh_sampai=2026-11-22',
    ],
    [null, 'Pencadangan gagal', 'Disk penuh.', '/admin/settings'],
  ]);
});

it('leaves out what has nothing to do, and what is not known', () => {
  const tasks = { reported: nothing, overdue: nothing, due_this_week: nothing, to_check: nothing };
  expect(taskTiles({ tasks, waiting: { count: 0, longestSince: null, atMs }, backupIssue: null, today })).toEqual([]);
  expect(taskTiles({ tasks: null, waiting: null, backupIssue: null, today })).toEqual([]);
});
