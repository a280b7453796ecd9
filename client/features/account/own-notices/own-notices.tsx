import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconShieldLock } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { OfficeContact } from '#client/features/office/display/office-contact.tsx';
import { api } from '#client/lib/api/api.ts';
import { useServerEvent } from '#client/realtime/use-server-event.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import type { OwnNotice } from '#shared/api/security-log.ts';
import { ownNoticesQuery } from './own-notices-query.ts';

type Props = {
  /** The oldest ones, the newest of them first: each is shown before it is put away. */
  notices: readonly OwnNotice[];
};

/** Lines about what the office did to the own account, until they are put away (docs/requirements.md R-ACCESS-34). */
export function OwnNotices({ notices }: Props) {
  const queryClient = useQueryClient();
  const isWithdrawable = notices.some(({ actions }) => actions.includes('withdraw'));
  /** The request to delete the account stays until it is decided or withdrawn. */
  const newest = notices.find(({ actions }) => actions.length === 0);
  // All that is about the own account.
  const reloadAll = useCallback(() => void queryClient.invalidateQueries({ queryKey: ['auth'] }), [queryClient]);
  useServerEvent('erasure:changed', reloadAll);
  const withdrawal = useSubmit(async () => {
    try {
      await api.delete('/auth/erasure');
      notify.success('Permintaan dibatalkan. Akun Anda tetap ada.');
    } catch (error) {
      notify.failure(error, 'Gagal membatalkan permintaan');
    }
    reloadAll();
  });
  const { submit, busy } = useSubmit(async () => {
    if (!newest) return;
    try {
      await api.post('/auth/notices/{id}/seen', { params: { id: newest.id } });
    } catch (error) {
      notify.failure(error, 'Gagal menyimpan');
    }
    await queryClient.refetchQueries({ queryKey: ownNoticesQuery.queryKey });
  });
  return (
    <Alert color="yellow" variant="light" mb="md" className="no-print" icon={<IconShieldLock size={20} aria-hidden />}>
      <Stack gap="xs" align="flex-start">
        {notices.map(({ id, text }) => (
          <Text key={id} fw={500}>
            {text}
          </Text>
        ))}
        <OfficeContact />
        <Group gap="sm">
          {isWithdrawable ? (
            <Button variant="default" loading={withdrawal.busy} onClick={() => void withdrawal.submit()}>
              Batalkan permintaan
            </Button>
          ) : null}
          {newest ? (
            <Button variant="default" loading={busy} onClick={() => void submit()}>
              Mengerti
            </Button>
          ) : null}
        </Group>
      </Stack>
    </Alert>
  );
}
