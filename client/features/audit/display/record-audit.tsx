import { Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#client/lib/api/api.ts';
import { QueryList } from '#client/ui/list/query-list.tsx';
import { AuditList } from './audit-list.tsx';

const ENTRIES_PER_PAGE = 10;
/** A payment changes status, date and photo: all of it is shown. */
const WHOLE_MAX = 3;

type Props = { path: '/tax-records/{id}/history' | '/admin/tax-records/{id}/history'; id: string };

/** The audit entries of one record, from the call for its owner or from the one for admins. */
export function RecordAudit({ path, id }: Props) {
  const [page, setPage] = useState(1);
  const query = useQuery({
    // Every change of a record adds an entry.
    queryKey: ['tax-records', 'history', path, id, page],
    queryFn: ({ signal }) => api.get(path, { params: { id }, query: { page, limit: ENTRIES_PER_PAGE }, signal }),
    placeholderData: keepPreviousData,
  });
  return (
    <QueryList
      query={query}
      failedText="Gagal memuat riwayat perubahan"
      loading={{ text: 'Memuat riwayat perubahan…', rows: 2, height: 16 }}
      setPage={setPage}
      pagerLabel="Halaman riwayat"
      empty={<Text c="dimmed">Belum ada perubahan yang tercatat.</Text>}
    >
      {(entries) => <AuditList entries={entries} wholeMax={WHOLE_MAX} />}
    </QueryList>
  );
}
