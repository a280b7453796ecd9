import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { backupsQuery, confirmDownloads, systemKeys } from '#client/features/system/api.ts';
import { showDateTime } from '#client/lib/format.ts';
import { currentSession } from '#client/lib/session.ts';
import { useServerEvent } from '#client/realtime/use-server-event.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';

/**
 * Tells admins that another one has downloaded a backup, which holds all data: at once, and until they have confirmed it
 * (docs/requirements.md R-SYS-23). The list of backups is loaded by `BackupWarning`.
 */
export function DownloadNotice({ isFullBleed }: { isFullBleed: boolean }) {
  const queryClient = useQueryClient();
  const { data } = useQuery({ ...backupsQuery, enabled: false });
  const downloads = data?.downloads ?? [];
  const [newest] = downloads;

  const onDownload = useCallback(
    ({ actor }: { actor: { id: string; name: string } }) => {
      if (actor.id === currentSession()?.user?.id) return;
      notify.info(`${actor.name} mengunduh cadangan semua data`);
      void queryClient.fetchQuery({ ...backupsQuery, staleTime: 0 }).catch(() => undefined);
    },
    [queryClient],
  );
  useServerEvent('backup:downloaded', onDownload);

  const { submit, busy } = useSubmit(async (upTo: string) => {
    try {
      await confirmDownloads(upTo);
    } catch (error) {
      notify.failure(error, 'Gagal menyimpan');
      return;
    }
    await queryClient
      .fetchQuery({ ...backupsQuery, queryKey: systemKeys.backups, staleTime: 0 })
      .catch(() => undefined);
  });

  // A page that fills the window has no room for it; the toast and the other pages tell.
  if (!newest || isFullBleed) return null;
  return (
    <Alert color="yellow" variant="light" mb="md" className="no-print" icon={<IconDownload size={20} aria-hidden />}>
      <Stack gap="xs" align="flex-start">
        <Text fw={500}>Cadangan semua data diunduh</Text>
        {downloads.map(({ id, name, actor_name: actorName, created_at: createdAt }) => (
          <Text key={id} fz="sm" style={{ overflowWrap: 'anywhere' }}>
            {actorName}, {showDateTime(createdAt)}: {name}
          </Text>
        ))}
        <Text fz="sm">
          Bila Anda tidak tahu-menahu, tanyakan kepada yang bersangkutan, lalu ganti passwordnya di Kelola Users.
        </Text>
        <Button variant="default" loading={busy} onClick={() => void submit(newest.id)}>
          Sudah saya lihat
        </Button>
      </Stack>
    </Alert>
  );
}
