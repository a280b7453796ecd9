import { Box, Paper, Skeleton, Stack, VisuallyHidden } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { hintOf, messageOf } from '#client/lib/api/api-error.ts';
import { ErrorState } from '../feedback/error-state.tsx';
import { FormAlert } from '../feedback/form-alert.tsx';
import { focusHeading } from '../page/page-focus.ts';

type LoadingProps = {
  /** Said to screen readers: 'Memuat pengguna…'. */
  text: string;
  /** Grey bars, about as many and as high, in px, as what comes. */
  rows: number;
  height: number;
};

/** Takes the place of data until it is loaded. */
export function Loading({ text, rows, height }: LoadingProps) {
  return (
    <>
      <VisuallyHidden component="output">{text}</VisuallyHidden>
      <Bars rows={rows} height={height} />
    </>
  );
}

function Bars({ rows, height }: Pick<LoadingProps, 'rows' | 'height'>) {
  return (
    <Stack gap="sm" aria-hidden>
      {Array.from({ length: rows }, (_, row) => (
        <Skeleton key={row} height={height} />
      ))}
    </Stack>
  );
}

export type QueryViewProps<Data> = {
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'isFetching' | 'refetch'>;
  /** For an error without a text of the server: 'Gagal memuat users'. */
  failedText: string;
  loading: LoadingProps;
  /** Said to screen readers in place of the loading text, once there is data. */
  announce?: ((data: Data) => string) | undefined;
  /**
   * The data is what the page is about: its error stands in a frame, a retry moves the focus to the heading, and old data after
   * a failed refetch says that it is old.
   */
  isPage?: boolean;
  children: (data: Data) => ReactNode;
};

/** The data of a query, or its loading or error state with 'Coba lagi'. */
export function QueryView<Data>(props: QueryViewProps<Data>) {
  const { query, failedText, loading, announce, isPage = false, children } = props;
  const { data, error, isFetching, refetch } = query;
  const isLoading = data === undefined && !error;
  const announced = isLoading ? loading.text : data === undefined ? undefined : announce?.(data);

  function retry(): void {
    if (isPage) focusHeading();
    void refetch();
  }

  return (
    <>
      {/* One element for all states, because screen readers read only changes of an element that they know. */}
      {announced === undefined ? null : <VisuallyHidden component="output">{announced}</VisuallyHidden>}
      {isLoading ? (
        // Inside a card the bars stand below its heading.
        <Box mt={isPage ? 0 : 'sm'}>
          <Bars rows={loading.rows} height={loading.height} />
        </Box>
      ) : null}
      {data === undefined && error ? (
        <LoadError error={error} failedText={failedText} isPage={isPage} isRetrying={isFetching} onRetry={retry} />
      ) : null}
      {data !== undefined && error && isPage ? (
        <Box mb="md" className="no-print">
          <FormAlert
            kind="warning"
            message={messageOf(error, failedText)}
            hint="Yang terlihat di bawah mungkin bukan yang terbaru."
          />
        </Box>
      ) : null}
      {data === undefined ? null : children(data)}
    </>
  );
}

type ErrorProps = { error: unknown; failedText: string; isPage: boolean; isRetrying: boolean; onRetry: () => void };

function LoadError({ error, failedText, isPage, isRetrying, onRetry }: ErrorProps) {
  const errorState = (
    <ErrorState
      title={messageOf(error, failedText)}
      description={hintOf(error)}
      onRetry={onRetry}
      retrying={isRetrying}
    />
  );
  return isPage ? <Paper withBorder>{errorState}</Paper> : errorState;
}
