import { Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router-dom';
import { today } from '#client/lib/format.ts';
import { DHKP_YEAR_PARAM, paths } from '#client/paths.ts';
import { EmptyState } from '#client/ui/feedback/empty-state.tsx';
import { usePageParam } from '#client/ui/list/paging/page-params.ts';
import { QueryList } from '#client/ui/list/query-list.tsx';
import { BackHeader } from '#client/ui/page/back-header.tsx';
import { HandbookLink } from '#client/ui/page/handbook-link.tsx';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import { yearOf } from '#shared/domain/dates/dates.ts';
import { batchesQuery } from '../api.ts';
import { BatchCard } from './batch-card.tsx';
import { NewBatchForm } from './new-batch-form.tsx';
import { useLiveBatches } from './use-live-batches.ts';

/** /admin/dhkp/import: a new import, and below it all earlier ones. */
export function DhkpImportPage() {
  usePageTitle('Impor daftar');
  useLiveBatches();
  const [params] = useSearchParams();
  const { page, setPage } = usePageParam();
  const query = useQuery(batchesQuery(page));
  const year = params.get(DHKP_YEAR_PARAM) ?? '';
  return (
    <>
      <BackHeader
        to={paths.adminDhkp}
        title="Impor daftar"
        description={
          <>
            Baru pertama kali? <HandbookLink chapter="lists" />
          </>
        }
        isWayBack={(previous) => previous === paths.adminDhkp}
      />
      <Stack gap="lg">
        <NewBatchForm initialYear={/^\d{4}$/.test(year) ? Number(year) : yearOf(today())} />
        <section aria-labelledby="riwayat-impor">
          <Title order={2} id="riwayat-impor" mb="sm">
            Impor sebelumnya
          </Title>
          <QueryList
            query={query}
            failedText="Gagal memuat impor"
            loading={{ text: 'Memuat impor…', rows: 3, height: 96 }}
            setPage={setPage}
            pagerLabel="Halaman impor"
            empty={<EmptyState title="Belum ada impor" />}
          >
            {(batches) => (
              <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
                {batches.map((batch) => (
                  <BatchCard key={batch.id} batch={batch} isNewest={isNewestApplied(batch, batches)} />
                ))}
              </Stack>
            )}
          </QueryList>
        </section>
      </Stack>
    </>
  );
}

type Applied = { id: string; year: number; state: string; applied_at: string | null };

/** Whether an import is the one that was applied last in its year: the only one that can be undone. */
function isNewestApplied(batch: Applied, batches: readonly Applied[]): boolean {
  if (batch.state !== 'applied') return false;
  const appliedAt = batch.applied_at ?? '';
  return !batches.some(
    (other) => other.state === 'applied' && other.year === batch.year && (other.applied_at ?? '') > appliedAt,
  );
}
