import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPage } from '#client/testing/render.tsx';
import { Pager } from './pager.tsx';

function button(name: string) {
  return screen.getByRole<HTMLButtonElement>('button', { name });
}

it('goes to the previous and next page and shows the current one', async () => {
  const pages: number[] = [];
  const { user } = renderPage(<Pager page={2} pageCount={3} onChange={(page) => pages.push(page)} />);
  expect(screen.getByText('Halaman 2 dari 3')).toBeTruthy();
  await user.click(button('Sebelumnya (Previous)'));
  await user.click(button('Berikutnya (Next)'));
  expect(pages).toEqual([1, 3]);
  expect(button('Sebelumnya (Previous)').textContent).toBe('Sebelumnya');
});

it('disables the buttons at both ends, also when the page is out of range', () => {
  renderPage(<Pager page={9} pageCount={3} onChange={() => {}} />);
  expect(screen.getByText('Halaman 3 dari 3')).toBeTruthy();
  expect(button('Berikutnya (Next)').disabled).toBe(true);
  expect(button('Sebelumnya (Previous)').disabled).toBe(false);
});

it('groups the digits of large numbers as the lists do', () => {
  renderPage(<Pager page={3999} pageCount={4000} onChange={() => {}} />);
  expect(screen.getByText('Halaman 3.999 dari 4.000')).toBeTruthy();
});

it('shows one page for an empty list', () => {
  renderPage(<Pager page={1} pageCount={0} onChange={() => {}} />);
  expect(screen.getByText('Halaman 1 dari 1')).toBeTruthy();
  expect(button('Sebelumnya (Previous)').disabled).toBe(true);
  expect(button('Berikutnya (Next)').disabled).toBe(true);
});
