import { Box, Skeleton, Stack, Text, VisuallyHidden } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { hintOf, messageOf } from '#client/lib/api/api-error.ts';
import { api } from '#client/lib/api/api.ts';
import { ErrorState } from '#client/ui/feedback/error-state.tsx';
import { AuditList } from './audit-list.tsx';
import { Pager } from '#client/ui/list/pager.tsx';

const ENTRIES_PER_PAGE = 10;
/** A payment changes status, date and photo: all of it is shown. */
const WHOLE_MAX = 3;

type Props = { path: '/tax-records/{id}/history' | '/admin/tax-records/{id}/history'; id: string };

/** The audit entries of one record, from the call for its owner or from the one for admins. */
export function RecordAudit({ path, id }: Props) {
  const [page, setPage] = useState(1);
  const { data, error, isFetching, refetch } = useQuery({
    // Every change of a record adds an entry.
    queryKey: ['tax-records', 'history', path, id, page],
    queryFn: ({ signal }) => api.get(path, { params: { id }, query: { page, limit: ENTRIES_PER_PAGE }, signal }),
    placeholderData: keepPreviousData,
  });

  if (!data && error) {
    return (
      <ErrorState
        title={messageOf(error, 'Gagal memuat riwayat perubahan')}
        description={hintOf(error)}
        onRetry={() => void refetch()}
        retrying={isFetching}
      />
    );
  }
  if (!data) {
    return (
      <Stack gap="sm">
        <VisuallyHidden component="output">Memuat riwayat perubahan…</VisuallyHidden>
        <Skeleton height={16} width="60%" />
        <Skeleton height={14} width="40%" />
      </Stack>
    );
  }
  if (data.total === 0) return <Text c="dimmed">Belum ada perubahan yang tercatat.</Text>;
  return (
    <>
      <AuditList entries={data.data} wholeMax={WHOLE_MAX} />
      {data.last_page > 1 ? (
        <Box mt="md">
          <Pager page={page} pageCount={data.last_page} onChange={setPage} label="Halaman riwayat" />
        </Box>
      ) : null}
    </>
  );
}
