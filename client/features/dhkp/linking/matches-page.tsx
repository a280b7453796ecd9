import { Anchor, Paper } from '@mantine/core';
import { IconLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { formatNumber, today } from '#client/lib/format.ts';
import { DHKP_YEAR_PARAM, paths } from '#client/paths.ts';
import { EmptyState } from '#client/ui/feedback/empty-state.tsx';
import { usePageParam } from '#client/ui/list/paging/page-params.ts';
import { QueryList } from '#client/ui/list/query-list.tsx';
import { type UrlParts, useUrlFilter, yearPart } from '#client/ui/list/filter/url-filter.ts';
import { BackHeader } from '#client/ui/page/back-header.tsx';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import { yearOf } from '#shared/domain/dates/dates.ts';
import { matchesQuery, unlinkedQuery } from '../api.ts';
import { NoList } from '../display/import-link.tsx';
import { useLiveList } from '../list/use-live-list.ts';
import { YearSelect } from '../list/list-toolbar.tsx';
import { MatchList } from './match-list.tsx';

const filterParts: UrlParts<{ year: string }> = { year: yearPart(DHKP_YEAR_PARAM) };

/** /admin/dhkp/matches: objects without an account beside the accounts that may own them (R-DHKP-30). */
export function DhkpMatchesPage() {
  usePageTitle('Hubungkan objek');
  useLiveList();
  const { filter, change } = useUrlFilter(filterParts);
  const { page, setPage } = usePageParam();
  const query = useQuery(matchesQuery(filter.year, page));
  const { data: unlinked } = useQuery(unlinkedQuery(filter.year));
  const year = filter.year === '' ? (query.data?.year ?? yearOf(today())) : Number(filter.year);
  const summary =
    query.data && unlinked
      ? `${formatNumber(query.data.total)} objek dengan calon pemilik, dari ${formatNumber(unlinked.total)} yang belum terhubung`
      : 'Objek dengan akun yang mungkin pemiliknya';
  return (
    <>
      <BackHeader
        to={paths.adminDhkp}
        isWayBack={(previous) => previous.startsWith(paths.adminDhkp)}
        title="Hubungkan objek"
        description={summary}
        actions={
          <YearSelect
            year={query.data || filter.year !== '' ? year : null}
            years={unlinked?.years ?? []}
            onChange={(chosen) => change({ year: chosen })}
          />
        }
      />
      <QueryList
        isPage
        query={query}
        failedText="Gagal memuat calon pemilik"
        loading={{ text: 'Memuat calon pemilik…', rows: 10, height: 48 }}
        setPage={setPage}
        pagerLabel="Halaman calon pemilik"
        empty={
          <NoMatches
            year={year}
            hasList={unlinked === undefined || unlinked.years.includes(year)}
            unlinked={unlinked?.total ?? null}
          />
        }
      >
        {(matches) => <MatchList matches={matches} />}
      </QueryList>
    </>
  );
}

type EmptyProps = {
  year: number;
  hasList: boolean;
  /** The number of listed objects without an account; null while it is not known. */
  unlinked: number | null;
};

/** No list, all linked, or nothing to propose: each with the next step. */
function NoMatches({ year, hasList, unlinked }: EmptyProps) {
  return (
    <Paper withBorder>
      {hasList ? (
        <EmptyState
          icon={IconLink}
          title={unlinked === 0 ? 'Semua objek sudah terhubung' : 'Tidak ada calon pemilik'}
          description={
            unlinked === null || unlinked === 0 ? undefined : (
              <>
                Tidak ada akun yang NOP atau namanya sama dengan{' '}
                <Anchor component={Link} to={`${paths.adminDhkpYear(year)}&akun=belum`} inherit underline="always">
                  {formatNumber(unlinked)} objek yang belum terhubung
                </Anchor>
                . Bila pemiliknya Anda kenal, hubungkan dari halaman objeknya.
              </>
            )
          }
        />
      ) : (
        <NoList year={year} description="Calon pemilik tampil di sini setelah daftar dari kantor pajak diimpor." />
      )}
    </Paper>
  );
}
