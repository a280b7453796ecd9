import { Button, Text } from '@mantine/core';
import { IconPlus, IconPrinter } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { formatNumber } from '#client/lib/format.ts';
import { useSession } from '#client/lib/session/session.ts';
import { paths } from '#client/paths.ts';
import { useLazyComponent } from '#client/ui/lazy/use-lazy-component.ts';
import { QueryView } from '#client/ui/list/query-view.tsx';
import { useUrlFilter } from '#client/ui/list/filter/url-filter.ts';
import { ButtonRow } from '#client/ui/page/header-actions.tsx';
import { PageHeader } from '#client/ui/page/page-header.tsx';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import { usePrinting } from '#client/ui/print/use-printing.ts';
import { ownOverdueRecordsQuery, ownRecordListQuery } from '../../api.ts';
import { RecordPrintHeading, RecordPrintTable } from '../../export/record-print-list.tsx';
import { NoRecords } from '../../pages/no-records.tsx';
import { scopeTexts } from '../../pages/scope-texts.ts';
import { NewYearButton } from '../../rollover/new-year-button.tsx';
import { FilterPanel } from './filter-panel.tsx';
import { describeFilter, filterRecords, ownFilterParts, yearOptions } from './filter-records.ts';
import { OwnRecordList } from './record-list.tsx';

const { loadFailed } = scopeTexts.own;

type NoRecordsReason = 'none' | 'none-overdue' | 'filtered';

function findNoRecordsReason(loadedCount: number, isOverdueOnly: boolean): NoRecordsReason {
  if (loadedCount > 0) return 'filtered';
  return isOverdueOnly ? 'none-overdue' : 'none';
}

const noRecordsDescriptions: Record<NoRecordsReason, string> = {
  none: 'Catat tagihan PBB pertama Anda. Yang diperlukan hanya SPPT di tangan Anda.',
  'none-overdue': 'Anda tidak memiliki tunggakan. Terima kasih sudah membayar tepat waktu.',
  filtered: 'Tidak ada data yang cocok dengan filter ini. Ubah atau bersihkan filternya.',
};

// Most users have none, and the records come first.
const loadRecentClaims = async () => (await import('../claims/recent-claims.tsx')).RecentClaims;

/** /tax-records: the own records, on screen and in print (R-REC-13). */
export function OwnRecordListPage() {
  usePageTitle('Data Pajak');
  const { Component: RecentClaims } = useLazyComponent(loadRecentClaims);
  const ownerName = useSession()?.user?.name ?? '-';
  const { filter, change, clear } = useUrlFilter(ownFilterParts);
  const { hasPrinted, printTimeMs, print } = usePrinting();
  const isOverdueOnly = filter.display === 'tunggakan';
  // Only this filter changes what is fetched; the others work on the loaded rows (R-REC-14).
  const allRecords = useQuery({ ...ownRecordListQuery, enabled: !isOverdueOnly });
  const overdueRecords = useQuery({ ...ownOverdueRecordsQuery, enabled: isOverdueOnly });
  const query = isOverdueOnly ? overdueRecords : allRecords;

  const loaded = query.data?.data ?? [];
  const shown = filterRecords(loaded, filter);
  const years = yearOptions(allRecords.data?.data ?? loaded, filter.year);
  const noRecordsReason = findNoRecordsReason(loaded.length, isOverdueOnly);

  return (
    <>
      <div className="no-print">
        <PageHeader
          title="Data Pajak"
          actions={
            <ButtonRow>
              <Button component={Link} to={paths.recordCreate} px="sm" leftSection={<IconPlus size={18} aria-hidden />}>
                Tambah Data
              </Button>
              <NewYearButton />
              <Button
                variant="default"
                px="sm"
                leftSection={<IconPrinter size={18} aria-hidden />}
                onClick={print}
                disabled={shown.length === 0}
              >
                Print
              </Button>
            </ButtonRow>
          }
        />
      </div>
      <RecordPrintHeading
        printedAtMs={printTimeMs}
        details={[
          { label: 'Atas nama', value: ownerName },
          { label: 'Data', value: describeFilter(filter) },
        ]}
      />
      {RecentClaims ? <RecentClaims /> : null}
      <FilterPanel applied={filter} years={years} onApply={change} />
      <div className={hasPrinted ? 'no-print' : undefined}>
        <QueryView
          isPage
          query={query}
          failedText={loadFailed}
          loading={{ text: 'Memuat data PBB…', rows: 5, height: 74 }}
          announce={() => `${formatNumber(shown.length)} data PBB ditampilkan`}
        >
          {({ total }) => (
            <>
              {shown.length === 0 ? (
                <NoRecords
                  scope="own"
                  title="Tidak ada data PBB"
                  description={noRecordsDescriptions[noRecordsReason]}
                  createLabel="Tambah Data"
                  onClear={noRecordsReason === 'none' ? undefined : clear}
                />
              ) : (
                <OwnRecordList records={shown} />
              )}
              {total > loaded.length ? (
                <Text c="dimmed" fz="sm" mt="sm">
                  Hanya {formatNumber(loaded.length)} data terbaru dari {formatNumber(total)} yang ditampilkan.
                </Text>
              ) : null}
            </>
          )}
        </QueryView>
      </div>
      {hasPrinted ? <RecordPrintTable records={shown} /> : null}
    </>
  );
}
