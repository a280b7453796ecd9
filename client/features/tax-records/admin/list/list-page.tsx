import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { ExportMenu } from '#client/exports/export-menu.tsx';
import { ExportProgress } from '#client/exports/export-progress.tsx';
import { usePrintRows } from '#client/exports/use-print-rows.ts';
import { formatNumber } from '#client/lib/format.ts';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { paths } from '#client/paths.ts';
import { DensityToggle } from '#client/ui/list/rows/density.tsx';
import { QueryList } from '#client/ui/list/query-list.tsx';
import { useUrlFilter } from '#client/ui/list/filter/url-filter.ts';
import { useListScreen } from '#client/ui/list/use-list-screen.ts';
import { useSelection } from '#client/ui/list/rows/use-selection.ts';
import { PageHeader } from '#client/ui/page/page-header.tsx';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import { adminRecordListQuery } from '../../admin-list-api.ts';
import { filterDetails, filterFileName } from '../../export/record-document.ts';
import { RecordPrintHeading, RecordPrintTable } from '../../export/record-print-list.tsx';
import { useExportRecords } from '../../export/use-export-records.ts';
import { NoRecords } from '../../pages/no-records.tsx';
import { scopeTexts } from '../../pages/scope-texts.ts';
import { adminFilterParts, hasActiveFilter } from './admin-filter.ts';
import { CounterFilters } from './counter-filters.tsx';
import { RecordFilterToolbar } from './filter-toolbar.tsx';
import { AdminRecordList } from './record-list.tsx';
import { RecordResultLine } from './result-line.tsx';
import { SelectionActions } from './selection-actions.tsx';

/** /admin/tax-records: the records of all users, filtered and sorted by the server (R-REC-20, R-REC-21). */
export function AdminRecordListPage() {
  usePageTitle('Manajemen Catatan Pajak');
  const { filter, change, reset, clear } = useUrlFilter(adminFilterParts);
  const { page, setPage, pageSize, density, isWide, isPhone } = useListScreen();
  const query = useQuery(adminRecordListQuery(filter, page, pageSize.pageSize));
  const rows = query.data?.data ?? [];
  const selection = useSelection(rows);
  const { job: printJob, print } = usePrintRows<TaxRecord>(JSON.stringify([filter, page]));
  const { exportRecords, busy, progress, cancel } = useExportRecords(print);

  const total = query.data?.total ?? 0;
  const isFiltered = hasActiveFilter(filter);
  const ownerName = rows[0]?.user.name;
  const allRecords = {
    filter,
    details: filterDetails(filter, ownerName),
    fileNamePart: filterFileName(filter, ownerName),
  };
  const selectedRecords = {
    records: selection.rows,
    details: [{ label: 'Data', value: `${formatNumber(selection.rows.length)} data terpilih` }],
    fileNamePart: 'terpilih',
  };

  const createButton = (
    <Button
      component={Link}
      to={paths.adminRecordCreate}
      leftSection={<IconPlus size={18} aria-hidden />}
      aria-label="Tambah Data Pajak"
    >
      {isPhone ? 'Tambah' : 'Tambah Data Pajak'}
    </Button>
  );

  return (
    <>
      <div className={printJob ? 'no-print' : undefined}>
        <PageHeader title="Manajemen Catatan Pajak" compact actions={isPhone ? undefined : createButton} />
        <CounterFilters filter={filter} onChange={change} />
        <RecordFilterToolbar filter={filter} total={query.data?.total} isPhone={isPhone} onChange={change}>
          {isWide ? <DensityToggle {...density} /> : null}
          <ExportMenu
            label={`Semua hasil (${formatNumber(total)} data)`}
            disabled={total === 0 || busy}
            onSelect={(kind) => void exportRecords(kind, allRecords)}
          />
          {isPhone ? createButton : null}
        </RecordFilterToolbar>
        <RecordResultLine recordPage={query.data} filter={filter} onRemove={reset} onClear={clear} />
        {progress ? <ExportProgress state={progress} onCancel={cancel} /> : null}
        <QueryList
          isPage
          query={query}
          failedText={scopeTexts.admin.loadFailed}
          loading={{ text: 'Memuat data PBB…', rows: 6, height: 74 }}
          setPage={setPage}
          pageSize={pageSize}
          pagerLabel="Halaman data PBB"
          empty={
            <NoRecords
              scope="admin"
              title={isFiltered ? 'Tidak ada data PBB yang cocok' : 'Belum ada catatan pajak'}
              description={
                isFiltered
                  ? 'Ubah pencarian atau filternya, atau tampilkan semua data.'
                  : 'Data PBB yang ditambahkan warga atau admin akan tampil di sini.'
              }
              createLabel="Tambah Data Pajak"
              onClear={isFiltered ? clear : undefined}
            />
          }
        >
          {(records) => (
            <AdminRecordList
              records={records}
              isWide={isWide}
              selection={selection}
              density={density.density}
              sort={filter.sort}
              onSort={(sort) => change({ sort })}
            />
          )}
        </QueryList>
        <SelectionActions filter={filter} total={total} rowCount={rows.length} selection={selection}>
          <ExportMenu
            label={`${formatNumber(selection.rows.length)} data terpilih`}
            disabled={busy}
            onSelect={(kind) => void exportRecords(kind, selectedRecords)}
          />
        </SelectionActions>
      </div>
      {printJob ? (
        <>
          <RecordPrintHeading printedAtMs={printJob.atMs} details={printJob.details} />
          <RecordPrintTable records={printJob.rows} withOwner />
        </>
      ) : null}
    </>
  );
}
