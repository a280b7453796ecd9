import { Alert, Button, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { showDateTime } from '#client/lib/format.ts';
import { ownUserQuery } from '#client/lib/api/own-user-query.ts';
import { useServerEvent } from '#client/realtime/use-server-event.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { FormSection } from '#client/ui/form/form-section.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import { QueryView } from '#client/ui/list/query-view.tsx';
import type { OwnErasure } from '#shared/api/erasures.ts';
import { ErasureDialog } from './erasure-dialog.tsx';
import { type ErasureTerms, ownErasureQuery, reloadOwnErasure, withdrawErasure } from './erasure-api.ts';

/** 'Hapus akun saya': asks the office, and shows what became of the last request (docs/requirements.md R-ACCESS-90). */
export function ErasureSection() {
  const query = useQuery(ownErasureQuery);
  const queryClient = useQueryClient();
  const reload = useCallback(() => void reloadOwnErasure(queryClient), [queryClient]);
  useServerEvent('erasure:changed', reload);
  return (
    <FormSection
      title="Hapus akun saya"
      text="Kantor memutuskan permintaan Anda. Sampai saat itu Anda dapat membatalkannya."
    >
      <QueryView
        query={query}
        failedText="Gagal memuat permintaan hapus akun"
        loading={{ text: 'Memuat permintaan…', rows: 1, height: 40 }}
      >
        {({ terms, last }) =>
          last?.state === 'open' ? <OpenRequest erasure={last} /> : <Ask terms={terms} last={last} />
        }
      </QueryView>
    </FormSection>
  );
}

function OpenRequest({ erasure: { created_at: createdAt, due_at: dueAt, reason } }: { erasure: OwnErasure }) {
  return (
    <Stack gap="xs" align="flex-start">
      <Text fw={600}>Permintaan Anda menunggu kantor</Text>
      <Text>
        Diminta {showDateTime(createdAt)}. Kantor memutuskan paling lambat {showDateTime(dueAt)}.
      </Text>
      {reason === null ? null : (
        <Text style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>Alasan Anda: {reason}</Text>
      )}
      <WithdrawButton />
    </Stack>
  );
}

function Ask({ terms, last }: { terms: ErasureTerms; last: OwnErasure | null }) {
  const { data: user } = useQuery(ownUserQuery);
  const [isAsking, setIsAsking] = useState(false);
  return (
    <Stack gap="md" align="flex-start">
      {last?.state === 'rejected' ? (
        <Alert color="yellow" variant="light" title="Permintaan terakhir ditolak kantor">
          <Text style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>Alasan kantor: {last.reason}</Text>
        </Alert>
      ) : null}
      <Button variant="outline" color="red" onClick={() => setIsAsking(true)}>
        Hapus akun saya
      </Button>
      {isAsking && user ? <ErasureDialog terms={terms} user={user} onClose={() => setIsAsking(false)} /> : null}
    </Stack>
  );
}

/** Takes the own request to delete the account back at once; a stranger may have made it. */
function WithdrawButton() {
  const queryClient = useQueryClient();
  const { submit, busy } = useSubmit(async () => {
    try {
      await withdrawErasure();
      notify.success('Permintaan dibatalkan. Akun Anda tetap ada.');
    } catch (error) {
      notify.failure(error, 'Gagal membatalkan permintaan');
    }
    await reloadOwnErasure(queryClient);
  });
  return (
    <Button variant="default" loading={busy} onClick={() => void submit()}>
      Batalkan permintaan
    </Button>
  );
}
