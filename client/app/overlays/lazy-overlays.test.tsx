import { act, render, waitFor } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { confirm, type ConfirmOptions } from '#client/ui/feedback/confirm.ts';

vi.mock('./load-overlays.ts', () => ({ loadOverlays: () => Promise.reject(new TypeError('Failed to fetch')) }));
const { LazyOverlays } = await import('./lazy-overlays.tsx');

async function answerOf(question: ConfirmOptions): Promise<boolean | undefined> {
  const answers: boolean[] = [];
  render(<LazyOverlays />);
  act(() => void confirm(question).then((answer) => answers.push(answer)));
  await waitFor(() => expect(answers).toHaveLength(1));
  return answers[0];
}

beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
});

it.each([true, false])('asks in the dialog of the browser when the code of ours is gone: %s', async (answer) => {
  const ask = vi.spyOn(window, 'confirm').mockReturnValue(answer);
  const leave = {
    title: 'Perubahan belum disimpan',
    message: 'Jika Anda meninggalkan halaman ini, perubahan akan hilang.',
    confirmLabel: 'Tinggalkan halaman',
    cancelLabel: 'Tetap di sini',
  };
  expect(await answerOf(leave)).toBe(answer);
  expect(ask.mock.calls).toEqual([
    [`${leave.title}\n\n${leave.message}\n\nOK: Tinggalkan halaman. Batal: Tetap di sini.`],
  ]);
});

it.each<Partial<ConfirmOptions>>([{ content: () => <p>Tulis alasan</p> }, { message: <b>Hapus Budi?</b> }])(
  'says that a reload helps, and answers no, where the browser cannot show the question',
  async (question) => {
    const ask = vi.spyOn(window, 'confirm').mockReturnValue(true);
    const tell = vi.spyOn(window, 'alert').mockReturnValue();
    expect(await answerOf({ title: 'Hapus', ...question })).toBe(false);
    expect(ask).not.toHaveBeenCalled();
    expect(tell.mock.calls).toEqual([['Hapus\n\nPertanyaan ini gagal dimuat. Muat ulang halaman ini, lalu ulangi.']]);
  },
);
