import { Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { confirm } from '#client/ui/feedback/confirm.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import type { TaxRecord } from '#shared/api/tax-records.ts';
import { deleteOwnRecord } from '../api.ts';
import { reloadOwnRecords } from '../keys.ts';

/**
 * Asks, deletes, tells, and reads everything again.
 * @param onDeleted called before the reading begins
 */
export function useDeleteOwnRecord(onDeleted: (record: TaxRecord) => void) {
  const queryClient = useQueryClient();
  const { submit, busy } = useSubmit(async (record: TaxRecord) => {
    const isConfirmed = await confirm({
      title: 'Hapus Data PBB',
      message: (
        <>
          <Text>Apakah Anda yakin ingin menghapus data PBB ini?</Text>
          <Text c="dimmed" mt="xs">
            {record.name} · {record.spt_number} · {record.year}
          </Text>
        </>
      ),
      confirmLabel: 'Hapus',
      danger: true,
    });
    if (!isConfirmed) return;
    try {
      await deleteOwnRecord(record.id);
    } catch (error) {
      notify.failure(error, 'Gagal menghapus data PBB');
      // It may be gone already, by another tab or an administrator.
      await reloadOwnRecords(queryClient);
      return;
    }
    notify.success('Data PBB berhasil dihapus');
    onDeleted(record);
    await reloadOwnRecords(queryClient, record.id);
  });
  return { remove: submit, removing: busy };
}
