import { Paper } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSession } from '#client/lib/session/session.ts';
import { isAdminPath, paths } from '#client/paths.ts';
import { EmptyState } from '#client/ui/feedback/empty-state.tsx';
import { QueryView } from '#client/ui/list/query-view.tsx';
import { RequestCards } from '#client/ui/list/request-cards.tsx';
import { BackHeader } from '#client/ui/page/back-header.tsx';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import type { OpenErasure } from '#shared/api/erasures.ts';
import { erasuresQuery } from './api.ts';
import { type Decision, DecisionDialog } from './decision-dialog.tsx';
import { useLiveErasures } from './display/use-live-erasures.ts';
import { ErasureCard } from './erasure-card.tsx';

/** /admin/erasures: the people who asked the office to delete their account (docs/requirements.md R-ACCESS-89). */
export function ErasuresPage() {
  usePageTitle('Permintaan hapus akun');
  useLiveErasures();
  const query = useQuery(erasuresQuery);
  const ownId = useSession()?.user?.id;
  const [chosen, setChosen] = useState<{ request: OpenErasure; decision: Decision } | null>(null);
  return (
    <>
      <BackHeader
        to={paths.adminDashboard}
        isWayBack={isAdminPath}
        title="Permintaan hapus akun"
        description="Putuskan sebelum tenggatnya. Yang disetujui langsung dihapus dan tidak dapat dikembalikan."
      />
      <QueryView
        isPage
        query={query}
        failedText="Gagal memuat permintaan"
        loading={{ text: 'Memuat permintaan…', rows: 2, height: 160 }}
      >
        {(requests) =>
          requests.length === 0 ? (
            <Paper withBorder>
              <EmptyState
                icon={IconCircleCheck}
                title="Tidak ada permintaan hapus akun"
                description="Warga yang menekan “Hapus akun saya” di Akun Saya akan tampil di sini."
              />
            </Paper>
          ) : (
            <RequestCards requests={requests}>
              {(request) => (
                <ErasureCard
                  key={request.id}
                  request={request}
                  atMs={query.dataUpdatedAt}
                  isOwn={request.user.id === ownId}
                  onDecide={(decision) => setChosen({ request, decision })}
                />
              )}
            </RequestCards>
          )
        }
      </QueryView>
      {chosen ? <DecisionDialog key={chosen.request.id} {...chosen} onClose={() => setChosen(null)} /> : null}
    </>
  );
}
