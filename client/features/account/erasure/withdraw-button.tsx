import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { notify } from '#client/ui/feedback/notify.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import { reloadOwnErasure, withdrawErasure } from './erasure-api.ts';

/** Takes the own request to delete the account back at once; a stranger may have made it. */
export function WithdrawButton() {
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
