import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { renderPage } from '#client/testing/render.tsx';
import type { AdminStatistics } from '#shared/api/tax-records/statistics.ts';
import { StatusPanel } from './status-panel.tsx';

vi.mock('./status-donut.tsx', () => {
  throw new TypeError('Failed to fetch dynamically imported module: /assets/status-donut.js');
});

const tasks = { to_check: { count: 2, amount: 150 } } as AdminStatistics['tasks'];
const statistics = { total_records: 8, lunas: 2, belum_lunas: 4, proses: 2, tasks } as AdminStatistics;

it('shows its numbers also when the code of the chart cannot be loaded, as after an upgrade', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  renderPage(<StatusPanel statistics={statistics} />);
  await expect.poll(() => warn).toHaveBeenCalledWith('Belum dapat dimuat', expect.anything());
  expect(await screen.findByText('Diagram belum dapat dimuat. Muat ulang halaman ini.')).toBeTruthy();
  expect(screen.getByText('50%')).toBeTruthy();
  expect(screen.getByText(/2 laporan/)).toBeTruthy();
});
