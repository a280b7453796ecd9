import { Button, Paper, VisuallyHidden } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { paths } from '#client/paths.ts';
import { ErrorState } from '#client/ui/feedback/error-state.tsx';
import { FormAlert } from '#client/ui/feedback/form-alert.tsx';
import { HeaderActions } from '#client/ui/page/header-actions.tsx';
import { PageHeader } from '#client/ui/page/page-header.tsx';
import { RecordPrintHeading, RecordPrintTable } from '../../export/record-print-list.tsx';
import { hintOf, messageOf } from '#client/lib/api-error.ts';
import { focusHeading } from '#client/ui/page/focus-heading.ts';
import { formatNumber } from '#client/lib/format.ts';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import { adminRecordListQuery } from '../../api.ts';
import { StatusCounters } from './status-counters.tsx';
import { RecordFilterToolbar } from './filter-toolbar.tsx';
import { MarkPaidDialog } from '../mark-paid/mark-paid-dialog.tsx';
import { ListSkeleton } from '../../pages/list-skeleton.tsx';
import { NoRecords } from '../../pages/no-records.tsx';
import { scopeTexts } from '../../pages/scope-texts.ts';
import { AdminRecordList } from './record-list.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { ExportMenu } from '../../export/export-menu.tsx';
import { ExportProgress } from '../../export/export-progress.tsx';
import { filterDetails } from '../../export/record-document.ts';
import { hasActiveFilter, useAdminListParams } from './use-list-params.ts';
import { usePrintRecords } from '../../export/use-print-records.ts';
import { useSelection } from './use-selection.ts';
import { useExportRecords } from '../../export/use-export-records.ts';

const { loadFailed } = scopeTexts.admin;

/** /admin/tax-records: the records of all users, filtered and sorted by the server (R-REC-20, R-REC-21). */
export function AdminRecordListPage() {
  usePageTitle('Manajemen Catatan Pajak');
  const { filter, page, change, setPage, clear } = useAdminListParams();
  const query = useQuery(adminRecordListQuery(filter, page));
  const rows = query.data?.data ?? [];
  const selection = useSelection(rows);
  const [isMarkPaidOpen, setIsMarkPaidOpen] = useState(false);
  const { job: printJob, print } = usePrintRecords(JSON.stringify([filter, page]));
  const { exportRecords, busy, progress, cancel } = useExportRecords(print);

  const total = query.data?.total ?? 0;
  const isFiltered = hasActiveFilter(filter);
  const allRecords = { filter, details: filterDetails(filter, rows[0]?.user.name) };
  const selectedRecords = {
    records: selection.records,
    details: [{ label: 'Data', value: `${formatNumber(selection.records.length)} data terpilih` }],
  };

  function retry() {
    focusHeading();
    void query.refetch();
  }

  return (
    <>
      <div className={printJob ? 'no-print' : undefined}>
        <PageHeader
          title="Manajemen Catatan Pajak"
          actions={
            <HeaderActions>
              <Button component={Link} to={paths.adminRecordCreate} leftSection={<IconPlus size={18} aria-hidden />}>
                Tambah Data Pajak
              </Button>
              <ExportMenu
                recordsLabel={`Semua hasil (${formatNumber(total)} data)`}
                disabled={total === 0 || busy}
                onSelect={(kind) => void exportRecords(kind, allRecords)}
              />
            </HeaderActions>
          }
        />
        <StatusCounters />
        <RecordFilterToolbar filter={filter} onChange={change} onClear={clear} />
        {progress ? <ExportProgress progress={progress} onCancel={cancel} /> : null}
        {query.isPending ? (
          <>
            <VisuallyHidden component="output">Memuat data pajak…</VisuallyHidden>
            <ListSkeleton rowCount={6} />
          </>
        ) : null}
        {query.error && !query.data ? (
          <Paper withBorder>
            <ErrorState title={messageOf(query.error, loadFailed)} description={hintOf(query.error)} onRetry={retry} />
          </Paper>
        ) : null}
        {query.error && query.data ? (
          <FormAlert
            kind="warning"
            message={messageOf(query.error, loadFailed)}
            hint="Yang terlihat di bawah mungkin bukan yang terbaru."
          />
        ) : null}
        {query.data && total === 0 ? (
          <NoRecords
            scope="admin"
            title={isFiltered ? 'Tidak ada catatan pajak yang cocok' : 'Belum ada catatan pajak'}
            description={
              isFiltered
                ? 'Ubah pencarian atau filternya, atau tampilkan semua data.'
                : 'Catatan pajak yang ditambahkan warga atau admin akan tampil di sini.'
            }
            createLabel="Tambah Data Pajak"
            onClear={isFiltered ? clear : undefined}
          />
        ) : null}
        {query.data && total > 0 ? (
          <AdminRecordList
            recordPage={query.data}
            isStale={query.isPlaceholderData}
            selection={selection}
            sort={filter.sort}
            onSort={(sort) => change({ sort })}
            setPage={setPage}
          />
        ) : null}
        {selection.records.length > 0 ? (
          <SelectionBar
            records={selection.records}
            onMarkPaid={() => setIsMarkPaidOpen(true)}
            onClear={() => {
              selection.clear();
              focusHeading();
            }}
          >
            <ExportMenu
              recordsLabel={`${formatNumber(selection.records.length)} data terpilih`}
              disabled={busy}
              onSelect={(kind) => void exportRecords(kind, selectedRecords)}
            />
          </SelectionBar>
        ) : null}
      </div>
      {printJob ? (
        <>
          <RecordPrintHeading printedAtMs={printJob.atMs} details={printJob.details} />
          <RecordPrintTable records={printJob.records} withOwner />
        </>
      ) : null}
      {isMarkPaidOpen ? (
        <MarkPaidDialog
          records={selection.records}
          onClose={() => setIsMarkPaidOpen(false)}
          onDone={selection.remove}
        />
      ) : null}
    </>
  );
}
