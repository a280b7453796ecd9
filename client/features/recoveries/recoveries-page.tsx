import { Paper } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { CardDialog, type CardRequest } from '#client/features/users/display/cards/card-dialog.tsx';
import { RecoveryCodeDialog } from '#client/features/users/display/recovery-code/recovery-code-dialog.tsx';
import type { CodeAccount } from '#client/features/users/display/recovery-code/use-recovery-code.ts';
import { isAdminPath, paths } from '#client/paths.ts';
import { confirm } from '#client/ui/feedback/confirm.ts';
import { EmptyState } from '#client/ui/feedback/empty-state.tsx';
import { notify } from '#client/ui/feedback/notify.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import { QueryView } from '#client/ui/list/query-view.tsx';
import { RequestCards } from '#client/ui/list/request-cards.tsx';
import { BackHeader } from '#client/ui/page/back-header.tsx';
import { usePageTitle } from '#client/ui/page/use-page-title.ts';
import type { Recovery } from '#shared/api/recoveries.ts';
import { recoveriesQuery, reloadRecoveries, removeRecovery } from './api.ts';
import { useLiveRecoveries } from './display/use-live-recoveries.ts';
import { RecoveryCard } from './recovery-card.tsx';

/** /admin/recoveries: the people who cannot get into their account and asked the office (docs/requirements.md R-ACCESS-32). */
export function RecoveriesPage() {
  usePageTitle('Minta masuk lagi');
  useLiveRecoveries();
  const query = useQuery(recoveriesQuery);
  const [chosen, setChosen] = useState<CodeAccount | null>(null);
  const [cardRequest, setCardRequest] = useState<CardRequest | null>(null);
  const putAway = usePutAway();
  return (
    <>
      <BackHeader
        to={paths.adminDashboard}
        isWayBack={isAdminPath}
        title="Minta masuk lagi"
        description="Warga yang lupa password. Data di bawah membantu mengenali orangnya, tetapi bukan bukti."
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
                title="Tidak ada yang minta masuk lagi"
                description="Warga yang menekan “Lupa password?” di halaman masuk akan tampil di sini."
              />
            </Paper>
          ) : (
            <RequestCards requests={requests}>
              {(request) => (
                <RecoveryCard
                  key={request.id}
                  request={request}
                  onMakeCode={setChosen}
                  onMakeCard={(holder) => setCardRequest({ holders: [holder] })}
                  onPutAway={() => void putAway(request)}
                />
              )}
            </RequestCards>
          )
        }
      </QueryView>
      <RecoveryCodeDialog account={chosen} onClose={() => setChosen(null)} />
      <CardDialog request={cardRequest} onClose={() => setCardRequest(null)} />
    </>
  );
}

/** Puts a request away after a question; the person can ask again. */
function usePutAway() {
  const queryClient = useQueryClient();
  const { submit } = useSubmit(async ({ id, users }: Recovery) => {
    const isConfirmed = await confirm({
      title: 'Singkirkan permintaan',
      message: `Permintaan ${users.map(({ name }) => name).join(', ')} tidak tampil lagi. Kode yang sudah dibuat tetap berlaku, dan orangnya dapat meminta lagi.`,
      confirmLabel: 'Singkirkan',
    });
    if (!isConfirmed) return;
    try {
      await removeRecovery(id);
      notify.success('Permintaan disingkirkan');
    } catch (error) {
      notify.failure(error, 'Gagal menyingkirkan permintaan');
    }
    await reloadRecoveries(queryClient);
  });
  return submit;
}
