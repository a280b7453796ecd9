import { act, screen } from '@testing-library/react';
import { useQuery } from '@tanstack/react-query';
import { expect, it, vi } from 'vitest';
import { renderPage } from '#client/testing/render.tsx';
import { PageHeader } from '#client/ui/page/page-header.tsx';
import type { Page } from '#shared/api/envelope.ts';
import { QueryList } from './query-list.tsx';

type Row = { id: string };
const answer = (ids: string[], parts: Partial<Page<Row>> = {}): Page<Row> => ({
  data: ids.map((id) => ({ id })),
  total: ids.length,
  per_page: 10,
  current_page: 1,
  last_page: 1,
  ...parts,
});

function Rows({ load, setPage }: { load: () => Promise<Page<Row>>; setPage: (page: number) => void }) {
  const query = useQuery({ queryKey: ['rows'], queryFn: load, retry: false });
  return (
    <>
      <PageHeader title="Daftar" />
      <QueryList
        isPage
        query={query}
        failedText="Gagal memuat baris"
        loading={{ text: 'Memuat baris…', rows: 1, height: 20 }}
        countedAs="baris ditemukan"
        setPage={setPage}
        pagerLabel="Halaman baris"
        empty={<p>Belum ada baris</p>}
      >
        {(rows) => rows.map(({ id }) => <p key={id}>{id}</p>)}
      </QueryList>
    </>
  );
}

it('says that it loads, then how many rows there are, in one element', async () => {
  let finish = (_page: Page<Row>): void => {};
  renderPage(
    <Rows
      load={() =>
        new Promise((resolve) => {
          finish = resolve;
        })
      }
      setPage={() => {}}
    />,
  );
  const status = await screen.findByText('Memuat baris…');
  await act(async () => finish(answer(['a', 'b'])));
  expect(await screen.findByText('a')).toBeTruthy();
  expect(status.textContent).toBe('2 baris ditemukan');
});

it('shows the empty state of a list without rows', async () => {
  renderPage(<Rows load={async () => answer([])} setPage={() => {}} />);
  expect(await screen.findByText('Belum ada baris')).toBeTruthy();
  expect(screen.queryByRole('navigation')).toBeNull();
});

it('shows an error, and loads again with the focus on the heading', async () => {
  const load = vi
    .fn<() => Promise<Page<Row>>>()
    .mockRejectedValueOnce(new Error('x'))
    .mockResolvedValue(answer(['a']));
  const { user } = renderPage(<Rows load={load} setPage={() => {}} />);
  await user.click(await screen.findByRole('button', { name: 'Coba lagi' }));
  expect(screen.getByRole('heading', { level: 1 })).toBe(document.activeElement);
  expect(await screen.findByText('a')).toBeTruthy();
});

it('goes to the last page when the address names one that no longer exists', async () => {
  const setPage = vi.fn<(page: number) => void>();
  renderPage(<Rows load={async () => answer([], { total: 12, current_page: 9, last_page: 2 })} setPage={setPage} />);
  await expect.poll(() => setPage).toHaveBeenCalledWith(2, { replace: true });
});
