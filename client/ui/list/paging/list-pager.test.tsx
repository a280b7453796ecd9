import { fireEvent, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { renderPage } from '#client/testing/render.tsx';
import { ListPager } from './list-pager.tsx';
import { usePageSize } from './page-size.ts';

function open(page: number, total: number, pageSize: 25 | 50 | 100 = 25) {
  const onPage = vi.fn<(page: number) => void>();
  const view = renderPage(
    <ListPager page={page} pageSize={pageSize} total={total} onPage={onPage} onPageSize={() => {}} label="Halaman" />,
  );
  return { onPage, ...view };
}
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: /^Ke halaman/ });

it('says which rows are shown, with grouped digits', () => {
  open(4000, 99_990);
  expect(screen.getByText('99.976–99.990 dari 99.990')).toBeTruthy();
  expect(field().value).toBe('4.000');
  expect(button('Berikutnya (Next)').disabled).toBe(true);
  expect(button('Halaman terakhir (Last)').disabled).toBe(true);
});

it('goes to the first, previous, next and last page', async () => {
  const { user, onPage } = open(3, 746);
  for (const name of [
    'Halaman pertama (First)',
    'Sebelumnya (Previous)',
    'Berikutnya (Next)',
    'Halaman terakhir (Last)',
  ])
    await user.click(button(name));
  expect(onPage.mock.calls).toEqual([[1], [2], [4], [30]]);
});

it('goes to a typed page on Enter, at most to the last, and ignores what is no number', async () => {
  const { user, onPage } = open(3, 746);
  await user.click(field());
  await user.keyboard('12{Enter}');
  await user.click(field());
  await user.keyboard('9.999{Enter}');
  await user.click(field());
  await user.keyboard('dua{Enter}');
  expect(onPage.mock.calls).toEqual([[12], [30]]);
  expect(field().value).toBe('3');
});

it('shows no page buttons when one page holds all rows', () => {
  open(1, 0);
  expect(screen.getByText('0–0 dari 0')).toBeTruthy();
  expect(screen.queryByRole('button')).toBeNull();
});

function SizedPager() {
  const { pageSize, choose } = usePageSize();
  return <ListPager page={1} pageSize={pageSize} total={300} onPage={() => {}} onPageSize={choose} label="Halaman" />;
}

it('keeps the chosen size in the URL and in the browser, and starts on the first page', () => {
  const { router, unmount } = renderPage(<SizedPager />, { path: '/daftar', at: '/daftar?cari=a&halaman=3' });
  const select = screen.getByRole<HTMLSelectElement>('combobox', { name: /^Baris per halaman/ });
  expect(select.value).toBe('25');
  fireEvent.change(select, { target: { value: '100' } });
  expect(router.state.location.search).toBe('?cari=a&per_halaman=100');
  unmount();
  renderPage(<SizedPager />, { path: '/daftar', at: '/daftar' });
  expect(screen.getByText('1–100 dari 300')).toBeTruthy();
});
