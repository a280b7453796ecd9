import { Anchor, Button, Group, Paper } from '@mantine/core';
import { IconSettings } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { areasQuery } from '#client/features/areas/api.ts';
import { ExportMenu } from '#client/exports/export-menu.tsx';
import { ExportProgress } from '#client/exports/export-progress.tsx';
import { usePrintRows } from '#client/exports/use-print-rows.ts';
import { formatNumber, today } from '#client/lib/format.ts';
import { paths } from '#client/paths.ts';
import { Money } from '#client/ui/data/money.tsx';
import { EmptyState } from '#client/ui/feedback/empty-state.tsx';
import { DensityToggle } from '#client/ui/list/rows/density.tsx';
import { QueryList } from '#client/ui/list/query-list.tsx';
import { ResultLine } from '#client/ui/list/filter/result-line.tsx';
import { useUrlFilter } from '#client/ui/list/filter/url-filter.ts';
import { useListScreen } from '#client/ui/list/use-list-screen.ts';
import { useSelection } from '#client/ui/list/rows/use-selection.ts';
import { PageHeader } from '#client/ui/page/page-header.tsx';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import type { Assessment } from '#shared/api/dhkp/assessments.ts';
import { yearOf } from '#shared/domain/dates/dates.ts';
import { type AssessmentFilter, assessmentsQuery, type BulkTarget, openClaimsQuery } from '../api.ts';
import { ImportLink, NoList } from '../display/import-link.tsx';
import { useLiveClaims } from '../display/use-live-claims.ts';
import { AssessmentPrint } from '../export/assessment-print.tsx';
import { useExportAssessments } from '../export/use-export-assessments.ts';
import { AssessmentList } from './assessment-list.tsx';
import { BulkActions } from './bulk-actions.tsx';
import { activeFilterParts, listFilterParts } from './list-filter.ts';
import { ListToolbar, YearSelect } from './list-toolbar.tsx';
import { useLiveList } from './use-live-list.ts';

/** Eleven columns: on narrower screens names and addresses have a word of each left. */
const TABLE_FROM_EM = 80;

