import { act, screen } from '@testing-library/react';
import { useLayoutEffect, useRef } from 'react';
import { expect, it } from 'vitest';
import { renderPage } from '#client/testing/render.tsx';
import { requestPageFocus, usePageFocus } from './page-focus.ts';

function Page() {
  const heading = useRef<HTMLHeadingElement>(null);
  usePageFocus(heading);
  return (
    <>
      <h1 ref={heading} tabIndex={-1}>
        Daftar akun
      </h1>
      <input aria-label="Nama" />
    </>
  );
}

/** A user that types before the effects run that React runs after it has painted the page. */
function QuickHand() {
  useLayoutEffect(() => screen.getByLabelText('Nama').focus(), []);
  return null;
}

it('focuses the heading of a page that was navigated to', async () => {
  requestPageFocus('/register');
  await act(async () => void renderPage(<Page />, { path: '/register' }));
  expect(document.activeElement).toBe(screen.getByRole('heading'));
});

it('does not take the focus from a field in which a user types as soon as the page is there', async () => {
  requestPageFocus('/register');
  const page = (
    <>
      <Page />
      <QuickHand />
    </>
  );
  await act(async () => void renderPage(page, { path: '/register' }));
  expect(document.activeElement).toBe(screen.getByLabelText('Nama'));
});
