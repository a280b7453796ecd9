import { Button, Paper, Text, VisuallyHidden } from '@mantine/core';
import { IconPlus, IconPrinter } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { paths } from '#client/paths.ts';
import { ErrorState } from '#client/ui/feedback/error-state.tsx';
import { FormAlert } from '#client/ui/feedback/form-alert.tsx';
import { PageHeader } from '#client/ui/page/page-header.tsx';
import { hintOf, messageOf } from '#client/lib/api-error.ts';
import { formatNumber } from '#client/lib/format.ts';
import { useSession } from '#client/lib/session.ts';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import { ownRecordListQuery, ownOverdueRecordsQuery } from '../../api.ts';
import { FilterPanel } from './filter-panel.tsx';
import { HeaderActions } from '#client/ui/page/header-actions.tsx';
import { NewYearButton } from '../../rollover/new-year-button.tsx';
import { OwnNoRecords, noRecordsReason } from './no-records.tsx';
import { RecordPrintHeading, RecordPrintTable } from '../../export/record-print-list.tsx';
import { OwnRecordList } from './record-list.tsx';
import { OwnRecordListSkeleton } from '../../pages/list-skeleton.tsx';
import { filterRecords, yearOptions, noOwnRecordFilter } from './filter-records.ts';
import { describeFilter } from './filter-words.ts';
import { focusHeading } from '#client/ui/page/focus-heading.ts';
import { useOwnListParams } from './use-list-params.ts';
import { usePrinting } from '#client/ui/page/use-printing.ts';

const FAILED = 'Gagal memuat data PBB';

/** Specification 2.3, /tax-records: the person's own records, on screen and on paper. */
export function OwnRecordListPage() {
  usePageTitle('Data Pajak');
  const ownerName = useSession()?.user?.name ?? '-';
  const { filter, setFilter } = useOwnListParams();
  const { hasPrinted, printTimeMs, print } = usePrinting();
  const isOverdueOnly = filter.display === 'tunggakan';
  // Only this choice changes what is fetched; the others filter what has come (contract 6).
  const allRecords = useQuery({ ...ownRecordListQuery, enabled: !isOverdueOnly });
  const overdueRecords = useQuery({ ...ownOverdueRecordsQuery, enabled: isOverdueOnly });
  const query = isOverdueOnly ? overdueRecords : allRecords;

  const loaded = query.data?.data ?? [];
  const shown = filterRecords(loaded, filter);
  const years = yearOptions(allRecords.data?.data ?? loaded, filter.year);

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
            <HeaderActions>
              <Button component={Link} to={paths.recordCreate} leftSection={<IconPlus size={18} aria-hidden />}>
                Tambah Data
              </Button>
              <NewYearButton />
              <Button
                variant="default"
                leftSection={<IconPrinter size={18} aria-hidden />}
                onClick={print}
                disabled={shown.length === 0}
              >
                Print
              </Button>
            </HeaderActions>
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
        {query.isPending ? <OwnRecordListSkeleton /> : null}
        {query.error && !query.data ? (
          <Paper withBorder>
            <ErrorState title={messageOf(query.error, FAILED)} description={hintOf(query.error)} onRetry={retry} />
          </Paper>
        ) : null}
        {query.error && query.data ? (
          <div className="no-print" style={{ marginBottom: 'var(--mantine-spacing-md)' }}>
            <FormAlert
              kind="warning"
              message={messageOf(query.error, FAILED)}
              hint="Yang terlihat di bawah mungkin bukan yang terbaru."
            />
          </div>
        ) : null}
        {query.data && shown.length === 0 ? (
          <OwnNoRecords
            reason={noRecordsReason(loaded.length, isOverdueOnly)}
            onClear={() => setFilter(noOwnRecordFilter)}
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