/** /admin/dhkp: the list of the tax office, one line for each object of the year. */
export function DhkpListPage() {
  usePageTitle('Daftar objek (DHKP)');
  useLiveList();
  useLiveClaims();
  const { filter, none, change, reset } = useUrlFilter(listFilterParts);
  const { page, setPage, pageSize, density, isWide, isPhone } = useListScreen({ tableFromEm: TABLE_FROM_EM });
  const query = useQuery(assessmentsQuery(filter, page, pageSize.pageSize));
  const rows = query.data?.data ?? [];
  const selection = useSelection(rows);
  const { job: printJob, print } = usePrintRows<Assessment>(JSON.stringify([filter, page]));
  const { exportRows, busy, progress, cancel } = useExportAssessments(print);

  const names = useFilterNames(filter, rows);
  const parts = activeFilterParts(filter, names);
  const total = query.data?.total ?? 0;
  const year = filter.year === '' ? (query.data?.year ?? yearOf(today())) : Number(filter.year);
  // The year stays: it is the list itself, and no part of it.
  const clear = (): void => change({ ...none, year: filter.year, sort: filter.sort });
  const details = [
    { label: 'Tahun pajak', value: String(year) },
    ...(parts.length > 0
      ? parts.map(({ label, value }) => ({ label, value }))
      : [{ label: 'Objek', value: 'Semua objek' }]),
  ];

  function exportMenu(target: BulkTarget, label: string) {
    const isChosen = 'ids' in target;
    const source = isChosen ? { rows: selection.rows } : { filter: target.filter };
    return (
      <ExportMenu
        label={label}
        disabled={busy || total === 0}
        onSelect={(kind) =>
          void exportRows(kind, {
            ...source,
            year,
            details: isChosen ? [...details.slice(0, 1), { label: 'Objek', value: label }] : details,
            fileNamePart: isChosen ? 'terpilih' : '',
          })
        }
      />
    );
  }

  const importButton = <ImportLink year={year} px={isPhone ? 'sm' : 'lg'} />;
  return (
    <>
      <div className={printJob ? 'no-print' : undefined}>
        <PageHeader
          title="Daftar objek (DHKP)"
          compact
          actions={
            isPhone ? undefined : (
              <>
                <Button
                  component={Link}
                  to={paths.adminDhkpSettings}
                  variant="default"
                  px="md"
                  leftSection={<IconSettings size={18} aria-hidden />}
                >
                  Pengaturan DHKP
                </Button>
                {importButton}
              </>
            )
          }
        />
        <ListToolbar
          filter={filter}
          onChange={change}
          activeCount={parts.filter(({ keys }) => !keys.includes('search')).length}
          total={query.data?.total}
          isPhone={isPhone}
        >
          <YearSelect
            year={query.data || filter.year !== '' ? year : null}
            years={query.data?.years ?? []}
            onChange={(chosen) => change({ year: chosen })}
          />
          {isWide ? <DensityToggle {...density} /> : null}
          {exportMenu({ filter }, `Semua hasil (${formatNumber(total)} objek)`)}
          {isPhone ? importButton : null}
        </ListToolbar>
        <ResultLine
          summary={
            query.data ? (
              <>
                {formatNumber(total)} objek · <Money amount={query.data.total_amount} /> · Tahun {year}
              </>
            ) : null
          }
          parts={parts}
          onRemove={reset}
          onClear={clear}
        >
          <LinkingLinks year={year} />
        </ResultLine>
        {progress ? <ExportProgress state={progress} onCancel={cancel} /> : null}
        <QueryList
          isPage
          query={query}
          failedText="Gagal memuat daftar objek"
          loading={{ text: 'Memuat daftar objek…', rows: 12, height: 38 }}
          setPage={setPage}
          pageSize={pageSize}
          pagerLabel="Halaman daftar objek"
          empty={<NoObjects year={year} onClear={parts.length > 0 ? clear : undefined} />}
        >
          {(assessments) => (
            <AssessmentList
              assessments={assessments}
              isWide={isWide}
              selection={selection}
              density={density.density}
              sort={filter.sort}
              onSort={(sort) => change({ sort })}
            />
          )}
        </QueryList>
        <BulkActions
          filter={filter.year === '' ? { ...filter, year: String(year) } : filter}
          found={{ total, amount: query.data?.total_amount ?? 0 }}
          rowCount={rows.length}
          selection={selection}
          renderExport={exportMenu}
        />
      </div>
      {printJob ? <AssessmentPrint job={printJob} /> : null}
    </>
  );
}

/** The ways to objects without an account, and to users who ask for theirs. */
function LinkingLinks({ year }: { year: number }) {
  const { data: claims } = useQuery(openClaimsQuery);
  return (
    <Group gap="0 1.25rem" ml="auto" fz="sm">
      <Anchor component={Link} to={paths.adminDhkpMatches(year)} inherit fw={600} py={4}>
        Hubungkan objek dengan akun
      </Anchor>
      <Anchor component={Link} to={paths.adminClaims()} inherit fw={600} py={4}>
        Permintaan warga{claims && claims.count > 0 ? ` (${formatNumber(claims.count)})` : ''}
      </Anchor>
    </Group>
  );
}

/** The names of the area and the collector of a filter, which its address has as ids. */
function useFilterNames(filter: AssessmentFilter, rows: readonly Assessment[]) {
  const areas = useQuery({ ...areasQuery, enabled: filter.area_id !== '' }).data;
  return {
    area: areas?.find(({ id }) => id === filter.area_id)?.path,
    collector: rows.find(({ collector }) => collector?.id === filter.collector_id)?.collector?.name,
  };
}

/** @param onClear left out where no filter hides the objects */
function NoObjects({ year, onClear }: { year: number; onClear: (() => void) | undefined }) {
  return (
    <Paper withBorder>
      {onClear ? (
        <EmptyState
          title="Tidak ada objek yang cocok"
          description="Ubah pencarian atau filternya, atau tampilkan semua objek."
          action={
            <Button variant="light" mt="xs" onClick={onClear}>
              Tampilkan semua
            </Button>
          }
        />
      ) : (
        <NoList
          year={year}
          description="Daftar Himpunan Ketetapan Pajak dari kantor pajak, sebagai berkas Excel, OpenDocument, atau CSV, atau sel yang ditempel."
        />
      )}
    </Paper>
  );
}
