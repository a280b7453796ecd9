import { Button, Paper, Text, VisuallyHidden } from '@mantine/core';
import { IconPlus, IconPrinter } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { hintOf, messageOf } from '#client/lib/api-error.ts';
import { formatNumber } from '#client/lib/format.ts';
import { useSession } from '#client/lib/session.ts';
import { paths } from '#client/paths.ts';
import { ErrorState } from '#client/ui/feedback/error-state.tsx';
import { FormAlert } from '#client/ui/feedback/form-alert.tsx';
import { focusHeading } from '#client/ui/page/focus-heading.ts';
import { PageHeader } from '#client/ui/page/page-header.tsx';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import { usePrinting } from '#client/ui/print/use-printing.ts';
import { ownOverdueRecordsQuery, ownRecordListQuery } from '../../api.ts';
import { RecordPrintHeading, RecordPrintTable } from '../../export/record-print-list.tsx';
import { ButtonRow } from '../../pages/button-row.tsx';
import { ListSkeleton } from '../../pages/list-skeleton.tsx';
import { NoRecords } from '../../pages/no-records.tsx';
import { scopeTexts } from '../../pages/scope-texts.ts';
import { NewYearButton } from '../../rollover/new-year-button.tsx';
import { FilterPanel } from './filter-panel.tsx';
import { describeFilter, filterRecords, noOwnRecordFilter, yearOptions } from './filter-records.ts';
import { OwnRecordList } from './record-list.tsx';
import { useOwnListParams } from './use-list-params.ts';

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

/** /tax-records: the own records, on screen and in print (R-REC-13). */
export function OwnRecordListPage() {
  usePageTitle('Data Pajak');
  const ownerName = useSession()?.user?.name ?? '-';
  const { filter, setFilter } = useOwnListParams();
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

  function retry() {
    focusHeading();
    void query.refetch();
  }

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
      <FilterPanel applied={filter} years={years} onApply={setFilter} />
      <VisuallyHidden component="output">
        {query.data ? `${formatNumber(shown.length)} data PBB ditampilkan` : 'Memuat data PBB…'}
      </VisuallyHidden>
      <div className={hasPrinted ? 'no-print' : undefined}>
        {query.isPending ? <ListSkeleton rowCount={5} /> : null}
        {query.error && !query.data ? (
          <Paper withBorder>
            <ErrorState title={messageOf(query.error, loadFailed)} description={hintOf(query.error)} onRetry={retry} />
          </Paper>
        ) : null}
        {query.error && query.data ? (
          <div className="no-print" style={{ marginBottom: 'var(--mantine-spacing-md)' }}>
            <FormAlert
              kind="warning"
              message={messageOf(query.error, loadFailed)}
              hint="Yang terlihat di bawah mungkin bukan yang terbaru."
            />
          </div>
        ) : null}
        {query.data && shown.length === 0 ? (
          <NoRecords
            scope="own"
            title="Tidak ada data PBB"
            description={noRecordsDescriptions[noRecordsReason]}
            createLabel="Tambah Data"
            onClear={noRecordsReason === 'none' ? undefined : () => setFilter(noOwnRecordFilter)}
          />
        ) : null}
        {shown.length > 0 ? <OwnRecordList records={shown} /> : null}
        {query.data && query.data.total > loaded.length ? (
          <Text c="dimmed" fz="sm" mt="sm">
            Hanya {formatNumber(loaded.length)} data terbaru dari {formatNumber(query.data.total)} yang ditampilkan.
          </Text>
        ) : null}
      </div>
      {hasPrinted ? <RecordPrintTable records={shown} /> : null}
    </>
  );
}
