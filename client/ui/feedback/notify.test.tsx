import { act, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { renderPage } from '#client/testing/render.tsx';
import { ApiError } from '#client/lib/api-error.ts';
import { notify } from './notify.tsx';

it('announces successes politely and errors assertively', () => {
  renderPage(<p />);
  act(() => {
    notify.success('Data PBB berhasil dihapus');
    notify.info('Sedang diproses');
    notify.warning('Mohon lengkapi data yang wajib diisi');
    notify.error('Gagal menghapus data PBB');
  });
  expect(screen.getAllByRole('status').map((toast) => toast.textContent)).toEqual([
    'Data PBB berhasil dihapus',
    'Sedang diproses',
  ]);
  expect(screen.getAllByRole('alert').map((toast) => toast.textContent)).toEqual([
    'Mohon lengkapi data yang wajib diisi',
    'Gagal menghapus data PBB',
  ]);
});

it('closes a toast by itself after three seconds', async () => {
  vi.useFakeTimers();
  renderPage(<p />);
  act(() => notify.success('Data PBB berhasil dihapus'));
  await act(() => vi.advanceTimersByTimeAsync(2900));
  expect(screen.queryByText('Data PBB berhasil dihapus')).toBeTruthy();
  await act(() => vi.advanceTimersByTimeAsync(1000));
  expect(screen.queryByText('Data PBB berhasil dihapus')).toBeNull();
});

it('shows one toast for the same text, and the hint for a lost connection', () => {
  renderPage(<p />);
  act(() => {
    notify.failure(new ApiError('network'), 'Gagal memuat data PBB');
    notify.failure(new ApiError('network'), 'Gagal memuat data PBB');
    notify.failure(new ApiError('http', { status: 404, message: 'Data PBB tidak ditemukan' }), 'Gagal memuat data PBB');
  });
  expect(screen.getAllByRole('alert').map((toast) => toast.textContent)).toEqual([
    'Gagal memuat data PBBTidak dapat terhubung ke server. Periksa koneksi Anda lalu coba lagi.',
    'Data PBB tidak ditemukan',
  ]);
});
