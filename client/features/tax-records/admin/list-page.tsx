import { Button, Paper, Skeleton, Stack, VisuallyHidden } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { paths } from '#client/paths.ts';
import { ErrorState } from '#client/ui/feedback/error-state.tsx';
import { FormAlert } from '#client/ui/feedback/form-alert.tsx';
import { HeaderActions } from '#client/ui/page/header-actions.tsx';
import { PageHeader } from '#client/ui/page/page-header.tsx';
import { PrintHeader, PrintList } from '../export/print-list.tsx';
import { hintOf, messageOf } from '#client/lib/api-error.ts';
import { focusHeading } from '#client/ui/page/focus-heading.ts';
import { formatNumber } from '#client/lib/format.ts';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import { listQuery } from './api.ts';
import { Counters } from './components/counters.tsx';
import { ListToolbar } from './components/list-toolbar.tsx';
import { MarkPaidDialog } from './components/mark-paid-dialog.tsx';
import { NoRecords } from './components/no-records.tsx';
import { RecordsList } from './components/records-list.tsx';
import { SelectionBar } from './components/selection-bar.tsx';
import { TakeOutMenu } from '../export/take-out-menu.tsx';
import { TakeOutProgress } from '../export/take-out-progress.tsx';
import { filterDetails } from './filter-words.ts';
import { isNarrowed, useListUrl } from './list-url.ts';
import { usePrintRecords } from '../export/use-print-records.ts';
import { useSelection } from './use-selection.ts';
import { useTakeOut } from '../export/use-take-out.ts';

const FAILED = 'Gagal memuat data pajak';

function ListSkeleton() {
  return (
    <>
      <VisuallyHidden component="output">Memuat data pajak…</VisuallyHidden>
      <Stack gap="sm" aria-hidden>
        {['a', 'b', 'c', 'd', 'e', 'f'].map((row) => (
          <Paper key={row} withBorder p="md">
            <Skeleton height={18} width="45%" mb="xs" />
            <Skeleton height={14} width="70%" />
          </Paper>
        ))}
      </Stack>
    </>
  );
}

/** Specification 2.4, /admin/tax-records: everybody's records, searched and ordered by the server. */
export function AdminRecordsPage() {
  usePageTitle('Manajemen Catatan Pajak');
  const { filter, page, change, setPage, clear } = useListUrl();
  const query = useQuery(listQuery(filter, page));
  const rows = query.data?.data ?? [];
  const selection = useSelection(rows);
  const [marking, setMarking] = useState(false);
  const { job, print } = usePrintRecords(JSON.stringify([filter, page]));
  const { takeOut, busy, progress, cancel } = useTakeOut(print);

  const total = query.data?.total ?? 0;
  const everything = { filter, details: filterDetails(filter, rows[0]?.user.name) };
  const chosen = {
    records: selection.records,
    details: [{ label: 'Data', value: `${formatNumber(selection.records.length)} data terpilih` }],
  };

  function retry() {
    focusHeading();
    void query.refetch();
  }

  return (
    <>
      <div className={job ? 'no-print' : undefined}>
        <PageHeader
          title="Manajemen Catatan Pajak"
          actions={
            <HeaderActions>
              <Button component={Link} to={paths.adminRecordCreate} leftSection={<IconPlus size={18} aria-hidden />}>
                Tambah Data Pajak
              </Button>
              <TakeOutMenu
                what={`Semua hasil (${formatNumber(total)} data)`}
                disabled={total === 0 || busy}
                onPick={(kind) => void takeOut(kind, everything)}
              />
            </HeaderActions>
          }
        />
        <Counters />
        <ListToolbar filter={filter} onChange={change} onClear={clear} />
        {progress ? <TakeOutProgress progress={progress} onCancel={cancel} /> : null}
        {query.isPending ? <ListSkeleton /> : null}
        {query.error && !query.data ? (
          <Paper withBorder>
            <ErrorState title={messageOf(query.error, FAILED)} description={hintOf(query.error)} onRetry={retry} />
          </Paper>
        ) : null}
        {query.error && query.data ? (
          <FormAlert
            kind="warning"
            message={messageOf(query.error, FAILED)}
            hint="Yang terlihat di bawah mungkin bukan yang terbaru."
          />
        ) : null}
        {query.data && total === 0 ? <NoRecords narrowed={isNarrowed(filter)} onClear={clear} /> : null}
        {query.data && total > 0 ? (
          <RecordsList
            answer={query.data}
            stale={query.isPlaceholderData}
            selection={selection}
            sort={filter.sort}
            onSort={(sort) => change({ sort })}
            setPage={setPage}
          />
        ) : null}
        {selection.records.length > 0 ? (
          <SelectionBar
            records={selection.records}
            onMarkPaid={() => setMarking(true)}
            onClear={() => {
              selection.clear();
              focusHeading();
            }}
          >
            <TakeOutMenu
              what={`${formatNumber(selection.records.length)} data terpilih`}
              disabled={busy}
              onPick={(kind) => void takeOut(kind, chosen)}
            />
          </SelectionBar>
        ) : null}
      </div>
      {job ? (
        <>
          <PrintHeader printedAtMs={job.atMs} details={job.details} />
          <PrintList records={job.records} withOwner />
        </>
      ) : null}
      {marking ? (
        <MarkPaidDialog records={selection.records} onClose={() => setMarking(false)} onDone={selection.drop} />
      ) : null}
    </>
  );
}
