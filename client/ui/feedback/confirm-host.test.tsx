import { act, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { confirm, type ConfirmOptions } from './confirm.ts';
import { renderPage } from '#client/testing/render.tsx';

const question: ConfirmOptions = { title: 'Konfirmasi', message: 'Yakin?' };

function renderAndAsk(options: ConfirmOptions) {
  const answers: boolean[] = [];
  const view = renderPage(
    <button type="button" onClick={() => void confirm(options).then((yes) => answers.push(yes))}>
      Tanya
    </button>,
  );
  return { ...view, answers };
}

it('answers true, false, and false on Escape, and returns the focus', async () => {
  const { user, answers } = renderAndAsk(question);
  const opener = screen.getByRole('button', { name: 'Tanya' });
  await user.click(opener);
  expect(screen.getByRole('dialog', { name: 'Konfirmasi' }).textContent).toContain('Yakin?');
  await user.click(screen.getByRole('button', { name: 'Lanjut' }));
  await waitFor(() => expect(document.activeElement).toBe(opener));
  expect(screen.queryByRole('dialog')).toBeNull();
  await user.click(opener);
  await user.click(screen.getByRole('button', { name: 'Batal' }));
  await user.click(opener);
  await user.keyboard('{Escape}');
  await waitFor(() => expect(answers).toEqual([true, false, false]));
});

it('focuses the cancel button for a dangerous action', async () => {
  const { user } = renderAndAsk({ ...question, danger: true, confirmLabel: 'Hapus' });
  await user.click(screen.getByRole('button', { name: 'Tanya' }));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Batal' })));
});

it('answers an open question with false when a second one comes', async () => {
  renderPage(<p />);
  const first = confirm(question);
  let second: Promise<boolean> | undefined;
  act(() => {
    second = confirm({ ...question, title: 'Kedua' });
  });
  expect(await first).toBe(false);
  const dialog = await screen.findByRole('dialog', { name: 'Kedua' });
  expect(dialog).toBeTruthy();
  act(() => screen.getByRole('button', { name: 'Lanjut' }).click());
  expect(await second).toBe(true);
});
