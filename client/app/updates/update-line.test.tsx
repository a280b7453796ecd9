import { screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { fakeServer, okAnswer } from '#client/testing/fake-server.ts';
import { renderPage } from '#client/testing/render.tsx';
import { useUnsavedWarning } from '#client/ui/form/use-unsaved-warning.ts';
import { browser } from '../pages/chunk-load-error.ts';
import { UpdateLine } from './update-line.tsx';

/** A form with unsaved input. */
function TypedForm() {
  useUnsavedWarning(true);
  return <UpdateLine onRefuse={() => {}} />;
}

it('asks once before it loads over unsaved input, also where the browser never asks (R-PWA-14)', async () => {
  fakeServer().on('GET /healthz', okAnswer({}));
  const reload = vi.spyOn(browser, 'reload').mockReturnValue();
  const { user } = renderPage(<TypedForm />);
  await user.click(await screen.findByRole('button', { name: 'Muat versi baru' }));
  await user.click(await screen.findByRole('button', { name: 'Tetap di sini' }));
  expect(reload).not.toHaveBeenCalled();
  await user.click(screen.getByRole('button', { name: 'Muat versi baru' }));
  await user.click(await screen.findByRole('button', { name: 'Tinggalkan halaman' }));
  await waitFor(() => expect(reload).toHaveBeenCalledOnce());
  const unload = new Event('beforeunload', { cancelable: true });
  window.dispatchEvent(unload);
  expect(unload.defaultPrevented).toBe(false);
});
