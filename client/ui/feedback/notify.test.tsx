import { act, fireEvent, screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { renderPage } from '#client/testing/render.tsx';
import { ApiError } from '#client/lib/api/api-error.ts';
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

it('closes a success in its time also under the pointer, and leaves an error there', async () => {
  vi.useFakeTimers();
  renderPage(<p />);
  act(() => {
    notify.success('Dikembalikan seperti semula');
    notify.error('Gagal mengubah');
  });
  for (const text of ['Dikembalikan seperti semula', 'Gagal mengubah']) {
    fireEvent.mouseEnter(screen.getByText(text).closest('[class*=Notification-root]') ?? document);
  }
  await act(() => vi.advanceTimersByTimeAsync(4000));
  expect(screen.queryByText('Dikembalikan seperti semula')).toBeNull();
  expect(screen.queryByText('Gagal mengubah')).toBeTruthy();
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

describe('notify.undo', () => {
  const undoButton = () => screen.queryByRole('button', { name: 'Urungkan (Undo)' });

  it('stays for eight seconds, longer while it has the focus, and undoes once', async () => {
    vi.useFakeTimers();
    const onUndo = vi.fn<() => void>();
    renderPage(<p />);
    act(() => notify.undo({ message: '3 data ditandai lunas.', onUndo }));
    await act(() => vi.advanceTimersByTimeAsync(7500));
    act(() => undoButton()?.focus());
    await act(() => vi.advanceTimersByTimeAsync(20_000));
    expect(undoButton()).toBeTruthy();
    act(() => undoButton()?.click());
    await act(() => vi.advanceTimersByTimeAsync(1000));
    expect(undoButton()).toBeNull();
    fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true });
    expect(onUndo).toHaveBeenCalledTimes(1);
  });

  it('closes by itself, and Ctrl+Z does nothing from then on', async () => {
    vi.useFakeTimers();
    const onUndo = vi.fn<() => void>();
    renderPage(<p />);
    act(() => notify.undo({ message: '3 data ditandai lunas.', onUndo }));
    await act(() => vi.advanceTimersByTimeAsync(9000));
    expect(undoButton()).toBeNull();
    fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true });
    expect(onUndo).not.toHaveBeenCalled();
  });

  it('undoes the last act by Ctrl+Z, but not while a text is typed', () => {
    const [first, second] = [vi.fn<() => void>(), vi.fn<() => void>()];
    renderPage(<input aria-label="Cari" />);
    act(() => {
      notify.undo({ message: 'Pertama', onUndo: first });
      notify.undo({ message: 'Kedua', onUndo: second });
    });
    fireEvent.keyDown(screen.getByRole('textbox'), { key: 'z', ctrlKey: true });
    expect(second).not.toHaveBeenCalled();
    fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true });
    expect(second).toHaveBeenCalledTimes(1);
    expect(first).not.toHaveBeenCalled();
  });
});
