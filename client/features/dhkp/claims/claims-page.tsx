import { Paper, Tabs } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router-dom';
import { formatNumber } from '#client/lib/format.ts';
import { CLAIM_VIEW_PARAM, claimViews, isAdminPath, paths } from '#client/paths.ts';
import { EmptyState } from '#client/ui/feedback/empty-state.tsx';
import { usePageParam } from '#client/ui/list/paging/page-params.ts';
import { QueryList } from '#client/ui/list/query-list.tsx';
import { BackHeader } from '#client/ui/page/back-header.tsx';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import { CLAIM_STATES, type ClaimState } from '#shared/domain/dhkp/list-states.ts';
import { claimsQuery, openClaimsQuery } from '../api.ts';
import { claimStateLabels } from '../display/claim-texts.ts';
import { useLiveList } from '../list/use-live-list.ts';
import { AnsweredClaims } from './answered-claims.tsx';
import { OpenClaims } from './open-claims.tsx';
import { useLiveClaims } from '../display/use-live-claims.ts';

const emptyStates: Record<ClaimState, { title: string; description?: string }> = {
  open: {
    title: 'Semua permintaan sudah dijawab',
    description: 'Permintaan warga untuk objek di daftar kantor akan tampil di sini.',
  },
  approved: { title: 'Belum ada permintaan yang disetujui' },
  rejected: { title: 'Belum ada permintaan yang ditolak' },
};

/** /admin/dhkp/claims: users' requests to link an object, and those that have an answer (R-DHKP-33). */
export function ClaimsPage() {
  usePageTitle('Permintaan warga');
  useLiveList();
  useLiveClaims();
  const [params, setParams] = useSearchParams();
  const { data: open } = useQuery(openClaimsQuery);
  const param = params.get(CLAIM_VIEW_PARAM);
  const shown = CLAIM_STATES.find((state) => state !== 'open' && claimViews[state] === param) ?? 'open';
  return (
    <>
      <BackHeader
        to={paths.adminDhkp}
        isWayBack={isAdminPath}
        title="Permintaan warga"
        description="Warga meminta objek dari daftar kantor dihubungkan dengan akunnya."
      />
      <Tabs
        value={shown}
        keepMounted={false}
        onChange={(next) =>
          setParams(next === 'approved' || next === 'rejected' ? { [CLAIM_VIEW_PARAM]: claimViews[next] } : {})
        }
      >
        <Tabs.List aria-label="Keadaan permintaan" mb="md">
          {CLAIM_STATES.map((state) => (
            <Tabs.Tab key={state} value={state}>
              {claimStateLabels[state]}
              {state === 'open' && open && open.count > 0 ? ` (${formatNumber(open.count)})` : null}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {CLAIM_STATES.map((state) => (
          <Tabs.Panel key={state} value={state}>
            <ClaimList state={state} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  );
}

function ClaimList({ state }: { state: ClaimState }) {
  const { page, setPage } = usePageParam();
  const query = useQuery(claimsQuery(state, page));
  return (
    <QueryList
      isPage
      query={query}
      failedText="Gagal memuat permintaan"
      loading={{ text: 'Memuat permintaan…', rows: 3, height: 160 }}
      setPage={setPage}
      pagerLabel="Halaman permintaan"
      countedAs="permintaan ditemukan"
      empty={
        <Paper withBorder>
          <EmptyState icon={IconCircleCheck} {...emptyStates[state]} />
        </Paper>
      }
    >
      {(claims) =>
        state === 'open' ? (
          <OpenClaims claims={claims} onReload={async () => void (await query.refetch())} />
        ) : (
          <AnsweredClaims claims={claims} />
        )
      }
    </QueryList>
  );
}
