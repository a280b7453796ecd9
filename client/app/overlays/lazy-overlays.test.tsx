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
  const leave = { title: 'Tinggalkan halaman?', message: 'Isian yang belum disimpan akan hilang.' };
  expect(await answerOf(leave)).toBe(answer);
  expect(ask.mock.calls).toEqual([['Tinggalkan halaman?\n\nIsian yang belum disimpan akan hilang.']]);
});

it('answers no to a question with a form, which the browser cannot show', async () => {
  const ask = vi.spyOn(window, 'confirm').mockReturnValue(true);
  expect(await answerOf({ title: 'Alasan', content: () => <p>Tulis alasan</p> })).toBe(false);
  expect(ask).not.toHaveBeenCalled();
});
