import { Box } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { formatNumber } from '#client/lib/format.ts';
import type { Page } from '#shared/api/envelope.ts';
import classes from './list.module.css';
import { ListPager } from './paging/list-pager.tsx';
import { Pager } from './paging/pager.tsx';
import type { PageSizeState } from './paging/page-size.ts';
import { QueryView, type QueryViewProps } from './query-view.tsx';

type Props<Row> = Omit<QueryViewProps<Page<Row>>, 'query' | 'announce' | 'children'> & {
  query: QueryViewProps<Page<Row>>['query'] & Pick<UseQueryResult<Page<Row>>, 'isPlaceholderData'>;
  setPage: (page: number, options?: { replace?: boolean }) => void;
  /** With it the rows of a page can be chosen, and any page can be typed. */
  pageSize?: PageSizeState;
  /** The accessible name of the pager: 'Halaman pengguna'. */
  pagerLabel: string;
  /** The word for the rows, said to screen readers with their number: 'pengguna ditemukan'. */
  countedAs?: string;
  /** Takes the place of rows where there are none. */
  empty: ReactNode;
  children: (rows: readonly Row[]) => ReactNode;
};

/** One page of a list with its pager, or its loading, error or empty state. While another page is loaded, the rows are pale. */
export function QueryList<Row>({
  query,
  setPage,
  pageSize,
  pagerLabel,
  countedAs,
  empty,
  children,
  ...view
}: Props<Row>) {
  const list = useRef<HTMLDivElement>(null);
  const { data, isPlaceholderData } = query;
  const lastPage = data?.last_page ?? 1;
  // The URL may name a page that no longer exists, for example after the last row of the last page was deleted.
  const isPageOutOfRange = data !== undefined && !isPlaceholderData && data.data.length === 0 && data.total > 0;
  useEffect(() => {
    if (isPageOutOfRange) setPage(lastPage, { replace: true });
  });
  useScrollToTop(list, data?.current_page, view.isPage === true);

  return (
    <QueryView
      {...view}
      query={query}
      announce={
        countedAs === undefined
          ? undefined
          : ({ total }) => (isPlaceholderData ? view.loading.text : `${formatNumber(total)} ${countedAs}`)
      }
    >
      {(answer) => (
        <Box
          ref={list}
          className={classes['list'] ?? ''}
          data-waiting={isPlaceholderData || undefined}
          aria-busy={isPlaceholderData}
        >
          {answer.total === 0 ? empty : children(answer.data)}
          {answer.total > 0 && pageSize ? (
            <Box mt="sm">
              <ListPager
                page={answer.current_page}
                pageSize={pageSize.pageSize}
                total={answer.total}
                onPage={setPage}
                onPageSize={pageSize.choose}
                label={pagerLabel}
              />
            </Box>
          ) : null}
          {!pageSize && answer.last_page > 1 ? (
            <Box mt="md">
              <Pager page={answer.current_page} pageCount={answer.last_page} onChange={setPage} label={pagerLabel} />
            </Box>
          ) : null}
        </Box>
      )}
    </QueryView>
  );
}

/** Scrolls to the first row after a page change, because the pager stands below the last row. */
export function useScrollToTop(
  list: { readonly current: HTMLElement | null },
  page: number | undefined,
  isWanted = true,
): void {
  const lastPage = useRef(page);
  useEffect(() => {
    const isChange = lastPage.current !== undefined && lastPage.current !== page;
    lastPage.current = page;
    if (isChange && isWanted) list.current?.scrollIntoView({ block: 'start' });
  }, [list, page, isWanted]);
}
